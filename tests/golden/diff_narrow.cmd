# --width=78 testdata/train20/run_1795218502329437_12
diff testdata/train20/run_1795218502312451_11
