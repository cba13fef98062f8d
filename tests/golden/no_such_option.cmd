# --no-such-option testdata/linear
lt
