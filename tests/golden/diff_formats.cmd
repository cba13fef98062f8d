# --width 80 testdata/traces/rank0.json.gz
kernels --diff testdata/xspace/gpu_worker/worker.xplane.pb.gz -l 2
kernels --diff testdata/traces/torch.json.gz -l 1
kernels -g type --diff testdata/xspace/gpu_worker/worker.xplane.pb.gz -l 2
kernels -u host --diff testdata/profile/linear/run_metadata.pb -l 2 --format json
kernels --diff testdata/traces/gpu.json.gz -l 1
kernels --diff step:551 -l 1
