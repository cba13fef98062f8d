# testdata/v2/mode_CONCISE_HEALTH
filter
filter add has_nan "nan > 1"
filter remove has_zero
filter show has_inf
filter add both "nan && inf"
filter add large "count > 30"
filter add low "nan && min < 0"
lt --all-steps -f both --max 3
lt --all-steps -f low
lx -f large --max 2
run -f both
lt -f bot
