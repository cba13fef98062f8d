# --width 100 testdata/tables/nvprof_two_processes.csv
kernels
kernels -u copy
kernels -g stream -u device
kernels -g shape
kernels -g shape --of "saxpy grid:1,1,1 block:32,1,1"
kernels --records -l 4
kernels --records -l 1 --format json
timeline
step
scopes
lp
kernels --diff testdata/tables/nvprof_summary.txt
