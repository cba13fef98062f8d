scope -select bytes,peak_bytes,residual_bytes,output_bytes -step 1
