# testdata/recorders/jax
runs
run --to 2
pt hidden.grad:0
pt params['w']:0
ps step.py
