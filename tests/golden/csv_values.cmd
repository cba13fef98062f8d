# --format=csv testdata/tf1.0.0_loop
pt start:0
pt bad/log:0 -n 0
pt bad/words:0
pt bad/flag:0
