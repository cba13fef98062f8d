# testdata/linear testdata/workers
lt
