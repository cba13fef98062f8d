# testdata/checkpoint/tf1
runs
run --to 2
pt global_step
runs
