#!/usr/bin/env python3
"""Makes testdata/vitals.tsv: what numpy says of recorded tensors.

    python3 tests/gen_vitals.py > testdata/vitals.tsv

Wants TensorFlow 1.15, whose own tfdbg reads the recordings; not part of `make test`, which only replays the file.
A tensor a line, of mnist_nan those with NaN or Inf alone: directory, name, dtype, shape, then how many are NaN, -Inf,
Inf, negative, zero, positive, then the least and the largest finite element as its bytes in hex, and numpy.histogram
of the finite ones in 8 bins. "?" in the place of the dtype: no array was recorded.
"""
import sys

import numpy as np
from tensorflow.python.debug.lib import debug_data


def bins_of(numbers, span=None):
    try:
        bins = np.histogram(numbers, 8, span)[0]
    except (ValueError, IndexError):  # the range is more than a double
        bins = np.histogram(numbers / 2, 8)[0]
    return ",".join(map(str, bins))


def describe(a):
    """Counts, ends and bins of an array of numbers."""
    if a.dtype.kind == "c":
        parts = a.real, a.imag
        return [(np.isnan(parts[0]) | np.isnan(parts[1])).sum(),
                ((parts[0] == -np.inf) | (parts[1] == -np.inf)).sum(),
                ((parts[0] == np.inf) | (parts[1] == np.inf)).sum(), 0, (a == 0).sum(), 0, "-", "-", "-"]
    if a.dtype == bool:
        return [0] * 6 + ["-", "-", bins_of(a.astype(float), (0, 1)) if a.size else "-"]
    x = a.astype(np.float64)
    finite = np.isfinite(x)
    counts = [np.isnan(x).sum(), (x == -np.inf).sum(), (x == np.inf).sum(), (finite & (x < 0)).sum(),
              (x == 0).sum(), (finite & (x > 0)).sum()]
    if not finite.any():
        return counts + ["-", "-", "-"]
    ends = [np.asarray(a[finite][i], a.dtype).tobytes().hex() for i in (np.argmin(x[finite]), np.argmax(x[finite]))]
    return counts + ends + [bins_of(x[finite])]


def line_of(value):
    if not isinstance(value, (np.ndarray, np.generic, bytes)):
        return ["?"]
    a = np.asarray(value)
    name = a.dtype.name
    if a.dtype.names:  # quantised numbers are structures of one field
        name = a.dtype.names[0]
        a = a[name]
    shape = ",".join(map(str, a.shape)) or "-"
    if a.dtype.kind in "OSU":
        return ["string", shape] + [0] * 6 + ["-", "-", "-"]
    return [name, shape] + describe(a)


np.seterr(all="ignore")
for directory in "dtypes", "mnist_nan":
    dump = debug_data.DebugDumpDir("testdata/" + directory, validate=False)
    for datum in dump.dumped_tensor_data:
        fields = line_of(datum.get_tensor())
        if directory == "dtypes" or sum(fields[2:5]):
            print(directory, "%s:%d" % (datum.node_name, datum.output_slot), *fields, sep="\t", file=sys.stdout)
