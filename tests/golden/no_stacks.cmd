# testdata/two_devices
ls
ps train.py
