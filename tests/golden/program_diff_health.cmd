# testdata/v2/mode_CONCISE_HEALTH
run --to 15 | head -1
diff
diff --step 31 15 -n Log
diff Log:0 --step 31
diff Log:0[0] --step 31
diff #31:1 15
diff -s health --step 31 15 -n gradients
diff -o json --step 31 15 -n Log
diff -o json Log:0 7 --step 31
diff --exit-code --step 31 15 -n nothing
