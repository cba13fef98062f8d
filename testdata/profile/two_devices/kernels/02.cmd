kernels -g op
