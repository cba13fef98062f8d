# --no-mouse testdata/no_such_dump
lt
