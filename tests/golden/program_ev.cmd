# testdata/v2/dtypes_full
ev 3+4
ev "`Cast:0`"
ev "np.mean(`Cast#16:0`) + `Cast:0`" --step 0
run | head -1
ev "`Cast:0`"
ev "`Cast:0[1]`"
ev "`Cast:0` - `Cast_1:0`"
ev "`nothing:0`"
ev "`#16:0`"
ev "`Cast:0[0]`" -g nothing
explain Cast:0 -e 1,1
explain Cast:0[1] -e 1
explain Cast#16:0 -e 1,2
explain Cast:0 -e 7
explain --trace 0
