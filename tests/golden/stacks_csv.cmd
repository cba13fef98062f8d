# --format=csv --stacks testdata/linear.stacks.json testdata/linear
ls
ps linear.py -t
ni -t loss/sq
