"""Records some training batches of a tf.keras model, by a callback.

    import record_keras
    model.fit(..., callbacks=[record_keras.Recorder("/tmp/dumps", first=0, count=5)])
    ...                                    # then: tensordbg /tmp/dumps

Or, without a change to the program: python record_keras.py --out /tmp/dumps train.py ARGUMENTS

first and count choose the batches, counted from 0 over all epochs; the others take no longer.

TensorFlow 2: values=False counts NaN and infinities of all tensors that the step computes and keeps
no values: cheap, and enough to find where a NaN began. values=True (--values 1) keeps the values.
The step is traced anew before the first batch that is recorded, without XLA, and again behind the
last.

TensorFlow 1.15: each batch is a run with all values, as record_session has it, also with
count=None and keep=5: only the newest five stay on disk.
"""
import argparse
import atexit
import functools
import itertools
import json
import linecache
import os
import runpy
import shutil
import sys
import sysconfig
import time

try:
    import tensorflow as tf
    from tensorflow.core.util import event_pb2
    from tensorflow.python.debug.wrappers import framework
    from tensorflow.python.framework import ops
except ImportError as why:
    raise ImportError("record_keras needs TensorFlow 1.15 or newer (%s)" % why)


# include part_steps.py


# include part_stacks.py


# include part_runs.py


# include part_session.py


# include part_recording.py


class Traced:
    """TensorFlow 2: the step is recorded from one batch to another."""

    def __init__(self, directory, first=0, count=5, values=False):
        self.first, self.behind = first, first + count
        self.recording = Recording(directory, values)

    def begin(self, model, number):
        if number == self.first:
            self.jit_compile = getattr(model, "jit_compile", None)
            if self.jit_compile:
                model.jit_compile = False
            self.recording.start()
            model.train_function = None
        elif number == self.behind:
            self.end(model)
        model.make_train_function()            # where there is none

    def end(self, model):
        """No batch follows, or none that is recorded."""
        if self.recording.writer:
            self.recording.stop()
            model.train_function = None
            if self.jit_compile:
                model.jit_compile = self.jit_compile


class BatchSession(Session):
    wanted = False

    def is_wanted(self):
        return self.wanted


class Run:
    """TensorFlow 1: each batch is a run of Keras's session."""

    def __init__(self, directory, values=True, **steps):
        self.plain = tf.compat.v1.keras.backend.get_session()
        self.session = BatchSession(self.plain, directory, **steps)
        tf.compat.v1.keras.backend.set_session(self.session)

    def begin(self, model, number):
        self.session.wanted = self.session._runs.steps.next()

    def end(self, model):
        self.session.wanted = False
        tf.compat.v1.keras.backend.set_session(self.plain)


class Recorder(tf.keras.callbacks.Callback):
    def __init__(self, directory, first=0, count=5, **more):
        super().__init__()
        self.arguments = dict(directory=directory, first=first, count=count, **more)
        self.number, self.batches = -1, None

    def on_train_begin(self, logs=None):
        if self.batches is None:
            self.batches = (Traced if tf.executing_eagerly() else Run)(**self.arguments)

    def on_train_batch_begin(self, batch, logs=None):
        self.number += 1
        self.batches.begin(self.model, self.number)

    def on_train_end(self, logs=None):
        self.batches.end(self.model)


def record(directory, **steps):
    """Every model that is trained from now on is recorded, until `count` batches are."""
    plain, recorder = tf.keras.Model.fit, Recorder(directory, **steps)

    @functools.wraps(plain)
    def fit(model, *arguments, **named):
        named["callbacks"] = list(named.get("callbacks") or []) + [recorder]
        return plain(model, *arguments, **named)

    tf.keras.Model.fit = fit


# include part_script.py


if __name__ == "__main__":
    run_script(record, first=0, count=5, values=0)
