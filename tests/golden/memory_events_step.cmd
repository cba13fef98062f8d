# --width 80 testdata/profile/linear
memory cpu --events
memory --events --format csv
memory nothing --events
kernels -g input_shape
kernels -u host -l 2 --idle
