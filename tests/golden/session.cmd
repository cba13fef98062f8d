# testdata/session
lt
pt linear/w:0
