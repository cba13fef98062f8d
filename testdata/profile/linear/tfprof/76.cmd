scope -trim_name_regexes _TFProfRoot -select micros
