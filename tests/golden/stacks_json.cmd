# --format=json --stacks testdata/linear.stacks.json testdata/linear
ls
ls -s nodes --skip 1 -l 1 --columns nodes,path
ls -p nothing
ps linear.py -m 1
ps nosuch.py
ni -t loss/sq
