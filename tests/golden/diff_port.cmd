# --diff testdata/port/tensorflow testdata/port/pytorch
diff
diff --map testdata/port/names.map --transpose --close -n relu.*
diff relu1 --map testdata/port/names.map --transpose --close
diff --by-order --exit-code
