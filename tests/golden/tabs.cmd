# testdata/linear
# A tab that was typed stays one.
pt "loss/sub:0[0:1,	:]"
ev "`loss/sub:0`[0:1]	+ 1"
