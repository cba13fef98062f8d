# testdata/linear
help
h lt
help node_info
help li
help lo
help pt
help ps
help ls
help ev
help help
help config
help mouse
help version
help exit
help nosuch
help lt ni
lt -h
