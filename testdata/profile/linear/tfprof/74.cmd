code -max_depth 100 -hide_name_regexes .*ops.py.* -select bytes -step 1 -output pprof:outfile=a.pprof.gz
