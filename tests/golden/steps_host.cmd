# --width 80 testdata/profile/linear
steps
steps --format json
