# --run-metadata testdata/profile/linear/run_metadata.pb --run-metadata testdata/profile/linear/run_metadata_1.pb --run-metadata testdata/profile/linear/run_metadata_2.pb
step
step next
step next
kernels -g type -l 1
step prev
step 0
kernels -g type -l 1
step prev
kernels -g type -l 1 --step all
step
step 9
step -s span_us -l 2 --columns file,step
step --format csv
