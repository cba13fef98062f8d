# --format=json testdata/damaged_tensors
lt -n linear
pt linear/pred:0
pt loss/sub:0
