kernels -g op --of tower_0/MatMul
