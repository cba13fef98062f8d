# --width 80 testdata/traces/torch_step.json.gz
kernels -g source
kernels -g stack -l 3
kernels -g scope --depth 3
kernels -l 2 --columns source
kernels -g op --source forward -l 2 --format json
scopes
steps
