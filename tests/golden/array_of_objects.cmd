# testdata/arrays/object.npy
lt
