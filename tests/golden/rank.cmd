# --width 80 testdata/traces/rank0.json.gz
steps
overlap
overlap --format json
gaps -l 4
gaps --step all -l 1 --format json
