# --format=json testdata/tf1.0.0_loop
pt start:0
pt start:0 -n 0
pt start:0 -n 7
pt bad/log:0 -n 0 -s
pt bad/log:0 -n 1
pt bad/words:0
pt bad/half:0 -s
pt bad/flag:0 -s
pt loop/Identity:0
ni -d loop/Merge_1
