# --format=json testdata/train20/run_1795218502329437_12
diff testdata/train20/run_1795218502312451_11 -n out/.*
diff out/weights testdata/train20/run_1795218502312451_11 --rtol 0.005
diff Const:0 testdata/train20/run_1795218502312451_11
diff testdata/train20/run_1795218502312451_11 -n hidden/bias -o csv
diff testdata/train20/run_1795218502312451_11 -n nothing -o csv
diff hidden/bias testdata/train20/run_1795218502312451_11 --rtol 0.05 -o csv
