# testdata/mnist_nan
filter add large 'bytes > 4k && op ~ "MatMul$"' --session
lt -f large -s dump_size -r
filter add spoiled '(nan || inf) && rank == 0' --session
lt -f spoiled
lt -f spoiled -n train
filter
filter show large
filter remove large
lt -f large
filter add bad 'nan > 1 > 0'
filter add has_inf_or_nan nan
filter add half
