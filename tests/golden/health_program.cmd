# testdata/v2/dtypes_full
lt --health --all-steps -s bad -r --max 12
lt --health --step 0 -s max --max 30
lt -s shape -r --all-steps --max 5
lt -s min -r --all-steps --max 3 -n Sign
