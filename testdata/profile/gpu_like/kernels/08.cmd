kernels -u copy
