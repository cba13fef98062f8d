# testdata/linear
pt linear/w:0 > w.txt
pt linear/w:0[0, 0] >> w.txt
lt -n linear/w>names.txt
li linear/xw > tree.txt
lt -n linear/w > tree.txt
lt -n nothing >> nosuch/x.txt
lt -n linear > empty
lt >
lt | wc -l
lt -n linear/w | cat > piped.txt
lt -n linear/w | tail -n 1 | tr a-z A-Z
lt -n linear/w | wc -l; exit 3
lt |
nosuch | cat
pt linear/w:0 -w w.csv
