# testdata/v2/workers
runs
runs -s executions -r --columns run,executions,hosts
ri
runs 1
lt --all-steps --max 3
runs 3
runs zzz
