# --width 60 testdata/xspace/tf2_train/host.xplane.pb
pipeline
pipeline --step 2 --format json
pipeline --format csv
pipeline -s count -l 2 --columns category,count
gaps
overlap
