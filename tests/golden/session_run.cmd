# testdata/session/run_1795219542556263_0
lt
pt loss/mse:0
ni -d linear/w
