# --width 80 --keep-going testdata/traces/torch_step.json.gz
kernels -g op -u host -s mean_us -r --skip 1 -l 3
kernels -g op -u host -s execs -l 3 --columns name,min_us,execs,calls
kernels -u host -g op -s p95_us -l 2 --skip 1 --format csv
kernels -s nothing
kernels -s mean -r --columns p95,nothing
kernels --of aten::mm -g op -u host -s time_us -l 2 --columns node,time_us
kernels --records -s name -l 2 --columns name,dur_ns
kernels --records -s total -r -l 2 --format csv --columns p95
kernels --diff step:1 -g op -u host -s b_us -l 2 --columns name,b_us,change
kernels --diff step:1 -g op -u host -s mean --columns p95 -l 2
