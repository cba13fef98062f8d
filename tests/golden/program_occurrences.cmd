# testdata/v2/nested
run | head -1
pt while/add:0
pt while/add:0 -n 2
pt while/add:0 -n 3
grid while/add:0
pt unstack
pt unstack:1
pt unstack -D gpu
