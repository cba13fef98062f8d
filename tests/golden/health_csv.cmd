# --format=csv testdata/dtypes
lt --health -n (f64|bfloat16|complex64|bool|uninit|resource|quant/qint8)
lt --health -n none
