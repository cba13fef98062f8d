# --width=60 testdata/mnist_nan
grid cross_entropy/Log:0[0:4]
grid hidden/weights/Variable:0 -a 1,0 -c 20 -f full
grid hidden/biases/Variable:0[12:]
grid cross_entropy/Log:0[64]
grid nothing
