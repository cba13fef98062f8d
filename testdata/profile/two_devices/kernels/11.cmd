kernels -g op -s name -r
