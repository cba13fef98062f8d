# --format=json testdata/workers
lt -n replica/y
ni replica/y
ni -D task:0 replica/y
pt replica/y:0
pt -D task:1 replica/y:0
li replica/z
