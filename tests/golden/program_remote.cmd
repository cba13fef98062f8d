# testdata/v2/remote
ri
lx --max 3
lt --all-steps --skip 100 --max 4
run -f has_nan
