kernels -u host
