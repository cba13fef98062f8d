# --format=csv --keep-going testdata/runs/hooks
runs -f has_inf_or_nan
run -t 3
