# testdata/hlo/jax_loop.hlo.pb
lg
ni -a -t reduce_sum.0
ni while.9
