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
import json
import linecache
import os
import runpy
import shutil
import sys
import sysconfig

try:
    import tensorflow as tf
    from tensorflow.python.debug.wrappers import framework
    from tensorflow.python.framework import ops
except ImportError as why:
    raise ImportError("record_profile needs TensorFlow 1.15 or newer (%s)" % why)


# include part_steps.py


# include part_stacks.py


class Profile:
    """A directory of profiled runs: run_metadata_N.pb, and the graph."""

    def __init__(self, directory, **steps):
        self.directory = os.path.abspath(os.path.expanduser(directory))
        self.steps = Steps(**steps)
        self.graph = None

    def add(self, graph, run_metadata):
        if self.graph != (graph, graph.version):
            write_graph(self.directory, graph)
            self.graph = (graph, graph.version)
        path = os.path.join(self.directory, "run_metadata_%d.pb" % self.steps.number)
        with open(path, "wb") as out:
            out.write(run_metadata.SerializeToString())
        self.steps.add(path)


class Session(framework.BaseDebugWrapperSession):
    """A session that profiles some of its runs, and else does what the one in it does."""

    def __init__(self, session, directory, first=2, count=5, **steps):
        super().__init__(session, pass_through_operrors=True)
        self._profile = Profile(directory, first=first, count=count, **steps)

    def on_session_init(self, request):
        return framework.OnSessionInitResponse(framework.OnSessionInitAction.PROCEED)

    def on_run_start(self, request):
        action = framework.OnRunStartAction
        wanted = self._profile.steps.next()
        return framework.OnRunStartResponse(
            action.PROFILE_RUN if wanted else action.NON_DEBUG_RUN, [])

    def on_run_end(self, request):
        if request.performed_action == framework.OnRunStartAction.PROFILE_RUN:
            self._profile.add(self.graph, request.run_metadata)
        return framework.OnRunEndResponse()


class Hook(tf.compat.v1.train.SessionRunHook):
    """The same of a MonitoredSession, an Estimator."""

    def __init__(self, directory, first=2, count=5, **steps):
        self.profile = Profile(directory, first=first, count=count, **steps)

    def before_run(self, run_context):
        self.wanted = self.profile.steps.next()
        options = tf.compat.v1.RunOptions
        return tf.compat.v1.train.SessionRunArgs(
            None, options=options(trace_level=options.FULL_TRACE)) if self.wanted else None

    def after_run(self, run_context, run_values):
        if self.wanted:
            self.profile.add(run_context.session.graph, run_values.run_metadata)


class Recording:
    """TensorFlow 2: from its begin to its end, with Recording(DIRECTORY), or start() and stop()."""

    def __init__(self, directory):
        if not hasattr(tf, "profiler") or not hasattr(tf.profiler, "experimental"):
            raise ImportError("record_profile.Recording needs TensorFlow 2.2 or newer")
        self.directory = os.path.abspath(os.path.expanduser(directory))

    def start(self):
        tf.profiler.experimental.start(self.directory)
        return self

    def stop(self):
        tf.profiler.experimental.stop()

    def step(self, number):
        """What is done within it is this step."""
        return tf.profiler.experimental.Trace("step", step_num=number, _r=1)

    def __enter__(self):
        return self.start()

    def __exit__(self, *why):
        self.stop()


def record(directory, **steps):
    """Sessions that are made from now on are profiled, and all of TensorFlow 2 until the end."""
    import tensorflow.compat.v1 as v1      # which need not be tf.compat.v1 before this
    plain = v1.Session

    def session(*arguments, **named):
        return Session(plain(*arguments, **named), directory, **steps)

    v1.Session = tf.compat.v1.Session = session
    if hasattr(tf, "Session"):
        tf.Session = session
    elif tf.executing_eagerly():
        atexit.register(Recording(directory).start().stop)


# include part_script.py


if __name__ == "__main__":
    run_script(record, first=2, every=1, count=5, keep=0)
