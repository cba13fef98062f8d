# --width 80 testdata/traces/gpu.json.gz
gaps
gaps --format json
gaps -d GPU:1 --format csv
gaps -d *
overlap
overlap --format json
pipeline
pipeline --format json
pipeline --format csv
