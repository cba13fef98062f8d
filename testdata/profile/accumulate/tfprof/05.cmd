scope -select bytes -step 1 -min_bytes -100000 -max_depth 2
