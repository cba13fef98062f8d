# testdata/v2/dtypes_full --format=json
pt -s --trace 0
pt -s --trace 3
pt --trace 40
pt "[0, 1:]" --trace 40
pt Cast#16:0
grid --trace 0
picture --trace 0 -k hist
