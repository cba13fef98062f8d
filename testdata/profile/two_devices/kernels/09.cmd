kernels -u host -g type -s calls
