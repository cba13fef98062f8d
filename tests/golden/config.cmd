# testdata/linear
config
li -r linear/pred
config set graph_recursion_depth 1
li -r linear/pred
li -r -d 2 linear/pred
cfg set mouse_mode no
config show
