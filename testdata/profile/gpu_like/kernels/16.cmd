kernels -k sgemm -g op
