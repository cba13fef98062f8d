# testdata/v2/nested
# my_function was traced anew for step 19; step 15 has a call with its own graph before it.
diff --step 19
diff cond/sub:0 --step 19
diff --step 15 -n Neg
