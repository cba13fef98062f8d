# --width 100 testdata/traces/torch.json.gz
memory CPU --events
memory CUDA:0 --events
