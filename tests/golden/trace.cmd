# --width 100 testdata/traces/rocm.json.gz
kernels
kernels --step all
kernels -g op --step all -l 3
kernels -g stream -u device --step all
kernels -u copy -g kernel --step all
kernels -u host -l 3
kernels --of aten::mm
kernels --records -u copy
kernels --records -k Cijk -l 1 --format json
kernels --records --step 2
kernels -g step --step all
kernels -d GPU --step all -l 1
kernels --diff step:1 -l 2
step
step 2
kernels
timeline --step all
scopes -u host
memory
lp
tfprof op
timeline -o x.json
pprof -o x.gz --mode code
ps x.py
