# --format=json testdata/dtypes
ev "np.nonzero(`bool/vec:0`)"
ev "(1, None, 'x', `f16/scalar:0`, `f32/thirds:0`.dtype)"
ev "`string/vec:0`[:1] == b'plain'"
ev "`f16/scalar:0` + 1" -w no/such/place.npy
