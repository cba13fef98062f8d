# --width 100 testdata/tables/rocprofv3
kernels
kernels -u copy
timeline
step
