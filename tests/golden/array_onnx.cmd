# testdata/array_files/test_data
lt
pt x
