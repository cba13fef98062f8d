# testdata/mnist_nan
alias soft lt -n softmax
soft
soft -s dump_size
alias quoted "ni softmax"
quoted
alias lt ls
alias list_tensors ls
alias 1st ls
alias none ''
alias
alias --format json
unalias soft
soft
unalias soft
bind
bind view x lt
unbind view x
