# testdata/dtypes
ev "`f32/thirds:0`[`f32/thirds:0` > 1]"
ev "np.percentile(`f32/thirds:0`, [5, 95], axis=0)"
ev "np.unique(`int8/matrix:0` % 3, return_counts=True)"
ev "np.nonzero(`bool/vec:0`)"
ev "`f32/thirds:0`.dtype"
ev "`f32/thirds:0`[1].tolist()"
ev "`string/vec:0` == b'plain'"
ev "`string/vec:0`[:2]"
ev "`string/vec:0`[0]"
ev "`bfloat16/vec:0` * 2"
ev "np.nansum(`bfloat16/vec:0`)"
ev "'text'"
ev None
ev "[1, 2.5, None, True]"
ev "`f32/thirds:0`.shape[0] > 2 and 1 < 2 < 3"
ev "np.linalg.norm([3, 4])"
ev np.finfo
ev `f32/thirds:0`.astype
ev isinstance
ev np.nosuch
ev "np.zeros((10**9, 10**9))"
ev "`quant/quint8:0`.shape"
ev "`quant/quint8:0` + 1"
ev "`string/vec:0`[:2]" -w strings.npy
ev "`bfloat16/vec:0`" -w bfloats.npy
ev "np.nonzero(`bool/vec:0`)" -w places.npy
