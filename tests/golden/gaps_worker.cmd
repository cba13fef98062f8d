# --width 80 testdata/xspace/gpu_worker/worker.xplane.pb.gz
gaps -l 3
gaps -l 2 --format json
overlap --format csv
pipeline --step 3
