# testdata/runs/objects
run -n
run -n
run -n
run -n
run
run_info
pf spp/values:0
pf spp/shape:0[0]
pf spp/other:0
run -n
run -n
