# testdata/array_files/sharded
lt
pt lm_head.weight -s
ri
