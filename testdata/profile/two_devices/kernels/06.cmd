kernels -g stream
