# testdata/profile_odd/profile_context
# What a ProfileContext leaves: steps 3 and 5 as text, and no graph but what tfprof's own file knows of it.
lp
lp -t VariableV2
kernels -g source
kernels -g type --columns gflop,gflop/s
kernels -g type --columns gflop,gflop/s --step 3
tfprof op -step 5 -select micros,float_ops -max_depth 3
tfprof op -step 0
ps pc.py
