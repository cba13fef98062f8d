# --width 80 --graph testdata/profile/linear/graph.pb --op-log testdata/profile/linear/op_log.pb --run-metadata testdata/profile/linear/run_metadata.pb --run-metadata testdata/profile/linear/run_metadata_1.pb --run-metadata testdata/profile/linear/run_metadata_2.pb
kernels --diff testdata/profile/linear/run_metadata.pb -l 3
kernels -g type --diff step:2 -l 4
kernels -g step --step all
kernels -g type -l 3 --columns min,p95,busy,execs,nodes --time_unit us
kernels -g type --total >10us -l 3
kernels -g kernel -u host
kernels -u kernel
kernels -g nothing
kernels --of nothing
kernels --step 9
kernels -l 1 --format json
kernels -g type -l 2 --format csv
memory nothing
memory -s tensors -r --columns tensors,allocator
memory --format csv
scopes --depth 1 --format csv
scopes -s name -r --skip 1 -l 4
scopes --columns name,level,total_us -l 2
timeline -o step.json --compact --no-flow
timeline --format csv
dot model/y_hat --inputs -d 2 -c
dot model/y_hat --outputs --chains
dot --scopes 1 -o graph.dot
dot nothing
graph model/y_hat
graph model/y_hat --format json
