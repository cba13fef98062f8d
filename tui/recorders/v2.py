"""Records TensorFlow 2: eager code, tf.functions, Keras models.

    import record_v2
    with record_v2.Recording("/tmp/dumps"):      # around what makes the model and trains it
        ...                                      # then: tensordbg /tmp/dumps

Or, without a change to the program:  python record_v2.py --out /tmp/dumps train.py ARGUMENTS

values=False counts NaN and infinities of each tensor and keeps no values: cheap, and enough to
find where a NaN began. values=True (--values 1) keeps all values. Every execution and every graph
is recorded, with the lines of the program that made them.

most=N keeps only the last N of the executions and of the tensors, for a program that runs long;
then they are written when the recording ends. 0 keeps all. A function that was traced within the
recording is also recorded after it, wherever it is called. What XLA compiles can't be recorded:
model.compile(jit_compile=False).
"""
import argparse
import atexit
import functools
import glob
import json
import os
import runpy
import sys

try:
    import tensorflow as tf
    tf.debugging.experimental.enable_dump_debug_info
except (ImportError, AttributeError) as why:
    raise ImportError("record_v2 needs TensorFlow 2.1 or newer (%s)" % why)


# include part_left_out.py


# include part_ours.py


# include part_places.py


# include part_recording.py


def record(directory, values=0, most=0):
    """Records from now on until the program ends."""
    Recording(directory, bool(values), most).start()


# include part_script.py


if __name__ == "__main__":
    run_script(record, values=0, most=0)
