# testdata/v2/nested --format=json
pt --step 7 while/add:0
pt --step 7 while/add:0 -n 1
pt --step 7 while/add:0[0] -n 1
pt -o csv --step 7 while/add:0
