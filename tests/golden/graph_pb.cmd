# testdata/profile/linear/graph.pb
ni model/y_hat
ni -a loss/mse
ni w --format json
ni nothing
li -r model/y_hat
li -c -d 1 train
lo w
dot w -d 1
dot --scopes 1
graph b -d 1
lt
