code -max_depth 5 -select micros -output pprof:outfile=a.pprof.gz
