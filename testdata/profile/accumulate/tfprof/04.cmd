code -select bytes -step 1 -max_depth 2
