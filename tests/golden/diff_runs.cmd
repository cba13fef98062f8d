# testdata/train20
diff
run
diff
run
diff -n out/.*
diff 1 -n loss
diff loss
diff loss run_179521850231
diff loss run_179
diff loss --run 2
diff 0
diff 3
diff nothing
