# --format=csv testdata/linear
lt -n linear -s tensor_name
ni -d linear/xw
li -r -c -t linear/pred
lo linear/w
pt linear/w:0
pt linear/w:0[0]
pt linear/w:0[0, 0]
pt linear/xw:0 -s
pt linear/nosuch:0
ls
ev "`linear/w:0` * 2"
config
lt --nosuch
nosuch
