graph -trim_name_regexes _TFProfRoot,foo -select micros,bytes
