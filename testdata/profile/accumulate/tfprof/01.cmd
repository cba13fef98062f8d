graph -select bytes,peak_bytes -step 1 -max_depth 3
