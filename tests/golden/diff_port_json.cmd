# --format=json testdata/port/tensorflow
diff testdata/port/pytorch --close
diff testdata/port/pytorch -n gone/.* -s max_abs
