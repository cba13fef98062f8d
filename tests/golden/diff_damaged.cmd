# testdata/linear
diff testdata/damaged_tensors --all
diff loss/sub testdata/damaged_tensors
diff testdata/damaged_tensors -o json -n loss/sub
