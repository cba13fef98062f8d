# testdata/xspace/jax_step/host.xplane.pb
kernels -l 10
kernels --of ynn_fusion.26
lg --max 3
ni ynn_fusion.26
