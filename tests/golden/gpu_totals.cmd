# --width 100 testdata/tables/nsys_stats.txt
kernels
kernels -u copy -s calls
kernels -k saxpy --columns min
kernels -n .
kernels -l 1 --format json
kernels -g stream
kernels -u host
kernels --records
kernels --of saxpy
timeline
scopes
steps
gaps
overlap
pprof -o x.gz
overview
kernels --diff testdata/tables/rocprof_v1.csv
