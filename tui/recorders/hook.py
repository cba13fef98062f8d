"""Records the runs of a tf.compat.v1.train.MonitoredSession.

    import record_hook
    hooks = [record_hook.Hook("/tmp/dumps", first=100, count=20)]
    with tf.compat.v1.train.MonitoredTrainingSession(hooks=hooks) as session:
        ...                            # as before; then: tensordbg /tmp/dumps

A run that is recorded leaves a directory run_TIME_NUMBER with the values of all tensors that were
computed, the graph as it was run, and the names of what was fetched and fed. graph.pb beside them
is the program's whole graph, stacks.json says which line of the program made each node.

first, every, count choose the calls of run() that are recorded, from 0 on; count=None: all.
keep=5: only the newest five stay on disk, for a NaN that comes late.
"""
import atexit
import functools
import glob
import itertools
import json
import linecache
import os
import shutil
import sys
import sysconfig
import threading
import time

try:
    import tensorflow as tf
    from tensorflow.core.util import event_pb2
    from tensorflow.python.debug.lib import debug_utils
    from tensorflow.python.framework import ops
except ImportError as why:
    raise ImportError("record_hook needs TensorFlow 1.15 or newer (%s)" % why)


# include part_left_out.py


# include part_steps.py


# include part_ours.py


# include part_stacks.py


# include part_runs.py


# include part_hook.py


if __name__ == "__main__":
    raise SystemExit("record_hook is no wrapper: your program imports it, as its first lines show")
