# --stacks testdata/nosuch.json testdata/linear
ls
