"""Records arrays of a JAX program, outside and inside of what is compiled.

    import record_jax
    recorder = record_jax.Recorder("/tmp/arrays", first=0, count=20)
    def loss(params, batch):                     # may be compiled and differentiated
        hidden = recorder.record("hidden", layer(params, batch))
        ...
    for batch in batches:
        with recorder.step():
            params = update(params, batch)
            recorder.record("params", params)    # then: tensordbg /tmp/arrays

A step is a file step_N/rankR/arrays.safetensors. record() takes a tree of arrays and gives it back;
its leaves are called params['w'] and so on, what comes a second time in a step hidden#2. Where the
tree that it gives back is used and differentiated, the gradient is recorded too: hidden.grad.
stacks.json says from which lines of the program it came. What is recorded within compiled code goes
through jax.debug.callback, in every step: that costs time also where a step is not recorded. Under
vmap each element comes alone.

first, every, count choose the steps that are recorded, from 0 on; count=None: all. keep=5: only
the newest five stay on disk, for a NaN that comes late.

profile("/tmp/profile") records times instead, as jax.profiler does; the steps are those of the
recorder (count=0: no arrays):
    with record_jax.profile("/tmp/profile"):
        for batch in batches:
            with recorder.step(): ...            # then: tensordbg /tmp/profile
"""
import contextlib
import functools
import json
import linecache
import os
import shutil
import struct
import sys
import sysconfig

try:
    import jax
    import numpy as np
    jax.debug.callback, jax.tree_util.tree_flatten_with_path
except (ImportError, AttributeError) as why:
    raise ImportError("record_jax needs JAX 0.4.6 or newer (%s)" % why)

TYPES = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "int32": "I32",
         "int64": "I64", "uint16": "U16", "uint32": "U32", "uint64": "U64", "float16": "F16",
         "bfloat16": "BF16", "float32": "F32", "float64": "F64", "complex64": "C64",
         "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2",
         "float8_e4m3fnuz": "F8_E4M3FNUZ", "float8_e5m2fnuz": "F8_E5M2FNUZ",
         "float8_e8m0fnu": "F8_E8M0"}


# include part_steps.py


# include part_lines.py


# include part_safetensors.py


class Recorder:
    def __init__(self, directory, **steps):
        self.root = os.path.abspath(os.path.expanduser(directory))
        self.steps = Steps(**steps)
        self.lines = Lines(self.root, jax)
        self.arrays = None                             # of the step; None: it is not recorded
        self.times = {}

    @contextlib.contextmanager
    def step(self):
        """What is recorded within it belongs to one step."""
        wanted = self.steps.next()
        if wanted:
            self.arrays, self.times = [], {}
        try:
            with jax.profiler.StepTraceAnnotation("step", step_num=self.steps.number):
                yield self
        finally:
            if wanted:
                self.write()

    def write(self):
        jax.effects_barrier()                          # what is compiled may still be running
        arrays, self.arrays = self.arrays, None
        step = os.path.join(self.root, "step_%d" % self.steps.number)
        write_arrays(os.path.join(step, "rank%d" % jax.process_index(), "arrays.safetensors"),
                     arrays)
        if jax.process_index() == 0:
            self.lines.write()
            self.steps.add(step)

    def record(self, name, tree):
        """Records the leaves of the tree. Use what it gives back to have their gradients."""
        leaves, structure = jax.tree_util.tree_flatten_with_path(tree)
        kept = []
        for path, leaf in leaves:
            whole = name + jax.tree_util.keystr(path)
            self.lines.add(whole, "array")
            if isinstance(leaf, jax.core.Tracer):
                self.lines.same(whole + ".grad", whole)
                leaf = tap(self, whole, leaf)
            else:
                self.take(whole, leaf)
            kept.append(leaf)
        return jax.tree_util.tree_unflatten(structure, kept)

    def take(self, name, value):
        if self.arrays is None or not getattr(value, "is_fully_addressable", True):
            return                                     # it is not recorded, or not all here
        value = np.asarray(value)
        n = self.times[name] = self.times.get(name, 0) + 1
        if value.dtype.name in TYPES:
            self.arrays.append((name if n == 1 else "%s#%d" % (name, n), TYPES[value.dtype.name],
                                value.shape, value.tobytes()))


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def tap(recorder, name, value):
    """The value as it is; when it is computed, and its gradient, the recorder takes them."""
    jax.debug.callback(functools.partial(recorder.take, name), value)
    return value


def tap_forward(recorder, name, value):
    return tap(recorder, name, value), None


def tap_backward(recorder, name, _, gradient):
    if gradient.dtype != jax.dtypes.float0:
        jax.debug.callback(functools.partial(recorder.take, name + ".grad"), gradient)
    return gradient,


tap.defvjp(tap_forward, tap_backward)


@contextlib.contextmanager
def profile(directory):
    """jax.profiler.trace, until what was begun within it has ended."""
    with jax.profiler.trace(directory):
        yield
        jax.effects_barrier()
