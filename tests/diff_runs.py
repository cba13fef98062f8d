#!/usr/bin/env python3
"""Writes what `diff OLD --all -o csv` is to say of two runs, by numpy; knows float32 and int32 tensors only.

    python3 tests/diff_runs.py NEW OLD > testdata/train20.diff.csv
"""
import csv
import os
import re
import sys

import numpy as np

DTYPES = {1: ("float32", np.float32), 3: ("int32", np.int32)}


def fields(data):
    """Of a message: number and value of each field."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
            continue
        size = {1: 8, 5: 4}[key & 7] if key & 7 != 2 else varint()
        yield key >> 3, data[at:at + size]
        at += size


def first(data, number, otherwise=b""):
    return next((value for n, value in fields(data) if n == number), otherwise)


def tensor(path):
    """Event.summary (5), its value (1), the tensor in that (8)."""
    with open(path, "rb") as file:
        proto = first(first(first(file.read(), 5), 1), 8)
    name, kind = DTYPES[first(proto, 1)]
    shape = [first(dim, 1, 0) for n, dim in fields(first(proto, 2)) if n == 2]
    return name, np.frombuffer(first(proto, 4), kind).reshape(shape)


def dumps(root):
    """(time, node, slot, debug op) -> file, of the one device."""
    device = next(name for name in os.listdir(root) if name.startswith("_tfdbg_device_"))
    found = []
    for folder, _, names in os.walk(os.path.join(root, device)):
        for name in names:
            match = re.fullmatch(r"(.*)_(\d+)_(\w+?)_(\d+)", name)
            if match and not name.startswith("_tfdbg_"):
                path = os.path.join(folder, name)
                node = os.path.relpath(os.path.join(folder, match[1]), os.path.join(root, device))
                found.append((int(match[4]), (node, int(match[2]), match[3]), path))
    return sorted(found)


def figures(new, old):
    flat, was = new.ravel(), old.ravel()
    with np.errstate(all="ignore"):
        differ = ~((flat == was) | ((flat != flat) & (was != was)))
    others = sum(a.tobytes() != b.tobytes() for a, b in zip(flat[~differ], was[~differ]))
    if not differ.any():
        return ["same", 0, 0, others, "", "", "", ""]
    good = differ & np.isfinite(flat) & np.isfinite(was)
    at = np.unravel_index(int(np.argmax(differ)), new.shape)
    row = ["changed", int(differ.sum()), int((differ & ~good).sum()), others, "[%s]" % ",".join(str(int(i)) for i in at)]
    if not good.any():
        return row + ["", "", ""]
    x, y = flat[good].astype(np.float64), was[good].astype(np.float64)
    with np.errstate(all="ignore"):
        rel = float((np.abs(x - y) / np.abs(y)).max())
    row += [repr(float(np.abs(x - y).max())), "Infinity" if rel == np.inf else repr(rel)]

    def places(a):
        bits = a.view(np.int32).astype(np.int64)
        return np.where(bits < 0, -(bits & 0x7fffffff), bits)
    return row + [int(np.abs(places(flat[good]) - places(was[good])).max())]


def dims(array):
    return "[%s]" % ",".join(map(str, array.shape))


def main(new, old):
    was = {key: path for _, key, path in dumps(old)}
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow("status,tensor,debug_op,dump,dtype,old_dtype,shape,old_shape,n_diff,n_bad,n_bits,first,max_abs,max_rel,"
                 "max_ulps,device".split(","))
    for _, key, path in dumps(new):
        name, x = tensor(path)
        old_name, y = tensor(was[key])
        status, *rest = figures(x, y)
        out.writerow([status, "%s:%d" % key[:2], key[2], 0, name, old_name, dims(x), dims(y), *rest,
                      "/job:localhost/replica:0/task:0/device:CPU:0"])


main(*sys.argv[1:])
