# testdata/profile/linear
# A directory of steps, a graph as text and binary, an op log, a tfprof profile.
lp -d .*CPU:0 -n loss
lp --step 2 -d /host -n loss
lp --step 7
lp -d .*CPU:0 -n loss --format json
lp -d .*CPU:0 -n loss/m -o csv --format csv
lp -d nomatch
lp -d .*CPU:0 -n loss/S -s op_time -r --time_unit ms
ni loss/Square
li loss/mse
ps nowhere.py
help ps
