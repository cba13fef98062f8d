# --stacks testdata/linear.stacks.json testdata/session/run_1795219542556263_0
ls -p .*linear
ni -t loss/sq
ps linear.py -t -b 8 -m 1
ps variables.py
