# testdata/v2/mode_CONCISE_HEALTH
ls -p .*/train.py
ls -p .*/ops/.* -n Log
ls --frames --max 3
ls -s dumps -l 4 --columns dumps,path
ls --frames -s line --skip 1 -l 2
ps train.py -m 3 -b 22
ps train.py -m 2 -t
ps math_ops.py
ps nowhere.py
