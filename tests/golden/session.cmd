# --keep-going testdata/session
lt
run -n
lt
pt linear/w:0
run -b 5
