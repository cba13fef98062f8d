# testdata/pictures
lt
