# testdata/hlo/traced/step.trace.json
kernels
kernels --of loop_add_fusion_3
kernels --columns inside -o json
ni input-reduce-fusion
lg
ls
