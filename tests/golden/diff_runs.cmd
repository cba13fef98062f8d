# testdata/train20
diff
run
diff
run
diff -s max_ulps -r --skip 1 -l 3
diff --columns tensor,first,old_dtype --max 2
diff -n out/.*
diff 1 -n loss
diff loss
diff loss run_179521850231
diff loss run_179
diff loss --run 2
diff 0
diff 3
diff nothing
