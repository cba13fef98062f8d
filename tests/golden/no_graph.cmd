# testdata/tf0.12.1_loop
lt
lt -f has_inf_or_nan
lt -s op_type -n bad
lt -t Log
ni bad/log
li bad/log
pt bad/log:0
pt bad/log:0 -n 0
ev `bad/half:0`
