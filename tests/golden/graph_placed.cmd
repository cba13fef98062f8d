# testdata/profile/gpu_like/graph.pb
ni fc
li fc -d 1
