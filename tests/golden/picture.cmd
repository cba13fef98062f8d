# testdata/mnist_nan
picture hidden/weights/Variable -w 40
picture cross_entropy/Log:0 -l -u
picture cross_entropy/Log:0[:, 2:9] -k hist -w 40
picture cross_entropy/Log:0 -k spark -w 32
