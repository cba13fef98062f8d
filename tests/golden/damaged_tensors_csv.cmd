# --format=csv testdata/damaged_tensors
pt linear/xw:0
