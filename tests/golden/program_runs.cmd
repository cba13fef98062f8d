# testdata/v2/workers
runs
ri
runs 1
lt --all-steps --max 3
runs 3
runs zzz
