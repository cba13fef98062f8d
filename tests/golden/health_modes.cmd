# testdata/v2/mode_CONCISE_HEALTH
lt --health --all-steps -s bad -r --max 10
lt -s dtype --all-steps --max 3
lt --health --step 9999
