# testdata/arrays/be_i2.npy
pt be_i2
