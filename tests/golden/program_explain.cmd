# testdata/v2/mode_CONCISE_HEALTH
explain Log
explain Log --at-step 31
explain Log:0 --at-step 31
explain #31
explain #31:0
explain Square#32
explain Log:0[1] --at-step 31
explain --trace 100000
explain nothing
explain
ev "`Log:0`" --step 31
ev "np.mean(`Log:0`)" --step 31
explain -o json Log:0 --at-step 31
