kernels -g scope
