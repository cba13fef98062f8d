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
recording is recorded behind it, too, where it is called. What XLA compiles can't be recorded:
model.compile(jit_compile=False).
"""
import argparse
import atexit
import os
import runpy
import sys

try:
    import tensorflow as tf
    enable_dump = tf.debugging.experimental.enable_dump_debug_info
except (ImportError, AttributeError) as why:
    raise ImportError("record_v2 needs TensorFlow 2.1 or newer (%s)" % why)


class Recording:
    """Records from its begin to its end: with Recording(DIRECTORY), or start() and stop()."""

    def __init__(self, directory, values=False, most=0):
        self.directory = os.path.abspath(os.path.expanduser(directory))
        self.mode = "FULL_TENSOR" if values else "CONCISE_HEALTH"
        self.most = most

    def start(self):
        os.makedirs(self.directory, exist_ok=True)
        self.writer = enable_dump(self.directory, tensor_debug_mode=self.mode,
                                  circular_buffer_size=self.most or -1)
        atexit.register(self.flush)
        return self

    def flush(self):
        self.writer.FlushNonExecutionFiles()
        self.writer.FlushExecutionFiles()

    def stop(self):
        """The writer stays open: functions that were traced meanwhile go on to write, and a closed
        one ends the program."""
        writer = type(self.writer)
        close, writer.Close = writer.Close, lambda self: None
        try:
            tf.debugging.experimental.disable_dump_debug_info()
        finally:
            writer.Close = close
        self.flush()

    def __enter__(self):
        return self.start()

    def __exit__(self, *why):
        self.stop()


def record(directory, values=0, most=0):
    """Records from now on until the program ends."""
    Recording(directory, bool(values), most).start()


# include part_script.py


if __name__ == "__main__":
    run_script(record, values=0, most=0)
