# --format=xml testdata/linear
lt
