# testdata/linear
nosuch
LT
exit 1
lt extra
lt -n
lt --bogus
lt -n (
lt -s size
lt -f nope
lt -fenn x
ni
ni nosuch
ni linear/w:zero
li -d x linear/w
li nosuch:0
lo nosuch
pt
pt nosuch:0
pt linear/w
pt linear/w:1
pt linear/w:0 -n 1
pt linear/w:0[9]
pt linear/w:0[0, 0, 0]
pt linear/w:0[a]
pt linear/w:0[0:1:0]
pt linear/w:0 -r [1,2,3]
pt linear/w:0 -r [a,b]
pt nosuch:0 -r [0]
pf nosuch:0 -r [0]
pt linear/w:0 -w no/such/place.npy
pt linear/w:0 --num 1
ev
ev `nosuch:0`
ev open("x")
ev "1 +"
ev 1 + 1
ps
ev np.nosuch(1)
config set nosuch 1
config set graph_recursion_depth x
config set mouse_mode maybe
config get
run
lp
"lt
help nosuch
config set graph_recursion_depth 99999999999999999999
