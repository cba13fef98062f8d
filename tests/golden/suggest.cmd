# --stacks=testdata/linear.stacks.json testdata/linear
ltt
LT
help nde_info
ni mse
ni LOSS/MSE
ni loss/msee
ni linear
ni zzzzzz
ni gradients/Fill
pt loss/mes:0
pt w
li loss/sp
explain xw
graph nosuch/xw
dot mse
lt -f has_inf_or_nan2
ps linaer.py
