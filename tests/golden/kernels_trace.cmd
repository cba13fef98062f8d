# --width 80 testdata/traces/rank0.json.gz
kernels -l 3 --idle --columns queue,occupancy,launch_delay
kernels -g op -u host -l 2 --idle --columns host_total,device_total,self_mem
kernels -g input_shape -l 3
kernels -l 1 --idle --columns queue,occupancy,launch_delay,bound,self_mem,gb/s,gflop/s --format json
kernels -g op -u host -l 1 --columns host_total,device_total,self_mem --format csv
memory --events
