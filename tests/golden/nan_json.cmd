# --format=json testdata/mnist_nan
lt -f has_inf_or_nan -t Log
pt cross_entropy/Log:0[0:2, :] -s
pt cross_entropy/mul:0[2]
