code -max_depth 100000 -min_bytes 1 -min_micros 1 -trim_name_regexes ops.py.* -select micros -output pprof:outfile=a.pprof.gz
