"""Records the runs of a tf.estimator.Estimator.

    import record_estimator
    record_estimator.attach(estimator, "/tmp/dumps", first=100, count=20)
    ...                                # train, evaluate, predict as before;
                                       # then: tensordbg /tmp/dumps/train

Or, without a change to the program:
    python record_estimator.py --out /tmp/dumps --count 20 train.py ARGUMENTS

What is recorded lies below train, evaluate and predict; each has steps of its own, counted from 0
when train() and so on are called first. A run that is recorded leaves a directory run_TIME_NUMBER
with the values of all tensors that were computed, the graph as it was run, and the names of what
was fetched. graph.pb beside them is the whole graph, stacks.json says which line of the program
made each node.

first, every, count choose the calls of run() that are recorded; count=None: all. keep=5: only the
newest five stay on disk, for a NaN that comes late. Hook(DIRECTORY, ...) is a single one, for
estimator.train(hooks=[...]).
"""
import argparse
import atexit
import functools
import glob
import inspect
import itertools
import json
import linecache
import os
import runpy
import shutil
import sys
import sysconfig
import threading
import time
import types

try:
    import tensorflow as tf
    from tensorflow.core.util import event_pb2
    from tensorflow.python.debug.lib import debug_utils
    from tensorflow.python.framework import ops
    tf.estimator.Estimator
except (ImportError, AttributeError) as why:
    raise ImportError("record_estimator needs TensorFlow with tf.estimator, 1.15 (%s)" % why)


# include part_left_out.py


# include part_steps.py


# include part_ours.py


# include part_stacks.py


# include part_runs.py


# include part_hook.py


def attach(estimator, directory, **steps):
    """The estimator's methods take a hook of their own, beside those they are given."""
    for name in ("train", "evaluate", "predict"):
        method = getattr(estimator, name)
        hooked = with_hook(getattr(method, "__func__", method), directory, **steps)
        # a method, not a function: a copy of the estimator trains itself
        setattr(estimator, name, types.MethodType(hooked, estimator)
                if inspect.ismethod(method) else hooked)


def with_hook(method, directory, **steps):
    hook = Hook(os.path.join(directory, method.__name__), **steps)
    parameters = inspect.signature(method)

    @functools.wraps(method)
    def hooked(*arguments, **named):
        with hook.runs.left_out.guard(method.__name__):
            given = parameters.bind(*arguments, **named)
            given.arguments["hooks"] = list(given.arguments.get("hooks") or []) + [hook]
            arguments, named = given.args, given.kwargs
        return method(*arguments, **named)

    return hooked


def record(directory, **steps):
    """Every Estimator that is made from now on is recorded."""
    plain = tf.compat.v1.estimator.Estimator.__init__

    @functools.wraps(plain)
    def init(estimator, *arguments, **named):
        plain(estimator, *arguments, **named)
        attach(estimator, directory, **steps)

    tf.compat.v1.estimator.Estimator.__init__ = init


# include part_script.py


if __name__ == "__main__":
    run_script(record, first=0, every=1, count=20, keep=0)
