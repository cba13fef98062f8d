# --format=json testdata/runs/objects
runs
