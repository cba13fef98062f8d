"""Records arrays by name and step, of any program that has them as NumPy arrays or can make such.

    import record_numpy
    recorder = record_numpy.Recorder("/tmp/arrays", first=0, count=20)
    for batch in batches:
        with recorder.step():
            recorder.record("hidden", hidden)    # then: tensordbg /tmp/arrays

Each array is written at once, as step_N/NAME.npy (a slash in a name is a directory); the second one
of a name in a step is NAME#2. tensordbg lists them in the order in which they were recorded. Types
that NumPy itself does not have, such as bfloat16, are recorded as float32. stacks.json says from
which lines of the program they came.

first, every, count choose the steps that are recorded, from 0 on; count=None: all. keep=5: only
the newest five stay on disk, for a NaN that comes late. rank=K, of several processes that record
the same: step_N/rankK/NAME.npy.
"""
import contextlib
import json
import linecache
import os
import shutil
import sys
import sysconfig
import time

try:
    import numpy as np
except ImportError as why:
    raise ImportError("record_numpy needs NumPy (%s)" % why)


# include part_steps.py


# include part_lines.py


class Recorder:
    def __init__(self, directory, rank=None, **steps):
        self.root = os.path.abspath(os.path.expanduser(directory))
        self.rank = "" if rank is None else "rank%d" % rank
        self.steps = Steps(**steps)
        self.directory = None          # of the step; None: it is not recorded
        self.last_us = 0
        self.lines = Lines(self.root, np)

    @contextlib.contextmanager
    def step(self):
        """What is recorded within it belongs to one step."""
        if self.steps.next():
            step = os.path.join(self.root, "step_%d" % self.steps.number)
            self.directory, self.times = os.path.join(step, self.rank), {}
            os.makedirs(self.directory, exist_ok=True)
            self.steps.add(step)
        try:
            yield self
        finally:
            if self.directory and self.rank in ("", "rank0"):
                self.lines.write()
            self.directory = None

    def record(self, name, array):
        """Writes the array, if this step is recorded. Returns it as it came."""
        if self.directory is None:
            return array
        value = np.asarray(array)
        if value.dtype.kind == "V" and not value.dtype.names:
            value = value.astype(np.float32)
        n = self.times[name] = self.times.get(name, 0) + 1
        name = name if n == 1 else "%s#%d" % (name, n)
        self.lines.add(name, "array")
        path = os.path.join(self.directory, name) + ".npy"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        np.save(path, value)
        # files say in which order they were made by their times, which systems count coarsely
        self.last_us = max(self.last_us + 1, time.time_ns() // 1000)
        os.utime(path, ns=(self.last_us * 1000, self.last_us * 1000))
        return array
