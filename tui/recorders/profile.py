"""Records what a step of TensorFlow spent its time with: RunMetadata of sessions, XSpace of
TensorFlow 2.

    import record_profile
    with record_profile.Recording("/tmp/profile") as recording:     # TensorFlow 2
        for number, batch in enumerate(batches):
            with recording.step(number):
                ...                            # then: tensordbg /tmp/profile

    session = record_profile.Session(session, "/tmp/profile", first=2, count=5)
    hooks = [record_profile.Hook("/tmp/profile", first=2, count=5)]

Or, without a change to the program: the whole of it, and the sessions it makes:
    python record_profile.py --out /tmp/profile train.py ARGUMENTS

A run of a session that is recorded leaves run_metadata_N.pb; graph.pb beside them is the whole
graph, stacks.json says which line of the program made each node. A Recording leaves what
tf.profiler does, below plugins/profile, with the steps that were named. The first runs of a session
are slower than those that follow, and tell little.

first, every, count choose the calls of run() that are recorded, from 0 on, initializers among
them; count=None: all. keep=5: only the newest five stay on disk.
"""
import argparse
import atexit
import functools
import glob
import json
import linecache
import os
import runpy
import shutil
import sys
import sysconfig
import threading

try:
    import tensorflow as tf
    from tensorflow.python.client import session as client
    from tensorflow.python.framework import ops
    tf.compat.v1.Session
except (ImportError, AttributeError) as why:
    raise ImportError("record_profile needs TensorFlow 1.15 or newer (%s)" % why)


# include part_left_out.py


# include part_steps.py


# include part_ours.py


# include part_stacks.py


class Runs:
    """A directory of profiled runs: run_metadata_N.pb, and the graph."""

    def __init__(self, directory, first=2, count=5, **steps):
        self.directory = os.path.abspath(os.path.expanduser(directory))
        self.steps = Steps(first=first, count=count, **steps)
        self.left_out = LeftOut(self.directory, self.steps)
        self.graph = self.recording = None
        self.lock, self.one_run = threading.Lock(), threading.Lock()
        self.unused = "no session was run"
        atexit.register(self.finish)

    def finish(self):
        if not self.recording:
            self.left_out.note_missed(self.steps, self.steps.number + 1, self.unused)

    def begin(self, run, graph, fetches, feeds, options=None, run_metadata=None):
        """A Run, if the call that begins is to be profiled, or None."""
        with self.left_out.guard("run"), self.lock:
            wanted = self.steps.next()
            if self.recording and (wanted or options and options.trace_level):
                self.recording.give_way()
            if wanted:
                run = Run(self, graph, options, run_metadata)
                if self.one_run.acquire(False):
                    return run
                self.left_out.add("run", "another one is profiled at the same time")
        return None

    def end(self, run, failed):
        self.one_run.release()
        if failed:
            return
        with self.left_out.guard("run"), self.lock:
            if self.graph != (run.graph, run.graph.version):
                write_graph(self.directory, run.graph)
                self.graph = (run.graph, run.graph.version)
            self.left_out.note_older("run_metadata_*.pb")
            path = os.path.join(self.directory, "run_metadata_%d.pb" % run.number)
            replace_file(path, run.run_metadata.SerializeToString())
            self.steps.add(path)
        self.left_out.write()


class Run:
    """A call that is profiled, from `with` on: what TensorFlow gets with it."""

    def __init__(self, runs, graph, options, run_metadata):
        self.runs, self.graph, self.number = runs, graph, runs.steps.number
        self.options, self.asked = tf.compat.v1.RunOptions(), run_metadata
        if options:
            self.options.CopyFrom(options)
        self.is_asked = self.options.trace_level > 0
        self.options.trace_level = self.options.FULL_TRACE
        self.run_metadata = tf.compat.v1.RunMetadata()

    def __enter__(self):
        return self

    def __exit__(self, kind, why, trace):
        self.runs.end(self, kind)
        if self.asked and not kind:        # the program's own: with what it wanted
            with self.runs.left_out.guard("run_metadata"):
                if not self.is_asked:
                    self.run_metadata.ClearField("step_stats")
                self.asked.ParseFromString(self.run_metadata.SerializeToString())
            self.runs.left_out.write()


# include part_session.py


# include part_hook.py


def Session(session, directory, **steps):
    """The session once more: its runs are profiled, those of the given one are not."""
    return recorded_session(session, Runs(directory, **steps))


class Recording:
    """TensorFlow 2: from its begin to its end, with Recording(DIRECTORY), or start() and stop()."""

    def __init__(self, directory, left_out=None):
        if not hasattr(tf, "profiler") or not hasattr(tf.profiler, "experimental"):
            raise ImportError("record_profile.Recording needs TensorFlow 2.2 or newer")
        self.directory = os.path.abspath(os.path.expanduser(directory))
        self.left_out = left_out or LeftOut(self.directory)
        self.is_on = False

    def start(self):
        with self.left_out.guard("profile"):
            self.left_out.note_older("plugins/profile/*")
            tf.profiler.experimental.start(self.directory)
            self.is_on = True
        return self

    def stop(self):
        if self.is_on:
            self.is_on = False
            with self.left_out.guard("profile"):
                tf.profiler.experimental.stop()
        self.left_out.write()

    def step(self, number):
        """What is done within it is this step."""
        return tf.profiler.experimental.Trace("step", step_num=number, _r=1)

    def give_way(self):
        """TensorFlow has one profiler: where the program wants it, or a session, this ends."""
        if self.is_on:
            self.left_out.add("profile", "what follows the program's own profile, or a run "
                              "of a session")
            self.stop()

    def watch(self):
        """Gives way to what the program profiles from now on."""
        from tensorflow.python.profiler import profiler_v2
        plain = profiler_v2.start

        @functools.wraps(plain)
        def start(*arguments, **named):
            self.give_way()
            return plain(*arguments, **named)

        self.start()
        profiler_v2.start = tf.profiler.experimental.start = start
        atexit.register(self.stop)

    def __enter__(self):
        return self.start()

    def __exit__(self, *why):
        self.stop()


def record(directory, **steps):
    """The runs of every session are profiled from now on, and all of TensorFlow 2 until the end."""
    runs = Runs(directory, **steps)
    if not hasattr(tf, "Session") and tf.executing_eagerly():
        runs.recording = Recording(directory, runs.left_out)
        runs.recording.watch()
    record_sessions(runs)


# include part_script.py


if __name__ == "__main__":
    run_script(record, first=2, every=1, count=5, keep=0)
