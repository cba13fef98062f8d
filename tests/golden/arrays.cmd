# testdata/arrays
lt
lt -f has_inf_or_nan
lt -s dump_size
pt le_f4:0 -s
pt be_f4:0
pt be_i2:0[0]
pt be_c16
pt le_b1
pt scalar_f4
pt empty_0x3
pt layer2/out[0]
pt object
pt nothing
ev "np.abs(`be_f4:0` - `le_f4:0`)"
ps train.py
ls
ni le_f4
explain be_i2:0 -e 1,0
filter add big 'time > 0'
lt -f big
