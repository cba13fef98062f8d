# --format=json testdata/linear
lt -n linear -s tensor_name
lt -f has_inf_or_nan
ni -d linear/xw
li -r -c -t linear/pred
lo linear/w
pt linear/w:0
pt linear/w:0[0]
pt linear/w:0[0, 0]
pt linear/w:0[0:0]
pt linear/xw:0 -s -r [0,1]
pt linear/nosuch:0
pt _arg_x_0_0:0[1:3, ::2]
ni train
ls
ev "np.sum(`linear/w:0`)"
ev "`linear/w:0` * 2"
ev "1 +"
ev open("x")
config set graph_recursion_depth 3
li -r linear/pred
lt -n (
lt --nosuch
nosuch
pt linear/w
