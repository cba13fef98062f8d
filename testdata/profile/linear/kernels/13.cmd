kernels -g type --diff run_metadata_1.pb
