# testdata/linear.w78.golden
lt
