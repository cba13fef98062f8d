# --format=doc testdata/linear
lt -n linear/w
ni linear/xw
li linear/xw
pt linear/w:0 -r [0,1]
lt -f nope
ev np.array([1,2])
