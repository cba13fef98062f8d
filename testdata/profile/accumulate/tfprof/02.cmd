op -select bytes,peak_bytes -step 1 -order_by bytes
