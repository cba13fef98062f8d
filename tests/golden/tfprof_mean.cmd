# testdata/profile/accumulate/profile.context
# Bytes that are negative: a mean keeps its sign, and its row; in a step the row is below the least value of 0.
tfprof op -select bytes -order_by bytes
tfprof op -select bytes -order_by bytes -step 0
tfprof op -select bytes -order_by bytes -step 0 -min_bytes -4096
tfprof code -select bytes -max_depth 2
