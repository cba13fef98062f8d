# testdata/v2/circular
ri
lx --max 9
la
run --to 7
lt --max 5
