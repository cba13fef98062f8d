kernels -l 4
