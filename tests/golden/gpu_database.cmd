# --width 100 testdata/tables/nsys.sqlite
kernels
kernels -g op -u device
kernels --records -l 3
kernels --records -u kernel -l 1 --format json
step
timeline
kernels --diff testdata/tables/rocpd.db -l 2
