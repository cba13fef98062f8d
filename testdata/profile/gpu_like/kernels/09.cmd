kernels -u device -g type
