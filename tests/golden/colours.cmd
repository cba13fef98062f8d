# --colour=never testdata/linear
grid linear/w:0 --colours grey
grid linear/w:0 --colors gray
picture linear/w:0 --colours=grey -k hist
grid linear/w:0 --colour grey
grid linear/w:0 --colours green
