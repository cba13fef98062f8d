# testdata/v2/where_gradient
la --limit 2
la -s tensor -r --columns tensor,nan -l 3
lx --sort op --skip 1 --limit 3 --columns step,op
lx -r --limit 2
lt --all-steps -s max -r --limit 3
lt --all-steps --columns shape,tensor,crc32 -s shape -r --skip 1 --max 3
lt --all-steps -s no_such
lx --columns step,no_such
