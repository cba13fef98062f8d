# testdata/v2/while_overflow
# What is named and not there.
ri
