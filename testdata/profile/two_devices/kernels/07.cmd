kernels -g source
