# testdata/v2/tf2.1.3_FULL_TENSOR
diff
run --to 24 | head -1
diff
diff -s max_abs -r -n gradients
diff #16 --atol 0.01 --all -n M
diff Log:0
diff Log:0[0:2] 16
diff Mean:0 --step 32
diff --trace 0
diff --trace 60
diff #24:0
diff 25
diff 999
diff Log:0 nothing
diff nothing:0
diff --trace 60 -o json
