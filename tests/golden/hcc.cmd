# --width 100 testdata/tables/hcc_full.txt
kernels
kernels -u copy
kernels --records
kernels --records -u kernel -l 1 --format json
timeline
gaps
kernels --diff testdata/tables/hcc_doc_lines.txt -l 2
