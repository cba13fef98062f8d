# testdata/recorders/pytorch
runs
run --to 2
pt half:0
lt -f has_inf_or_nan
origins
ls
ps net.py
