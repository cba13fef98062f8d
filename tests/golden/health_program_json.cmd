# --format=json testdata/v2/dtypes_full
lt --health --step 0 -s dtype --max 6
lt --health --step 0 -s max -r --max 2
