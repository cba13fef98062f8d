# testdata/array_files/mixed.npz
lt
pt a
pt obj
