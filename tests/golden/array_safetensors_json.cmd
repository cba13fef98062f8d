# testdata/array_files/dtypes.safetensors --format=json
lt
ri
pt F8_E8M0
