# testdata/train20/run_1795218502329437_12
diff testdata/train20/run_1795218502312451_11
diff testdata/train20/run_1795218502312451_11 -s max_ulps -r -n out/.*
diff testdata/train20/run_1795218502312451_11 --all -s status --rtol 0.02 --nan-differs -n .*bias.*
diff testdata/train20/run_1795218502312451_11 --atol 100 --exit-code
diff testdata/train20/run_1795218502329437_12 --nan-differs
diff hidden/log_x:0 testdata/train20/run_1795218502312451_11
diff hidden/log_x:0[1:3, ::2] testdata/train20/run_1795218502312451_11
diff Const --run testdata/train20/run_1795218502312451_11
diff hidden/weights testdata/train20/run_1795218502312451_11 -c 4
diff loss testdata/train20/run_1795218502312451_11
diff
diff 1
diff loss
diff loss 1 --run 2
diff loss nowhere/
diff nothing:0 testdata/train20/run_1795218502312451_11
diff testdata/train20/run_1795218502312451_11 --rtol -1
diff testdata/train20/run_1795218502312451_11 --rtol x
diff testdata/train20/run_1795218502312451_11 -s nothing
diff testdata/train20/run_1795218502312451_11 -n (
