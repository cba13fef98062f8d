# testdata/mnist_nan
lt --limit 3 --skip 1
lt -s nan -r -l 2
lt --health -s size --columns tensor,size,shape -l 3
lt --columns max,tensor -s debug_op --limit 2
lt --columns tensor,no_such
lt -n .*weights.* -s tensor -r --max 3
