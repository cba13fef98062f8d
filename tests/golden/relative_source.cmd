# testdata/profile/gpu_like
# Recorded as "profile_gpu_like.py": it is in src/ beside the profile. A link of lp, and what O types in kernels.
ps --node_name_filter .*Conv profile_gpu_like.py --init_line 112
ps nowhere.py
