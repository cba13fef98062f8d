# testdata/checkpoint/tf1/model.ckpt-100
diff testdata/checkpoint/tf1/model.ckpt-0
diff testdata/checkpoint/tf1/model.ckpt-1
