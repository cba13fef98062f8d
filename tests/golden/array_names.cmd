# testdata/array_files/names.safetensors
lt
lt -f has_inf_or_nan
pt ""
pt a:0
