"""Records some training batches of tf.keras models, by a callback.

    import record_keras
    model.fit(..., callbacks=[record_keras.Recorder("/tmp/dumps", first=0, count=5)])
    ...                                    # then: tensordbg /tmp/dumps

Or, without a change to the program, every fit and train_on_batch of every model:
    python record_keras.py --out /tmp/dumps train.py ARGUMENTS

first and count choose the batches of each fit, counted from 0 over all its epochs; the others take
no longer. steps.json says of each step which model, fit, epoch and batch it is, as Keras counts
epochs and batches, from 0.

TensorFlow 2: values=False counts NaN and infinities of all tensors that the step computes and keeps
no values: cheap, and enough to find where a NaN began. values=True (--values 1) keeps the values.
For the batches that are recorded the step is traced once more. What XLA compiles is left out
(compile(jit_compile=False)), but where Keras chose XLA by itself: there these batches go without.
Tracing again would change the numbers that tf.random draws: a step that draws some goes on
with the recorded function until the program ends; with first=1 or more it is not recorded.

TensorFlow 1.15: each batch is a run with all values, as record_session has it, also with
count=None and keep=5: only the newest five stay on disk.
"""
import argparse
import atexit
import contextlib
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
import weakref

try:
    import tensorflow as tf
    from tensorflow.core.util import event_pb2
    from tensorflow.python.debug.lib import debug_utils
    from tensorflow.python.framework import ops
    tf.keras.callbacks.Callback
except (ImportError, AttributeError) as why:
    raise ImportError("record_keras needs TensorFlow 1.15 or newer (%s)" % why)


# include part_left_out.py


# include part_steps.py


# include part_ours.py


# include part_stacks.py


# include part_places.py


# include part_runs.py


# include part_session.py


# include part_recording.py


def functions_of(function, seen=None):
    """The tf.functions that a function of Keras's calls."""
    seen = set() if seen is None else seen
    if id(function) in seen:
        return
    seen.add(id(function))
    if hasattr(function, "_list_all_concrete_functions"):
        yield function
    for cell in getattr(function, "__closure__", None) or ():
        with contextlib.suppress(ValueError):          # an empty cell
            yield from functions_of(cell.cell_contents, seen)


def traces_of(function):
    return [trace for part in functions_of(function)
            for trace in part._list_all_concrete_functions()]


def draws(function):
    """Does it draw random numbers with ops whose state a new trace would not have?"""
    for trace in traces_of(function):
        graph = trace.graph.as_graph_def()
        for node in itertools.chain(graph.node, *(f.node_def for f in graph.library.function)):
            if any(node.attr[name].i for name in ("seed", "seed2") if name in node.attr):
                return True
    return False


class Quiet:
    """While it is entered, what these threads print goes nowhere."""

    def __init__(self):
        self.threads, self.lock = [], threading.Lock()

    def __enter__(self):
        with self.lock:
            if not self.threads:
                self.plain, sys.stdout = sys.stdout, self
            self.threads.append(threading.get_ident())

    def __exit__(self, *why):
        with self.lock:
            self.threads.remove(threading.get_ident())
            if not self.threads and sys.stdout is self:
                sys.stdout = self.plain

    def write(self, text):
        return len(text) if threading.get_ident() in self.threads else self.plain.write(text)

    def __getattr__(self, name):
        return getattr(self.plain, name)


QUIET = Quiet()


class Traced:
    """TensorFlow 2: calls of a model's train function are recorded. The function is one that was
    traced for that, beside the plain one: (plain, recorded) of each model."""

    def __init__(self, directory, left_out, first=0, count=5, values=False):
        self.first, self.behind, self.left_out = first, first + count, left_out
        self.recording = Recording(directory, values, left_out=left_out)
        self.functions = weakref.WeakKeyDictionary()

    def begin(self, model, number, place):
        if not self.first <= number < self.behind:
            self.restore(model)
        elif self.recording.is_on:         # within a batch of another model
            self.left_out.add(model.name, "it is trained within a step of another model")
        else:
            function = self.recorded_function(model)
            if function:
                self.call_once(model, function, place)

    def call_once(self, model, function, place):
        before = model.train_function

        def call(*arguments, **named):
            model.train_function = before
            self.recording.start()
            first, failed = self.executions(), True
            try:
                result = function(*arguments, **named)
                failed = False
                return result
            except (StopIteration, tf.errors.OutOfRangeError):
                failed = False
                raise
            except Exception as why:
                self.left_out.add("batch %d, after the failure" % place["batch"], why)
                raise
            finally:
                self.recording.pause()
                self.recording.failed = failed
                if self.executions() > first:
                    self.recording.places.steps.append(
                        dict(place, first=first, last=self.executions() - 1))

        call.before = before
        model.train_function = call

    def executions(self):
        callback = self.recording.callback
        return callback.executions if callback else 0

    def recorded_function(self, model):
        current = model.train_function
        if model.run_eagerly:
            return current
        plain, recorded = self.functions.get(model, (None, None))
        if recorded and current in (plain, recorded):
            return recorded
        is_auto = model.jit_compile and hasattr(model, "_resolve_auto_jit_compile") and \
            model._resolve_auto_jit_compile()
        if traces_of(current):
            if draws(current):
                self.left_out.add(model.name, "it was traced before; traced again, it would draw "
                                  "other random numbers")
                return None
            self.functions[model] = current, self.make(model, is_auto)
        else:
            if is_auto:
                model.train_function = self.make(model, is_auto)
            self.functions[model] = None, model.train_function
        return self.functions[model][1]

    def make(self, model, is_auto=False):
        """A train function that is still to be traced; what train_step prints while it is traced
        is printed once."""
        current, step = model.train_function, model.train_step
        quiet = QUIET if traces_of(current) else contextlib.suppress()

        def train_step(*arguments, **named):
            with quiet:
                return step(*arguments, **named)

        object.__setattr__(model, "train_step", train_step)
        model.train_function = None
        try:
            if is_auto:
                model.jit_compile = False
            model.make_train_function()
            return model.train_function
        finally:
            model.train_function = current
            object.__delattr__(model, "train_step")
            if is_auto:
                model.jit_compile = True

    def restore(self, model):
        """A batch that is not recorded begins, or none."""
        plain, recorded = self.functions.get(model, (None, None))
        if not recorded or plain or model.train_function is not recorded:
            return
        if draws(recorded):
            self.left_out.add(model.name, "its step goes on as it was recorded: traced again, "
                              "it would draw other random numbers")
            self.functions[model] = recorded, recorded
            return
        model.train_function = self.make(model)
        self.functions[model] = model.train_function, recorded

    def end_batch(self, model):
        if hasattr(model.train_function, "before"):    # it was not called
            model.train_function = model.train_function.before

    end_alone = end_batch

    def end(self, model):
        self.end_batch(model)
        self.restore(model)
        self.recording.stop()


class OneBatch(Steps):
    """The step is the batch, not what the session runs meanwhile."""
    wanted = False

    def next(self):
        return self.wanted


class Fetched:
    """TensorFlow 1: each batch is a run of Keras's session."""

    def __init__(self, directory, left_out, values=True, **steps):
        self.runs = Runs(directory, **steps)
        atexit.unregister(self.runs.finish)
        self.runs.left_out = left_out
        self.runs.steps = left_out.steps = OneBatch(**steps)
        self.places = Places(self.runs.directory, left_out)
        self.plain = self.place = None

    def begin(self, model, number, place):
        self.runs.steps.number = number - 1
        self.runs.steps.wanted = Steps.next(self.runs.steps)
        if self.runs.steps.wanted and not self.plain:
            backend = tf.compat.v1.keras.backend
            self.plain = backend.get_session()
            backend.set_session(recorded_session(self.plain, self.runs,
                                                 "_make_callable_from_options"))
        self.place = dict(place, runs=len(self.runs.steps.paths))

    def end_batch(self, model):
        paths = self.runs.steps.paths
        if self.runs.steps.wanted and paths and self.place:
            self.places.steps.append(dict(self.place, run=os.path.basename(paths[-1])))
        self.runs.steps.wanted = False

    def end(self, model):
        self.end_batch(model)
        if self.plain:
            tf.compat.v1.keras.backend.set_session(self.plain)
            self.plain = None
            self.places.write(True)

    end_alone = end


class Recorder(tf.keras.callbacks.Callback):
    _supports_tf_logs = True

    def __init__(self, directory, first=0, count=5, **more):
        super().__init__()
        self.left_out = LeftOut(os.path.abspath(os.path.expanduser(directory)))
        self.batches = functools.lru_cache(None)(lambda: (
            Traced if tf.executing_eagerly() else Fetched)(
                directory, self.left_out, first=first, count=count, **more))
        self.fits, self.place, self.number = itertools.count(1), None, -1
        self.steps, self.unused = Steps(first, count=count), "no model was trained with this"
        atexit.register(self.finish)

    def finish(self):
        """The program ends."""
        had = self.steps.number + 1
        self.steps.written = had > self.steps.first
        self.left_out.note_missed(self.steps, had, self.unused)
        self.left_out.write()

    def __deepcopy__(self, memo):
        return self

    def again(self):
        """Another callback that records to the same place, for another fit."""
        other = Recorder.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    @guarded
    def on_train_begin(self, logs=None):
        if self.model:
            self.place = {"model": self.model.name, "fit": next(self.fits), "epoch": 0}
            self.number = -1

    @guarded
    def on_epoch_begin(self, epoch, logs=None):
        if self.place:
            self.place["epoch"] = int(epoch)

    @guarded
    def on_train_batch_begin(self, batch, logs=None):
        self.number += 1
        self.steps.number = max(self.steps.number, self.number)
        if self.place:
            self.batches().begin(self.model, self.number, dict(self.place, batch=int(batch)))
        else:
            self.left_out.add("batches", "on_train_begin was not called with a model before them")

    @guarded
    def on_train_batch_end(self, batch, logs=None):
        if self.place:
            self.batches().end_batch(self.model)

    @guarded
    def on_train_end(self, logs=None):
        if self.place:
            self.batches().end(self.model)
        self.place = None


def record(directory, **steps):
    """Every model that is trained from now on is recorded: `count` batches of each fit, and of the
    calls of train_on_batch."""
    recorder, alone = Recorder(directory, **steps), weakref.WeakKeyDictionary()
    fitted = []                            # models within fit, which may call train_on_batch
    recorder.unused = "the program called neither fit nor train_on_batch"

    def fit_of(plain):
        parameters = inspect.signature(plain)

        @functools.wraps(plain)
        def fit(model, *arguments, **named):
            own, listed = recorder.again(), []
            with recorder.left_out.guard("fit"):
                given = parameters.bind(model, *arguments, **named)
                callbacks = given.arguments.get("callbacks")
                others = getattr(callbacks, "callbacks", callbacks) or ()
                if isinstance(others, tf.keras.callbacks.Callback):
                    callbacks = others = [callbacks]
                if any(isinstance(other, Recorder) for other in others):
                    pass
                elif hasattr(callbacks, "callbacks"):  # a CallbackList
                    own.set_model(model)
                    listed = callbacks.callbacks
                    listed.append(own)
                else:
                    given.arguments["callbacks"] = list(callbacks or ()) + [own]
                arguments, named = given.args[1:], given.kwargs
            fitted.append(model)
            try:
                return plain(model, *arguments, **named)
            finally:
                fitted.pop()
                own.on_train_end()
                if own in listed:
                    listed.remove(own)

        return fit

    def train_on_batch_of(plain):
        @functools.wraps(plain)
        def train_on_batch(model, *arguments, **named):
            if any(model is other for other in fitted):
                return plain(model, *arguments, **named)
            with recorder.left_out.guard("train_on_batch"):
                place = alone.get(model) or dict(model=model.name, fit=next(recorder.fits),
                                                 epoch=0, batch=-1)
                place["batch"] += 1
                recorder.steps.number = max(recorder.steps.number, place["batch"])
                alone[model] = place
                if hasattr(model, "make_train_function"):
                    model.make_train_function()
                recorder.batches().begin(model, place["batch"], dict(place))
            try:
                return plain(model, *arguments, **named)
            finally:
                with recorder.left_out.guard("train_on_batch"):
                    recorder.batches().end_alone(model)

        return train_on_batch

    for name, wrap in (("fit", fit_of), ("fit_generator", fit_of),
                       ("train_on_batch", train_on_batch_of)):
        if hasattr(tf.keras.Model, name):
            setattr(tf.keras.Model, name, wrap(getattr(tf.keras.Model, name)))


# include part_script.py


if __name__ == "__main__":
    run_script(record, first=0, count=5, values=0)
