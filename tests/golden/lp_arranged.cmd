# --width 100 --keep-going testdata/profile/two_devices
lp -s op_us -l 3
lp -s op_time --skip 17 -l 5 --columns node,op_us
lp -n tower --skip 3 -l 2 --columns exec_us,device --format csv -r
lp -s start_us -r -l 2 --format json
lp --columns node,nothing
