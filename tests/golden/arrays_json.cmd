# testdata/arrays --format=json
lt -n layer.*
pt be_i2
