"""Records arrays by name and step, of any program that has them as NumPy arrays or can make such.

    import record_numpy
    recorder = record_numpy.Recorder("/tmp/arrays", first=0, count=20)
    for batch in batches:
        with recorder.step():
            recorder.record("hidden", hidden)    # then: tensordbg /tmp/arrays

Each array is written at once, as step_N/NAME.npy (a slash in a name is a directory); the second one
of a name in a step is NAME#2. tensordbg lists them in the order in which they were recorded. Types
that NumPy itself does not have, such as bfloat16, are recorded as float32, longdouble as float64;
the mask of a masked array as NAME.mask. stacks.json says from which lines of the program they came.
What can't be recorded (objects, dates, records) is left out, never the program stopped: one line on
stderr, and all of it in left_out.json.

first, every, count choose the steps that are recorded, from 0 on; count=None: all. keep=5: only
the newest five stay on disk, for a NaN that comes late. rank=K, of several processes that record
the same: step_N/rankK/NAME.npy.
"""
import atexit
import contextlib
import functools
import glob
import json
import linecache
import os
import shutil
import sys
import sysconfig
import threading
import zlib
import time

try:
    import numpy as np
except ImportError as why:
    raise ImportError("record_numpy needs NumPy (%s)" % why)


# include part_steps.py


# include part_left_out.py


# include part_lines.py


# include part_step.py


lock = threading.RLock()             # an array may be made by what records too


DEEPEST, LONGEST = 6, 200            # directories that tensordbg looks into; bytes of a file's name


def shortened(part):
    """As it is, or its beginning and a number that other names do not have."""
    whole = part.encode()
    if len(whole) <= LONGEST:
        return part
    return "%s~%08x" % (whole[:LONGEST - 9].decode("utf-8", "ignore"), zlib.crc32(whole))


def place_of(name):
    """The name as a path that stays in its directory."""
    name = str(name).replace("\0", "\\0").encode("utf-8", "backslashreplace").decode()
    parts = [shortened(part) for part in name.split("/") if part not in ("", ".")]
    parts[DEEPEST:] = [shortened("_".join(parts[DEEPEST:]))] if parts[DEEPEST:] else []
    return "/".join("_" * part.startswith(".") + part for part in parts) or "_"


class Recorder(Stepping):
    def __init__(self, directory, rank=None, **steps):
        self.root = os.path.abspath(os.path.expanduser(directory))
        self.made = functools.partial(type(self), self.root, rank, **steps)
        self.rank = "" if rank is None else "rank%d" % rank
        self.steps = Steps(**steps)
        self.left_out = LeftOut(self.root, self.steps, functools.partial(int, rank or 0))
        self.directory = None          # of the step; None: it is not recorded
        self.last_us, self.times = 0, {}
        self.lines = Lines(self.root, np)
        atexit.register(self.finish)

    def begin_recorded(self):
        step = os.path.join(self.root, "step_%d" % self.steps.number)
        directory = os.path.join(step, self.rank)
        self.left_out.note_older("step_*/" + self.rank)
        os.makedirs(directory, exist_ok=True)
        self.directory, self.times = directory, {}
        self.steps.add(step)

    def end_recorded(self):
        directory, self.directory = self.directory, None
        if directory and self.rank in ("", "rank0"):
            self.lines.write()

    def record(self, name, array):
        """Writes the array, if this step is recorded. Returns it as it came."""
        self.asked = True
        if self.directory is not None:
            with self.left_out.guard(name), np.errstate(all="ignore"), lock:
                self.put(place_of(name), np.asarray(array))
                if isinstance(array, np.ma.MaskedArray):
                    self.put(place_of(name) + ".mask", np.ma.getmaskarray(array))
        return array

    def put(self, name, array):
        value, kind = array, array.dtype
        if kind.isbuiltin == 2:
            value = value.astype(np.float32)
        elif kind.kind in "fc" and kind.itemsize > (8 if kind.kind == "f" else 16):
            value = value.astype(np.float64 if kind.kind == "f" else np.complex128)
            if (np.isfinite(value) != np.isfinite(array)).any():
                raise ValueError("%s: beyond float64" % kind)
        elif kind.kind not in "biufcSU":
            raise TypeError("%s is not recorded" % kind)
        n = self.times[name] = self.times.get(name, 0) + 1
        while n > 1 and "%s#%d" % (name, n) in self.times:
            n = self.times[name] = n + 1
        name = name if n == 1 else "%s#%d" % (name, n)
        self.times[name] = self.times.get(name, 1)
        self.lines.add(name, "array")
        path = os.path.join(self.directory, name) + ".npy"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            with open(path + ".part", "wb") as out:
                np.save(out, value, allow_pickle=False)
            # files say in which order they were made by their times, which systems count coarsely
            self.last_us = max(self.last_us + 1, time.time_ns() // 1000)
            os.utime(path + ".part", ns=(self.last_us * 1000, self.last_us * 1000))
            os.replace(path + ".part", path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.remove(path + ".part")
            raise


if __name__ == "__main__":
    raise SystemExit("record_numpy is no wrapper: your program imports it, as its first lines show")
