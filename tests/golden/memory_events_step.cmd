# --width 80 testdata/profile/linear
memory cpu --events
memory --events -s bytes --skip 1 -l 2 --columns op,bytes
memory cpu -s name -l 2
memory --events --format csv
memory nothing --events
kernels -g input_shape
kernels -u host -l 2 --idle
