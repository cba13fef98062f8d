kernels --diff run_metadata_1.pb
