# testdata/v2/mode_CONCISE_HEALTH
pt Log:0
run --to 31 | head -1
pt Log:0
pt "Log:0[0, :]"
pt Log:0 -w saved.npy
pt Log:0 -n 1
pt Log
pt mul:0
pt -g train_step mul:0
pt --step 7 Log:0
pt nothing:0
pt Log:3
pt
pt --trace 3
pt --trace 100000
pt --trace 3 Log:0
pt Square#32:0
pt #32
pt #31
pt #31:1
pt #31:7
pt Add#32:0
grid Log:0 --at-step 7
picture Log:0
