#!/usr/bin/env python3
"""Writes testdata/compare.expected: pairs of arrays and what differs in them, by numpy and Python.

    python3 tests/compare.py > testdata/compare.expected        (numpy 2.4.6, ml_dtypes 0.5)

Each line: dtype, elements, atol, rtol, nan_differs, the bytes of new and of old (hex; of strings: they themselves,
separated by commas) after an =, n_diff, n_bad, first, max_abs, max_rel, max_ulps, n_bits; - where there is none. Integers are
compared as Python's, ratios of them as fractions; floats are computed as float64 throughout; distances in ULPs are
those of the integers that the bits stand for.
"""
import random
from fractions import Fraction

import ml_dtypes
import numpy as np

random.seed(20)
rng = np.random.default_rng(20)

FLOATS = {
    "float16": np.float16, "float32": np.float32, "float64": np.float64,
    "bfloat16": ml_dtypes.bfloat16, "float8_e5m2": ml_dtypes.float8_e5m2,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn, "float8_e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8_e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz, "float8_e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
}
INTS = {
    "int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64,
    "uint8": np.uint8, "uint16": np.uint16, "uint32": np.uint32, "uint64": np.uint64,
    "qint8": np.int8, "quint8": np.uint8, "qint16": np.int16, "quint16": np.uint16, "qint32": np.int32,
}
COMPLEXES = {"complex64": np.complex64, "complex128": np.complex128}


def ordered(x):
    """The bits of a float as a number that grows with it."""
    size = x.dtype.itemsize
    bits = int.from_bytes(x.tobytes(), "little")
    sign = 1 << 8 * size - 1
    return -(bits - sign) if bits & sign else bits


def float_expected(new, old, atol, rtol, nan_differs):
    n = bad = ulps = 0
    first, gaps, rels = None, [], []
    for i, (x, y) in enumerate(zip(new, old)):
        a, b = np.float64(x), np.float64(y)
        if a == b or (np.isnan(a) and np.isnan(b) and not nan_differs):
            continue
        finite = np.isfinite(a) and np.isfinite(b)
        with np.errstate(all="ignore"):
            gap = np.abs(a - b)
            if finite and gap <= np.float64(atol) + np.float64(rtol) * np.abs(b):
                continue
            if finite:
                gaps.append(gap)
                # the exact quotient where the difference is beyond a double
                rels.append(gap / np.abs(b) if np.isfinite(gap) else
                            np.float64(abs(Fraction(float(a)) - Fraction(float(b))) / abs(Fraction(float(b)))))
                ulps = max(ulps, abs(ordered(x) - ordered(y)))
        n += 1
        bad += not finite
        first = i if first is None else first
    if not gaps:
        return n, bad, first, None, None, None
    return n, bad, first, float(max(gaps)).hex(), float(max(rels)).hex(), ulps


def complex_expected(new, old, atol, rtol, nan_differs):
    n = bad = 0
    first, gaps, rels = None, [], []
    for i, (x, y) in enumerate(zip(new.astype(np.complex128), old.astype(np.complex128))):
        if x == y or (np.isnan(x) and np.isnan(y) and not nan_differs):
            continue
        finite = np.isfinite(x) and np.isfinite(y)
        with np.errstate(all="ignore"):
            gap = np.abs(x - y)
            if finite and gap <= atol + rtol * np.abs(y):
                continue
            if finite:
                gaps.append(gap)
                rels.append(np.float64(gap) / np.abs(y))
        n += 1
        bad += not finite
        first = i if first is None else first
    if not gaps:
        return n, bad, first, None, None, None
    return n, bad, first, float(max(gaps)).hex(), float(max(rels)).hex(), None


def int_expected(new, old, atol, rtol):
    n, first, gap, rel = 0, None, None, None
    for i, (x, y) in enumerate(zip(new.tolist(), old.tolist())):
        d = abs(x - y)
        if d == 0 or Fraction(d) <= Fraction(atol) + Fraction(rtol) * abs(y):
            continue
        n += 1
        first = i if first is None else first
        gap = d if gap is None else max(gap, d)
        r = Fraction(d, abs(y)) if y else None
        if rel != "inf":
            rel = "inf" if r is None else r if rel is None else max(rel, r)
    if gap is None:
        return n, 0, first, None, None, None
    return n, 0, first, gap, "inf" if rel == "inf" else float(rel).hex(), None


def same_expected(new, old):
    differ = [i for i, (x, y) in enumerate(zip(new, old)) if x != y]
    return len(differ), 0, differ[0] if differ else None, None, None, None


def other_bits(new, old):
    """Floats that are equal, or both NaN, whose bytes differ."""
    if not isinstance(new, np.ndarray) or np.issubdtype(new.dtype, np.integer) or new.dtype == np.bool_:
        return 0
    same = (new == old) | ((new != new) & (old != old))
    return sum(bool(same[i]) and new[i].tobytes() != old[i].tobytes() for i in range(len(new)))


def show(value):
    return "-" if value is None else str(value)


def put(dtype, new, old, atol, rtol, nan_differs, expected, text=None):
    a, b = text if text else (new.tobytes().hex(), old.tobytes().hex())
    print(dtype, len(new), repr(float(atol)), repr(float(rtol)), int(nan_differs), "=" + a, "=" + b, *map(show, expected), other_bits(new, old))


def floats(name, kind, new, old, **how):
    atol, rtol, nan = how.get("atol", 0), how.get("rtol", 0), how.get("nan", False)
    new, old = np.asarray(new).astype(kind), np.asarray(old).astype(kind)
    put(name, new, old, atol, rtol, nan, float_expected(new, old, atol, rtol, nan))


def up(array, steps):
    """Each element that many floats further from zero."""
    kind = np.dtype("u%d" % array.dtype.itemsize)
    return (array.view(kind) + kind.type(steps)).view(array.dtype)


def all_floats():
    special = np.array([0, -0.0, np.nan, np.inf, -np.inf, 1, -1, 2], np.float64)
    grid = np.array(np.meshgrid(special, special)).reshape(2, -1)
    for name, kind in FLOATS.items():
        base = rng.normal(size=16).astype(kind)
        floats(name, kind, base, base)
        for steps in (1, 2, 3):
            new = base.copy()
            new[7:10] = up(base, steps)[7:10]
            floats(name, kind, new, base)
        for part in (1e-6, 1e-3, 0.01, 0.1):
            new = base.copy()
            new[[3, 15]] = (base.astype(np.float64)[[3, 15]] * (1 + part)).astype(kind)
            floats(name, kind, new, base)
            for rtol in (part / 2, part * 1.5):
                floats(name, kind, new, base, rtol=rtol)
            floats(name, kind, new, base, atol=0.05)
            floats(name, kind, new, base, atol=1e-4, rtol=part / 4)
        floats(name, kind, grid[0], grid[1])
        floats(name, kind, grid[0], grid[1], nan=True)
        floats(name, kind, grid[0], grid[1], atol=1.5)
        floats(name, kind, grid[0], grid[1], atol=float("inf"))
        floats(name, kind, rng.normal(size=12), rng.normal(size=12))
        floats(name, kind, [], [])
    for name in ("float16", "float32", "float64"):
        kind = FLOATS[name]
        top, tiny = np.finfo(kind).max, np.finfo(kind).smallest_subnormal
        floats(name, kind, np.array([top, -top, tiny, -tiny, 0], kind), np.array([-top, top, -tiny, 0, tiny], kind))
        floats(name, kind, np.array([top, tiny], kind), np.array([np.nextafter(top, kind(0)), 2 * tiny], kind))


def all_ints():
    for name, kind in INTS.items():
        low, top = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
        base = np.array([random.randint(low, top) for _ in range(12)], kind)
        new = base.copy()
        new[4] = base[4] ^ kind(1)
        cases = [(base, base), (new, base), (np.array([top, low, 0], kind), np.array([low, top, 1], kind)),
                 (np.array([1, 5, 0], kind), np.array([0, 5, 0], kind)),
                 (np.array([top, top - 1], kind), np.array([top - 1, top], kind)),
                 (np.array([top, low + 3, 7], kind), np.array([top - 1, low, 5], kind)),
                 (np.array([random.randint(low, top) for _ in range(12)], kind), base)]
        for a, b in cases:
            for atol, rtol in ((0, 0), (1, 0), (2.5, 0), (0, 0.25), (1, 0.5), (1e30, 0)):
                put(name, a, b, atol, rtol, False, int_expected(a, b, atol, rtol))


def narrow_ints():
    """In a byte each; only the low bits count."""
    for name, bits, signed in (("int4", 4, True), ("uint4", 4, False), ("int2", 2, True), ("uint2", 2, False)):
        raw = [np.array([random.randrange(256) for _ in range(12)], np.uint8) for _ in range(2)]
        value = [(r & ((1 << bits) - 1)).astype(np.int64) for r in raw]
        if signed:
            value = [np.where(v >> (bits - 1), v - (1 << bits), v) for v in value]
        put(name, raw[0], raw[1], 0, 0, False, int_expected(value[0], value[1], 0, 0))
        put(name, raw[0], raw[1], 1, 0, False, int_expected(value[0], value[1], 1, 0))


def all_complexes():
    parts = [0.0, -0.0, 1.0, np.nan, np.inf, -np.inf]
    special = np.array([complex(a, b) for a in parts for b in parts])
    for name, kind in COMPLEXES.items():
        base = (rng.normal(size=8) + 1j * rng.normal(size=8)).astype(kind)
        new = base.copy()
        new[3] = base[3] * kind(1 + 1e-3)
        new[7] = base[7].conj()
        for a, b in ((base, base), (new, base), (base[::-1].copy(), base),
                     (special.astype(kind), np.roll(special, 1).astype(kind)),
                     (special.astype(kind), special.astype(kind))):
            for how in ((0, 0, False), (0, 0, True), (1e-2, 0, False), (0, 1e-2, False)):
                put(name, a, b, *how, complex_expected(a, b, *how))


def the_rest():
    a = np.array([0, 1, 1, 0, 1], np.uint8)
    b = np.array([0, 1, 0, 1, 1], np.uint8)
    put("bool", a, b, 0, 0, False, same_expected(a, b))
    put("bool", a, b, 5, 5, True, same_expected(a, b))
    put("bool", a, a, 0, 0, False, same_expected(a, a))
    for new, old in ((["a", "bc", "d"], ["a", "bd", "d"]), (["a", "b"], ["a", "b"]), (["a", "b", "c"], ["", "bb", "c"])):
        put("string", new, old, 1, 1, True, same_expected(new, old), (",".join(new), ",".join(old)))


all_floats()
all_ints()
narrow_ints()
all_complexes()
the_rest()
