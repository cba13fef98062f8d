import numpy as np
r = np.random.RandomState(7)
np.savez("weights.npz",
    images=r.rand(4, 8, 8, 1).astype("f4"),
    conv1_w=r.randn(3, 3, 1, 4).astype("f4") * 0.4, conv1_b=r.randn(4).astype("f4") * 0.1,
    conv2_w=r.randn(3, 3, 4, 8).astype("f4") * 0.2, conv2_b=r.randn(8).astype("f4") * 0.1,
    fc_w=r.randn(8, 10).astype("f4") * 0.3, fc_b=r.randn(10).astype("f4") * 0.1)
