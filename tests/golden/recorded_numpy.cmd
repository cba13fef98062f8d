# testdata/recorders/numpy
runs
run --to 2
pt layer/log#2:0
ps walk.py
