kernels -u host -g scope --depth 1
