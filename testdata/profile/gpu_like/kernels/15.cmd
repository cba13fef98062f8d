kernels -k sgemm
