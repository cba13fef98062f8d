# --width 80 testdata/traces/torch.json.gz
memory
memory --format json
kernels -l 2 --format json
kernels -u kernel
kernels --records -l 2
step --format json
