# --format=json testdata/hlo/gpu_like.txt
lg
lg --ops -g fused_reduce
ni fusion
ni -t reduce.5
