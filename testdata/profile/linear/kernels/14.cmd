kernels -g op --of model/y_hat
