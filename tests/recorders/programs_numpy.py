"""Programs of NumPy: see programs.py."""

PRELOAD = ["numpy"]

BEGIN = '''
import contextlib
import numpy as np
class Plain:
    record = staticmethod(lambda name, array: array)
    step = contextlib.nullcontext
recorder = Plain()
#: import record_numpy
#: recorder = record_numpy.Recorder("$OUT")
record = recorder.record
x = np.arange(6.0).reshape(2, 3)
'''


def whole(name, source, **row):
    return dict({"recorder": "numpy", "api": True}, name=name, source=BEGIN + source, **row)


def step(name, source, **row):
    """A program of two steps."""
    lines = "".join("        " + line + "\n" for line in source.strip().splitlines())
    return whole(name, "for _ in range(2):\n    with recorder.step():\n" + lines,
                 **dict({"runs": 2}, **row))


ROWS = [
    whole("steps", '''
for i in range(3):
    with recorder.step() as it:
        print(record("h", x * i) is None, it is None if i > 9 else i)
''', runs=3, holds=["h"], lines={"h": 'record("h", x * i)'}),
    step("same_object", "y = record('y', x)\nprint(y is x, record('l', [1, 2]), record('n', None))",
         holds=["y", "l"], left_out=["n: TypeError: object"]),
    step("same_name", "for n in ('a', 'a#2', 'a', 'a'): record(n, x)", holds=["a", "a#2", "a#3"]),
    step("kinds", '''
for t in "? b B h H i I l L e f d F D".split(): record("t" + t, np.ones(2, t))
record("big", np.ones(2, ">f4")), record("long", np.ones(2, "g")), record("text", np.array(["ab"]))
record("scalar", 2.5), record("int", 3), record("zero_d", np.float32(1))
''', holds=["t?", "tD", "te", "big", "long", "text", "scalar", "int", "zero_d"]),
    step("odd_kinds", '''
record("x", x), record("o", np.array([1, None], object))
record("date", np.array(["2020-01-01"], "M8[D]"))
record("r", np.array([(1, 2.0)], [("a", "i4"), ("b", "f4")])), record("v", np.zeros(2, "V4"))
record("ragged", [[1, 2], [3]]), record("generator", (i for i in range(3))), record("dict", {1: 2})
print("end")
''', holds=["x"], left_out=["o: ", "date: ", "r: ", "v: ", "ragged: ", "generator: ", "dict: "]),
    step("generator_is_whole", "g = (i for i in range(3))\nrecord('x', x)\nrecord('g', g)\n"
         "print(list(g))", left_out=["g: "]),
    step("masked", "m = np.ma.masked_invalid([1, np.nan])\nprint(record('m', m) is m, m)",
         holds=["m", "m.mask"]),
    step("layouts", '''
record("strided", x[:, ::2]), record("reversed", x[::-1]), record("fortran", np.asfortranarray(x))
record("broadcast", np.broadcast_to(x, (4, 2, 3))), record("empty", np.zeros((0, 3)))
record("read_only", np.frombuffer(b"12345678", "u1"))
class Sub(np.ndarray): pass
s = record("sub", x.view(Sub))
print(type(s).__name__, record("matrix", np.asmatrix(x)).shape)
''', holds=["strided", "reversed", "fortran", "broadcast", "empty", "read_only", "sub", "matrix"]),
    step("changed_later", "y = x.copy()\nrecord('y', y)\ny[:] = 0\nrecord('z', y)\nprint(y)",
         holds=["y", "z"], check=lambda directory: None if __import__("numpy").load(
             directory + "/step_0/y.npy").sum() == 15 else "y has changed"),
    step("odd_names", '''
for n in ("../../up", "/abs/olute", "", ".", "a/./b/../c", ".hidden", "nul\\0", "blank and\\nline",
          "\\u20ac", "\\udc80", "*?[", "-x", "x" * 300, 3, "a.npy", "a.npy/b", "a"):
    record(n, x)
import os
print(os.path.exists("/abs"), os.path.exists("../up.npy"), os.path.exists("../../up.npy"))
''', holds=["x" * 191 + "~1b432d13", "abs/olute", "_.hidden", "3", "a.npy", "-x"],
         left_out=["a: IsADirectoryError"]),
    step("files_in_the_way", "record('a.npy/b', x), record('a', x), record('a', x)\nprint(1)",
         holds=["a.npy/b", "a#2"], left_out=["a: IsADirectoryError"]),
    step("errors_raised", '''
np.seterr(all="raise")
import warnings
warnings.simplefilter("error")
record("nan", np.array([np.nan, np.inf, 1e300])), record("long", np.array([np.nan], "g"))
''', holds=["nan", "long"]),
    whole("unwritable", '''
#: recorder = record_numpy.Recorder("/dev/null/no")
for i in range(2):
    with recorder.step(): print(recorder.record("x", x))
''', nothing=True),
    whole("unlisted", '''
#: import os
#: def no(*path): raise PermissionError("not to be listed")
#: os.makedirs("$OUT")
#: os.listdir = no
#: recorder = record_numpy.Recorder("$OUT")
with recorder.step(): print(recorder.record("x", x))
''', runs=1, holds=["x"]),
    step("wordless", '''
class Odd:
    def __str__(self): raise ValueError("no words")
print(record(Odd(), x) is x)
record("x", x)
''', holds=["x"], left_out=["(Odd): ValueError: no words"]),
    whole("unreadable_source", '''
import other
#: import builtins
#: opened = open
#: def no(path, *how, **named):
#:     if str(path).endswith("other.py"): raise PermissionError("not to be read")
#:     return opened(path, *how, **named)
#: builtins.open = no
with recorder.step(): print(other.f(record, x))
''', runs=1, files={"other.py": "def f(record, x):\n    return record('x', x)\n"},
          lines={"x": "other.py:2 f"},
          check=lambda directory: None if "program.py" in str(list(__import__("json").load(
              open(directory + "/stacks.json"))["sources"])) else "no text of program.py"),
    whole("second_recording", '''
#: import os
#: os.makedirs("$OUT/step_1")
for i in range(2):
    with recorder.step(): record("x", x)
''', runs=2, holds=["x"], said="already holds recorded steps: what is not recorded anew stays\n"),
    whole("first_is_late", '''
#: recorder = record_numpy.Recorder("$OUT", first=3)
for i in range(3):
    with recorder.step(): recorder.record("x", x)
''', nothing=True, said="no step was recorded: the program had 3 steps, first is 3\n"),
    whole("raises", '''
with recorder.step():
    record("x", x)
    raise ValueError("mine")
''', status=1, stderr="ValueError: mine", runs=1, holds=["x"]),
    whole("exits", "import sys\nwith recorder.step():\n    record('x', x)\n    sys.exit(3)\n",
          status=3, runs=1, holds=["x"]),
    whole("nested", '''
with recorder.step():
    with recorder.step(): record("x", x)
    record("y", x)
''', runs=1, holds=["x", "y"],
          left_out=["step: within another"]),
    whole("decorated", '''
#: @recorder.step()
def train(i): return record("h", x * i)
print(train(1), train(2))
''', runs=2, holds=["h"]),
    whole("outside", "print(record('x', x))\n", nothing=True, left_out=["record: no step() was begun"]),
    whole("kept", '''
#: recorder = record_numpy.Recorder("$OUT", first=1, every=2, count=None, keep=2, rank=0)
for i in range(9):
    with recorder.step(): recorder.record("x", x * i)
''', runs=2, holds=["x"]),
    whole("threads", '''
import threading
with recorder.step():
    threads = [threading.Thread(target=record, args=("t", x)) for _ in range(8)]
    for t in threads: t.start()
    for t in threads: t.join()
''', runs=1, holds=["t", "t#8"], lacks=["t#9"]),
    step("array_protocol", """
class Made:
    def __array__(self, dtype=None, copy=None): return record("inner", x)
print(type(record("outer", Made())).__name__)
""", holds=["inner", "outer"]),
    whole("copied", '''
import copy, pickle
class Model: pass
model = Model()
model.recorder = recorder
copy.deepcopy(model), pickle.dumps(recorder)
np.random.seed(0)
with recorder.step(): record("x", x)
print(np.random.rand())
''', runs=1, holds=["x"]),
    whole("one_step", '''
with recorder.step():
    with np.errstate(all="ignore"): record("log", np.log(x))
    record("loss", np.float64(1))
''', origin="log", lines={"log": 'record("log"'}),
    step("long_names", "record('n' * 300, x); record('a/' * 60 + 'z', x); record('a/b/c/d/e/f/g', x); print(1)",
         holds=["n" * 191 + "~a737cd99", "a/a/a/a/a/a/" + "a_" * 54 + "z", "a/b/c/d/e/f/g"]),
]
