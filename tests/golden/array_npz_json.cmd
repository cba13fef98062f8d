# testdata/array_files/bad_crc.npz --format=json
lt
pt arr_1
