# --format=json --stacks testdata/linear.stacks.json testdata/linear
ls
ls -p nothing
ps linear.py -m 1
ps nosuch.py
ni -t loss/sq
