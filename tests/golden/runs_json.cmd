# --format=json --keep-going testdata/runs/mixed
runs
ri 13
run -f has_inf_or_nan
run --till-partial
run -f has_inf_or_nan
run
