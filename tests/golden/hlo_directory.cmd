# testdata/hlo/traced
kernels
lg
