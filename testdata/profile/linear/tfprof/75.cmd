code -max_depth 2 -account_type_regexes MatMul,Variable.* -select params -output pprof:outfile=a.pprof.gz
