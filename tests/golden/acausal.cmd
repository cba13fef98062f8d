# testdata/acausal
lt
ni linear/pred
