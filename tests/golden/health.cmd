# testdata/dtypes
lt --health -n (f32|bfloat16|complex64|bool|uninit|resource|quant/qint8)
lt --health -s bad -r -n f
lt -s max -n (int8|f16)
lt -s shape --health --reverse -n int
lt --health -t NoSuchOp
lt -s bads
