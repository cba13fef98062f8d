# testdata/v2/remote
ri
lx --max 3
lt --all-steps --skip 100 --max 4
run -f has_nan
lt --all-steps --host worker0.example.org --max 2
lx --host controller --max 2
lx --host x
la -D CPU:0 --max 1
la -D GPU
