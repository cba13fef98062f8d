kernels -g op -n Conv2D
