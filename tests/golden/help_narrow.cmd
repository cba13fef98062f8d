# --width=44 testdata/linear
help lt
help pt
