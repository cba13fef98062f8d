# --source-map .=testdata/hlo/traced testdata/hlo/traced/module_0007.jit_step.sm_8.0_gpu_after_optimizations.txt
ps step.py
ps step.py -b 8
help ps
