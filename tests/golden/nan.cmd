# testdata/mnist_nan
lt -f has_inf_or_nan -n .*(softmax|cross_entropy)
lt -f has_inf_or_nan -fenn .*(gradients|Adam)
pt cross_entropy/Log:0[0:2, :] -s
pt softmax:0[0, :] -s -r [0,0]
pt cross_entropy/mul:0[2] -s
ev "np.sum(np.isnan(`cross_entropy/mul:0`))"
