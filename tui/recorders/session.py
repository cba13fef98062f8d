"""Records the runs of a tf.compat.v1.Session.

    import record_session
    session = record_session.Session(session, "/tmp/dumps", first=0, count=20)
    ...                                # as before; then: tensordbg /tmp/dumps

Or, without a change to the program:
    python record_session.py --out /tmp/dumps --count 20 train.py ARGUMENTS

A run that is recorded leaves a directory run_TIME_NUMBER with the values of all tensors that were
computed, the graph as it was run, and the names of what was fetched and fed. graph.pb beside them
is the program's whole graph, stacks.json says which line of the program made each node.

first, every, count choose the calls of run() that are recorded, from 0 on, initializers among
them; count=None: all. keep=5: only the newest five stay on disk, for a NaN that comes late.
"""
import argparse
import atexit
import functools
import glob
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

try:
    import tensorflow as tf
    from tensorflow.core.util import event_pb2
    from tensorflow.python.client import session as client
    from tensorflow.python.debug.lib import debug_utils
    from tensorflow.python.framework import ops
    tf.compat.v1.Session
except (ImportError, AttributeError) as why:
    raise ImportError("record_session needs TensorFlow 1.15 or newer (%s)" % why)


# include part_left_out.py


# include part_steps.py


# include part_ours.py


# include part_stacks.py


# include part_runs.py


# include part_session.py


def Session(session, directory, **steps):
    """The session once more: its runs are recorded, those of the given one are not."""
    return recorded_session(session, Runs(directory, **steps))


def record(directory, **steps):
    """The runs of every session of the program are recorded from now on."""
    record_sessions(Runs(directory, **steps))


# include part_script.py


if __name__ == "__main__":
    run_script(record, first=0, every=1, count=20, keep=0)
