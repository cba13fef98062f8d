# testdata/v2/mode_CONCISE_HEALTH
lt
ri
runs
lx
lx -f has_inf_or_nan
lx -t S --skip 2 --max 3
lx -f rank:2
lx -f nothing
run
run -t 3
lt -f has_nan -s size -r
lt -n Log
lt -t Mul -s tensor_name
pf
back
back -n 3
run --to 46
run -p
run --last
run
run -f has_inf --backward
run -n
back 100
back
la --max 5
lg
lg --ops -g train_step --max 4
lg -s ops -r -l 3
lg --ops -s node --skip 1 -l 2 --columns node,host
lg -s nothing
lg -g cross
