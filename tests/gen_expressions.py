#!/usr/bin/env python3
"""Makes testdata/expressions.jsonl: what numpy answers to random expressions.

    NPY_DISABLE_CPU_FEATURES="$(...)" python3 tests/gen_expressions.py [--seed N] [--count N] > FILE

Wants numpy 1.26.4 (python3 -m venv DIR; DIR/bin/pip install numpy==1.26.4); not part of `make test`, which only
replays the file. All CPU features beyond the baseline must be off, or sums and functions differ in the last digit:
without the variable the script sets it and starts itself again.

The first lines are the arrays: name, dtype, shape, elements in hex, over and over until there are enough. Then one line a case, those that are always asked first: e is the expression (names
of arrays in backticks), r what repr() says, or x the class of the exception. t: how far numbers may be apart,
relative to the larger, where elementary functions or products of matrices are involved (2 ulp of their type).
"""
import argparse
import json
import os
import random
import re
import sys
import warnings

import numpy as np

if "NPY_DISABLE_CPU_FEATURES" not in os.environ:
    from numpy.core._multiarray_umath import __cpu_dispatch__, __cpu_features__
    names = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    os.environ["NPY_DISABLE_CPU_FEATURES"] = " ".join(names)
    os.execv(sys.executable, [sys.executable] + sys.argv)

ARRAYS = {
    "f": np.array([[1, -2.5, 0.1], [np.nan, np.inf, -0.0]], np.float32),
    "g": (np.arange(20).reshape(4, 5) * 37 % 23 / 7 - 1.1).astype(np.float32),
    "r": (np.arange(24).reshape(2, 3, 4) * 11 % 29 / 3).astype(np.float32),
    "v": np.array([3.25, -1.5, 0.75, 9.125, -4.0625, 2.2, 7.7], np.float32),
    "d": np.array([0.1, 2, -3, 1e5, 4.75, 1 / 3]),
    "D": np.arange(12).reshape(3, 4) * 0.37 - 2,
    "p": np.array([[0.1, 0.7, 0.2], [0.25, 0.5, 0.25]], np.float32),
    "h": np.array([0.1, 1000, -2, 0.5], np.float16),
    "i": np.array([[-3, -2, -1], [0, 1, 2]], np.int32),
    "n": np.array([[5, 1, 4], [2, 8, 0], [7, 3, 6]], np.int32),
    "b": np.array([-128, 127, 5], np.int8),
    "u": np.array([0, 200, 255], np.uint8),
    "l": np.array([1, -2, 1 << 40], np.int64),
    "w": np.array([0, 1, (1 << 64) - 1], np.uint64),
    "z": np.array([0, 1, 1, 3, 2, 1, 7], np.int64),
    "t": np.array([True, False, True]),
    "m": np.array([[True, False, True], [False, False, True]]),
    "c": np.array([1 + 2j, 0.5 - 1j, -3j, 2], np.complex64),
    "C": np.array([[1 + 2j, 3], [0, -1j]]),
    "s": np.array(0.1, np.float32),
    "k": np.array(7, np.int32),
    "e": np.zeros((0, 3), np.float32),
    "o": np.array([[1.5]], np.float32),
    "y": np.array([[[1, 2]], [[3, 4]]], np.int16),
    "N": np.array([[1, np.nan, 3], [np.nan, np.nan, np.nan], [4, 5.5, -6]]),
    "L": np.resize(((np.arange(211) * 7919 % 1007) / 7).astype(np.float32), (130, 150)),
}
PERIODS = {"L": 211}

APPROXIMATE = re.compile(
    r"\b(exp2?|expm1|log\w*|sqrt|cbrt|a?sinh?|a?cosh?|a?tanh?|arc\w+|hypot|power|linalg|norm|dot|matmul|inner|nan(std|var)|"
    r"std|var|angle|degrees|radians)\(|@|\*\*")


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def any_of(self, *words):
        return self.random.choice(words)

    def array(self):
        names = "f g r v d D p h i n b u l w z t m c C s k e o y N".split()
        return "`%s`" % self.random.choice(names)

    def real(self):
        return "`%s`" % self.any_of(*"f g r v d D p h i n b u l z s k o y N".split())

    def good(self):
        """Distinct finite numbers."""
        return "`%s`" % self.any_of(*"g v d D n h p r".split())

    def number(self):
        return self.any_of("0", "1", "2", "3", "-1", "7", "0.5", "1.5", "-2.25", "1e3", "200", "70000", "True", "1e-3")

    def axis(self):
        return self.any_of("", "", ", axis=0", ", axis=1", ", axis=-1", ", 0", ", axis=None", ", axis=(0, 1)")

    def one_axis(self):
        return self.any_of("", "", ", axis=0", ", axis=1", ", axis=-1", ", axis=None")

    def keep(self):
        return self.any_of("", "", "", ", keepdims=True")

    def dtype(self):
        return self.any_of("np.float32", "np.float64", "np.int32", "np.int64", "np.uint8", "np.int8", "np.float16",
                           "bool", "float", "int", "'float32'", "'i4'", "np.complex64", "np.uint16")

    def index(self):
        r = self.any_of
        one = lambda: r("0", "1", "-1", ":", "::2", "::-1", "1:", ":-1", "...", "None", "np.newaxis", "[0, 1]", "[1, 0, 1]",
                        "[True, False, True]", "`z`[:2]", "`t`", "[[0, 1], [1, 0]]", "2", ":2")
        return ", ".join(one() for _ in range(r(1, 1, 2, 2, 3)))

    def expression(self, depth):
        r = self.any_of
        if depth <= 0:
            return self.array() if r(0, 0, 1) else self.number() if r(0, 0, 0, 1) else self.real()
        sub = lambda: self.operand(depth - 1)
        kind = self.random.randrange(24)
        if kind < 3:
            return "%s %s %s" % (self.bracket(sub()), r(*"+ - * / // % ** < <= > >= == != & | ^ << >> @".split()),
                                 self.bracket(sub()))
        if kind == 3:
            return r("-", "~", "+", "not ") + self.bracket(sub())
        if kind == 4:
            return "np.%s(%s)" % (r(*"""abs absolute negative positive isnan isinf isfinite sqrt square exp log sign exp2
                expm1 log2 log10 log1p cbrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh floor ceil rint trunc
                fabs conj degrees radians signbit logical_not real imag invert""".split()), sub())
        if kind == 5:
            return "np.%s(%s, %s)" % (r(*"""add subtract multiply divide floor_divide mod power maximum minimum fmax fmin
                fmod arctan2 hypot copysign logaddexp logical_and logical_or logical_xor greater less equal not_equal
                bitwise_and bitwise_or left_shift right_shift""".split()), sub(), sub())
        if kind < 9:
            name = r(*"sum prod mean std var min max amin amax any all argmax argmin count_nonzero ptp".split())
            a = self.axis() if name not in ("argmax", "argmin") else self.one_axis()
            more = self.keep()
            if name in ("std", "var"):
                more += r("", "", ", ddof=1")
            if name in ("sum", "mean", "prod"):
                more += r("", "", "", ", dtype=" + r("np.float64", "np.float32", "np.int64"))
            if r(0, 1) and name not in ("amin", "amax", "count_nonzero"):
                return "%s.%s(%s)" % (self.bracket(sub()), name, (a + more)[2:])
            return "np.%s(%s%s%s)" % (name, sub(), a, more)
        if kind == 9:
            name = r(*"nansum nanmean nanstd nanvar nanmin nanmax nanprod nanargmax nanargmin nanmedian".split())
            return "np.%s(%s%s)" % (name, r(self.real(), "`N`", "`f`", sub()), self.axis() if "arg" not in name
                                    else self.one_axis())
        if kind == 10:
            name = r("percentile", "percentile", "nanpercentile", "quantile", "median")
            if name == "median":
                return "np.median(%s%s%s)" % (self.real(), self.axis(), self.keep())
            q = r("50", "[25, 75]", "90", "0", "100", "33.3") if "per" in name else r("0.5", "[0.1, 0.9]", "0.99")
            return "np.%s(%s, %s%s%s%s)" % (name, self.real(), q, self.one_axis(), self.keep(),
                                            r("", "", "", ", method='lower'", ", method='nearest'", ", method='midpoint'",
                                              ", method='higher'"))
        if kind == 11:
            return r("np.sort(%s%s)" % (self.real(), self.one_axis()), "np.argsort(%s%s)" % (self.good(), self.one_axis()),
                     "np.unique(%s%s)" % (self.array(), r("", "", ", return_counts=True", ", return_inverse=True",
                                                          ", return_index=True")),
                     "np.searchsorted(np.sort(`v`), %s%s)" % (self.real(), r("", ", side='right'")),
                     "np.digitize(%s, [-1, 0, 2.5])" % self.real())
        if kind == 12:
            return r("np.histogram(%s%s)" % (self.real(), r("", ", 4", ", bins=3", ", bins=[0, 1, 2.5, 8]", ", range=(0, 3)",
                                                            ", 5, (-1.5, 2)", ", density=True")),
                     "np.bincount(%s%s)" % (r("`z`", "`u`", "`k`", "`t`", "`i`.ravel()"), r("", ", minlength=12",
                                                                                         ", weights=`v`")))
        if kind == 13:
            return r("np.nonzero(%s)", "np.argwhere(%s)", "np.flatnonzero(%s)", "np.where(%s)", "%s.nonzero()") % \
                self.bracket(sub())
        if kind == 14:
            return "np.where(%s, %s, %s)" % (r("`m`", "`t`", self.real() + " > 0", sub()), sub(), sub())
        if kind < 17:
            return "%s[%s]" % (self.bracket(sub()), r(self.index(), self.index(), self.real() + " > 0", "`m`"))
        if kind == 17:
            name = r(*"ravel flatten squeeze tolist item cumsum cumprod copy transpose".split())
            if name in ("cumsum", "cumprod"):
                return "%s.%s(%s)" % (self.bracket(sub()), name, self.one_axis()[2:])
            return "%s.%s()" % (self.bracket(sub()), name)
        if kind == 18:
            return "%s.%s" % (self.bracket(sub()), r("T", "shape", "size", "ndim", "dtype", "nbytes", "itemsize", "real",
                                                     "imag", "shape[0]", "shape[-1]", "astype(%s)" % self.dtype(),
                                                     "reshape(-1)", "reshape(-1, 1)", "reshape((1, -1))", "round(1)",
                                                     "clip(0, 2)", "dtype.name"))
        if kind == 19:
            return r("np.clip(%s, %s, %s)" % (sub(), self.number(), self.number()), "np.round(%s, %s)" % (
                sub(), r("0", "1", "2", "-1")), "np.nan_to_num(%s%s)" % (sub(), r("", "", ", nan=-1")),
                "np.isclose(%s, %s)" % (sub(), sub()), "np.allclose(%s, %s)" % (sub(), sub()),
                "np.array_equal(%s, %s)" % (sub(), sub()), "np.isin(%s, [0, 1, 2])" % sub(),
                "np.diff(%s%s)" % (sub(), self.one_axis().replace(", axis=None", "")))
        if kind == 20:
            a = self.array()
            return r("np.concatenate([%s, %s]%s)" % (a, r(a, sub()), self.one_axis()), "np.stack([%s, %s]%s)" % (
                a, r(a, sub()), r("", ", axis=1", ", axis=-1")), "np.vstack((%s, %s))" % (a, a), "np.hstack([%s, %s])" % (
                    a, a), "np.tile(%s, %s)" % (a, r("2", "(2, 1)")), "np.repeat(%s, 2%s)" % (a, self.one_axis()),
                "np.roll(%s, %s%s)" % (a, r("1", "-2"), self.one_axis()), "np.flip(%s%s)" % (a, self.one_axis()),
                "np.take(%s, [0, 1]%s)" % (a, self.one_axis()), "np.expand_dims(%s, %s)" % (a, r("0", "-1", "1")),
                "np.swapaxes(%s, 0, %s)" % (a, r("1", "-1")), "np.moveaxis(%s, 0, -1)" % a, "np.diag(%s)" % a,
                "np.trace(%s)" % a, "np.tril(%s)" % a, "np.triu(%s, 1)" % a, "np.outer(%s, %s)" % (sub(), sub()))
        if kind == 21:
            return r("np.arange(%s)" % r("5", "2, 9", "0, 1, 0.25", "10, 0, -3", "3.5", "`k`", "0"),
                     "np.linspace(%s)" % r("0, 1, 5", "-1, 2, 4", "0, 10, 3, dtype=int", "0, 1, 4, endpoint=False"),
                     "np.zeros(%s)" % r("3", "(2, 2)", "(2,), dtype=np.int32", "0"), "np.ones((2, 3), np.float32)",
                     "np.full((2, 2), %s)" % self.number(), "np.eye(%s)" % r("3", "2, 3", "3, k=1"),
                     "np.zeros_like(%s)" % self.array(), "np.ones_like(%s)" % self.array(),
                     "np.array([%s, %s])" % (self.number(), self.number()), "np.array([[1, 2], [3, %s]])" % self.number(),
                     "np.array(%s%s)" % (self.array(), r("", ", dtype=" + self.dtype())), "[%s, %s]" % (sub(), sub()),
                     "(%s, %s)" % (self.number(), sub()), "np.float32(%s)" % self.number(), "np.int8(%s)" % self.number())
        if kind == 22:
            return r("len(%s)", "abs(%s)", "max(%s)", "min(%s)", "sum(%s)", "float(%s)", "int(%s)", "bool(%s)",
                     "round(%s)") % sub()
        return r("np.linalg.norm(%s%s%s)" % (sub(), r("", "", ", 1", ", np.inf", ", ord=2", ", 'fro'", ", 0", ", 3"),
                                             r("", "", ", axis=0", ", axis=1")), "np.dot(%s, %s)" % (sub(), sub()),
                 "%s if %s else %s" % (self.bracket(sub()), self.bracket(sub()), self.bracket(sub())),
                 "%s and %s" % (self.bracket(sub()), self.bracket(sub())), "%s or %s" % (
                     self.bracket(sub()), self.bracket(sub())), "0 < %s < 2" % self.bracket(sub()),
                 "np.unravel_index(%s, (2, 3))" % r("4", "[1, 5]", "np.argmax(`i`)"), "`L`.sum()", "`L`.mean(axis=0)[:5]",
                 "`L`.T.sum(axis=%s)[:4]" % r("0", "1"), "np.sum(`L`[::-1])", "np.std(`L`)", "np.median(`L`)",
                 "np.percentile(`L`, [1, 99])", "np.histogram(`L`, 4)", "np.argmax(`L`)", "`L`[::2, 1::3].mean()",
                 "np.unique(`L`)[:5]", "np.cumsum(`L`)[-1]", "np.average(%s, weights=%s)" % (sub(), sub()))

    def operand(self, depth):
        """No list, no dtype: what Python does with them is another matter."""
        while True:
            text = self.expression(depth)
            try:
                value = evaluated(text)
            except Exception:
                value = None
            if not isinstance(value, (tuple, list, str, np.dtype)):
                return text

    def bracket(self, text):
        return text if re.fullmatch(r"`\w`|[\w.]+|np\.\w+\([^()]*\)", text) and not re.match(r"^[\d.]+$", text) \
            else "(%s)" % text


def tolerance(text, value):
    if not APPROXIMATE.search(text):
        return None
    kinds = set(re.findall(r"float16|float32|complex64", text + repr(value) + str(getattr(value, "dtype", ""))))
    small = any(name in text for name in ("`h`", "`b`", "`u`", "`t`", "`m`", "True"))
    if "float16" in kinds or small:
        return 2.5e-3
    if kinds or re.search("`[fgrvpcsoeyL]`|float32", text):
        return 3e-7
    return 1.2e-8 if isinstance(value, (np.ndarray, tuple, list)) else 5e-16


def evaluated(text):
    return eval(re.sub("`(.)`", r"\1", text), dict(ARRAYS, np=np))


def answer(text):
    try:
        value = evaluated(text)
        said = repr(value)
    except Exception as error:
        return {"e": text, "x": type(error).__name__}
    case = {"e": text, "r": said}
    t = tolerance(text, value)
    if t is not None:
        case["t"] = "%g" % t
    return case


def unwanted(text, case):
    """What expressions are not meant to say, or what is not the same everywhere."""
    said = case.get("r", "")
    nested = re.search(r"norm\(.*2\)", text)
    beyond = re.search(r"`w`.*(tolist|item)\(\)|\b(int|round|sum|max|min)\(.*`w`", text)
    return (nested or beyond or len(said) > 1500 or "object" in said or "<" in said or "str" in said or
            case.get("x") in ("MemoryError", "OverflowError", "UFuncTypeError", "_UFuncNoLoopError"))


# What chance finds too rarely.
ALWAYS = ("np.in1d(`f`, [0.1, 1])", "np.in1d(`s`, `f`)", "np.inner(`s`, `D`)", "np.inner(`D`, `k`)", "any(`t`)", "all(`t`)", "any(`m`)",
          "all(`s`)", "any(`e`)", "all([])", "any([0, `s`])", "all(`y`)", "any(`v`[:0])",
          # Numbers at the ends of types, indices and quantiles.
          "`b` + -128", "`b` + -129", "`b` + 127", "`b` + 128", "`u` + 255", "`u` + 256", "`u` + -1", "`h` + 65000.0", "`h` + 64999.0",
          "`v` * 3.4e38", "`v` * 3.3e38", "3**39", "2**62", "(-2)**63", "1 << 62", "-1 << 62", "np.ravel_multi_index((1, 2), (2, 3))",
          "np.ravel_multi_index((2, 0), (2, 3))", "np.ravel_multi_index((1, 3), (2, 3))", "np.unravel_index(5, (2, 3))",
          "np.unravel_index(6, (2, 3))", "'a' < 'ab'", "'ab' < 'a'", "b'a' < b'ab'", "np.percentile(`v`, 100)", "np.quantile(`v`, 1)",
          "np.quantile(`v`, 1.5)", "np.histogram(`z`, 3)[0]", "np.histogram(`z`, [0, 1, 7])[0]")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    np.set_printoptions(threshold=2000, linewidth=75)
    put = lambda line: print(json.dumps(line, separators=(",", ":")))
    for name, array in ARRAYS.items():
        put({"name": name, "dtype": array.dtype.name, "shape": list(array.shape), "hex": array.ravel()[:PERIODS.get(name)].tobytes().hex()})
    for text in ALWAYS:
        put(answer(text))
    maker, seen, errors = Maker(options.seed), set(), 0
    while len(seen) < options.count:
        text = maker.expression(maker.any_of(1, 1, 1, 2, 2, 3))
        if text in seen or len(text) > 300 or re.fullmatch(r"`\w`", text):
            continue
        case = answer(text)
        if unwanted(text, case) or ("x" in case and errors * 8 > len(seen)):
            continue
        errors += "x" in case
        seen.add(text)
        put(case)


if __name__ == "__main__":
    main()
