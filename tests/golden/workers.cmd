# testdata/workers
lt
lt -n replica -s tensor_name -r
lt -f has_inf_or_nan
ni replica/y
ni -D task:0 replica/y
ni -d -D task:1 replica/y
ni -a /job:worker/replica:0/task:1/device:CPU:0:replica/w
ni only_first/sqrt
li replica/z
li -r -t -D task:1 replica/z
li -r /job:worker/replica:0/task:0/device:CPU:0:replica/z
lo replica/w
lo -t --device task:0 replica/w
pt replica/y:0
pt -D task:0 replica/y:0
pt replica/y:0[0] -D task:1 -s
pt /job:worker/replica:0/task:1/device:CPU:0:replica/w:0
pt only_second/log
ev `replica/y:0`
ev `/job:worker/replica:0/task:1/device:CPU:0:replica/y:0`
pt -D CPU replica/y:0
pt -D nosuch replica/y:0
ni -D task:1 only_first/sqrt
