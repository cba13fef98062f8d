kernels -g type
