# testdata/damaged_tensors
lt
lt -f has_inf_or_nan
pt linear/xw:0
pt linear/pred:0
pt linear/b:0
pt linear/b/read:0
pt loss/sub:0
pt loss/sub:0[0] -s
pt linear/w:0
ev "`linear/xw:0` + 1"
ev "`linear/w:0` + 1"
ni -d linear/xw
