# testdata/damaged_tensors
lt --health
lt --health -f has_inf_or_nan
lt --health -n loss
