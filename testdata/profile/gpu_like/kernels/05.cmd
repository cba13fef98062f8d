kernels -g device
