# --format=csv testdata/linear
pt linear/w:0 > w.csv
lt -n linear/w >> w.csv
lt -n linear/w | head -n 1
