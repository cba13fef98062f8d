# --width 80 testdata/xspace/gpu_worker/worker.xplane.pb.gz
steps
steps --format json
steps --format csv
steps nothing
