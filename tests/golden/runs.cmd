# --keep-going testdata/runs/mixed
runs
run -f has_inf_or_nan
runs
run -f has_inf_or_nan --filter_exclude_node_names layer/.*
run -n
lt
run --node_name_filter layer/p.*
run_info --all
lt
run -t 99
run -f has_inf_or_nan
run -f has_inf_or_nan
run --to 8
run -f has_inf_or_nan --through-partial
run -f has_inf_or_nan --through-partial
run --last
run
back 2
run -f has_inf_or_nan --backward --through-partial
back 99
back
run --to run_17952185036
run --to run_17952185036231
run --to 15
run -f nosuch
run -f has_inf_or_nan -n
run -fenn x
run -t
run -p
