# --format=doc testdata/profile_odd/relative_script
# The source lies beside the profile under the relative name that was recorded. It has 16 lines.
ps train.py --init_line 4
ps train.py --init_line 16
ps train.py --init_line 17
ps train.py --init_line 99999999999999999999
ps ./train.py --init_line -1
