# --format=json testdata/damaged_tensors
lt --health
lt --health -n loss/sq
