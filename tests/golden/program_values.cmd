# testdata/v2/dtypes_full
pt -s --trace 0
pt -s --trace 3
pt --trace 40
pt "[0, 1]" --trace 40
run | head -1
lt -n Cast
pt Cast_3:0
pt Cast:0[1] -r [1,3]
grid Cast:0
grid -s Cast:0[:,1]
picture --trace 0
picture Cast:0 -k spark
