kernels -g op --of stem
