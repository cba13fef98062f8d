"""Records arrays of a JAX program, outside and inside of what is compiled.

    import record_jax
    recorder = record_jax.Recorder("/tmp/arrays", first=0, count=20)
    def loss(params, batch):                     # may be compiled, differentiated, mapped
        hidden = recorder.record("hidden", layer(params, batch))
        ...
    for batch in batches:
        with recorder.step():
            params = update(params, batch)
            recorder.record("params", params)    # then: tensordbg /tmp/arrays

A step is a file step_N/rankR/arrays.safetensors. record() takes a tree of arrays and gives it back;
its leaves are called params['w'] and so on, what comes a second time in a step hidden#2. Where the
tree that it gives back is used and differentiated, the gradient is recorded too: hidden.grad
(gradients=False: not). Tangents of forward mode are not recorded. stacks.json says from which lines
of the program it came. What is recorded within compiled code goes through jax.debug.callback, in
every step: that costs time also where a step is not recorded. In the file it stands in the order
in which the program computes it. Of what is mapped (vmap, pmap, shard_map) each element or device
comes alone: hidden, hidden#2...

Keys of random numbers are recorded as their data; int4, float4 and other small types, which the
file does not have, as int8, uint8, float16. What can't be recorded is left out, never the program
stopped: one line on stderr, and all of it in left_out.json.

first, every, count choose the steps that are recorded, from 0 on; count=None: all. keep=5: only
the newest five stay on disk, for a NaN that comes late.

profile("/tmp/profile") records times instead, as jax.profiler does; the steps are those of the
recorder (count=0: no arrays):
    with record_jax.profile("/tmp/profile"):
        for batch in batches:
            with recorder.step(): ...            # then: tensordbg /tmp/profile
"""
import atexit
import bisect
import collections
import contextlib
import functools
import glob
import json
import linecache
import math
import os
import shutil
import struct
import sys
import sysconfig
import threading
import weakref

try:
    import jax
    import numpy as np
    from jax.interpreters import ad, batching, mlir
    jax.debug.callback, jax.tree_util.tree_flatten_with_path
    try:
        from jax.extend.core import Primitive
    except ImportError:
        from jax.core import Primitive
except (ImportError, AttributeError) as why:
    raise ImportError("record_jax needs JAX 0.4.6 or newer (%s)" % why)

try:
    from jax._src.core import trace_state_clean
except ImportError:
    def trace_state_clean():
        return False

TYPES = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "int32": "I32",
         "int64": "I64", "uint16": "U16", "uint32": "U32", "uint64": "U64", "float16": "F16",
         "bfloat16": "BF16", "float32": "F32", "float64": "F64", "complex64": "C64",
         "complex128": "C128", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2",
         "float8_e4m3fnuz": "F8_E4M3FNUZ", "float8_e5m2fnuz": "F8_E5M2FNUZ",
         "float8_e8m0fnu": "F8_E8M0"}
WIDER = {"int1": "int8", "int2": "int8", "int4": "int8", "uint1": "uint8", "uint2": "uint8",
         "uint4": "uint8", "float4_e2m1fn": "float16", "float6_e2m3fn": "float16",
         "float6_e3m2fn": "float16", "float8_e3m4": "float16", "float8_e4m3": "float16",
         "float8_e4m3b11fnuz": "float16"}    # each value is one of the wider type


# include part_steps.py


# include part_left_out.py


# include part_lines.py


# include part_safetensors.py


# include part_step.py


# include part_course.py


class Tap:
    """A place of the program where an array is recorded. record() has one for each leaf; each time
    that the program is traced or differentiated there are new ones."""

    def __init__(self, recorder, name, stack):
        self.recorder, self.name, self.stack = recorder, name, stack
        self.constant = None               # the value, if it is none of JAX


class Program:
    """What is compiled at once."""

    def __init__(self, jaxpr=None):
        self.parts = parts_of(jaxpr, tap_of) if jaxpr else []


class Arrival:
    """What came from a tap at once: (type, shape, bytes) of an array, of vmap for each element."""

    def __init__(self, number, tap, program, device, arrays):
        self.number, self.tap, self.program, self.device = number, tap, program, device
        self.arrays = arrays


def is_key(value):
    kind = getattr(jax.dtypes, "prng_key", None)
    return bool(kind) and jax.dtypes.issubdtype(value.dtype, kind)


def storable(value):
    """The array, or one of the same values, of a type that the file has."""
    wider = WIDER.get(value.dtype.name)
    return value.astype(wider) if wider else value


# Two primitives stand for a record() within what is traced. `take` has no result: when its operand
# is computed, the recorder takes it. `link` is its operand, and linear; so its transpose sees the
# gradient, and takes that. Their axes are those that vmap has added, the outermost last.
take = Primitive("record")
take.multiple_results = True
link = Primitive("record_gradient")


def tap_of(equation):
    return equation.params["tap"] if equation.primitive is take else None


def debug_effects():
    """What a jaxpr has from jax.debug.callback; without it a `take` would be removed as unused."""
    try:
        from jax._src.debugging import debug_effect
        return {debug_effect}
    except ImportError:
        return set(jax.make_jaxpr(lambda x: jax.debug.callback(print, x))(1.0).effects)


@take.def_impl
def take_now(value, *, tap, axes):
    tap.recorder.come(tap, axes, None, value)
    return []


@take.def_effectful_abstract_eval
def take_abstract(value, *, tap, axes):
    return [], debug_effects()


def take_jvp(primals, tangents, **params):
    return take.bind(*primals, **params), []


def take_batch(values, dims, *, tap, axes):
    return take.bind(*values, tap=tap, axes=axes + tuple(dims)), []


def take_transpose(_, value, **params):
    return [None]                          # what a transposed function takes is never computed


def take_lowering(context, value, *, tap, axes):
    """Becomes a jax.debug.callback, which every platform has."""
    with tap.recorder.left_out.guard(tap.name):
        module = context.module_context
        if getattr(getattr(module, "lowering_parameters", None), "for_export", False):
            tap.recorder.left_out.add(tap.name, "what is exported can't have callbacks")
            return []
        jax.local_devices(backend="cpu")               # raises where JAX_PLATFORMS has no cpu
        program = program_lowered()
        avals, values = list(context.avals_in), [value]
        device = device_of(module)
        if device is not None:
            avals.append(jax.core.ShapedArray((), np.dtype("uint32")))
            values.append(device)

        def come(*operands):
            tap.recorder.come(tap, axes, program, *operands)

        def call(value, *device):
            jax.debug.callback(come, storable(value), *device)
            return []

        mlir.lower_fun(call, multiple_results=True)(context.replace(avals_in=avals), *values)
    return []


def device_of(module):
    """The number of the device, in pmap and shard_map, where each runs the program."""
    with contextlib.suppress(Exception):
        from jaxlib.mlir.dialects import stablehlo
        context, number = module.axis_context, None
        if type(context).__name__ == "ReplicaAxisContext":
            number = getattr(stablehlo, "replica_id", None) or stablehlo.ReplicaIdOp
        elif getattr(context, "manual_axes", None) and (
                set(context.manual_axes) == set(context.mesh.axis_names)):
            number = getattr(stablehlo, "partition_id", None) or stablehlo.PartitionIdOp
        if number:
            number = number()
            return getattr(number, "result", number)
    return None


lock, programs = threading.Lock(), weakref.WeakKeyDictionary()


def program_lowered():
    """The program that is being lowered. JAX hands its jaxpr to no rule; it is on the stack."""
    frame = sys._getframe(1)
    while frame and frame.f_code.co_name != "lower_jaxpr_to_module":
        frame = frame.f_back
    jaxpr = frame and frame.f_locals.get("jaxpr")
    if not hasattr(jaxpr, "eqns"):
        return Program()
    if jaxpr not in programs:
        programs[jaxpr] = Program(jaxpr)
    return programs[jaxpr]


def link_jvp(primals, tangents, *, tap, axes, tangent):
    """What comes to the tangent is the gradient of the value. A tangent's own tangent has none."""
    if tangent:
        return primals[0], tangents[0]
    out = link.bind(primals[0], tap=tap, axes=axes, tangent=False)
    if type(tangents[0]) is ad.Zero:
        return out, tangents[0]
    return out, link.bind(tangents[0], tap=tap, axes=axes, tangent=True)


def link_batch(values, dims, *, axes, **params):
    return link.bind(*values, axes=axes + tuple(dims), **params), dims[0]


def link_transpose(gradient, value, *, tap, axes, tangent):
    if type(gradient) is not ad.Zero:
        recorder = tap.recorder
        with recorder.left_out.guard(tap.name + ".grad"):
            if gradient.dtype != jax.dtypes.float0:
                take.bind(gradient, tap=Tap(recorder, tap.name + ".grad", tap.stack), axes=axes)
    return [gradient]


link.def_impl(lambda value, **params: value)
link.def_abstract_eval(lambda value, **params: value)
ad.primitive_jvps[take] = take_jvp
ad.primitive_transposes[take] = take_transpose
ad.primitive_jvps[link] = link_jvp
ad.primitive_transposes[link] = link_transpose
batching.primitive_batchers[take] = take_batch
batching.primitive_batchers[link] = link_batch
mlir.register_lowering(link, lambda context, value, **params: [value])
try:
    mlir.register_lowering(take, take_lowering, cacheable=False)
except TypeError:                          # older ones cache none
    mlir.register_lowering(take, take_lowering)
with contextlib.suppress(Exception):       # shard_map before JAX 0.6 wants rules of its own
    from jax.experimental import shard_map as shard_maps
    for primitive in (take, link):
        shard_maps.register_standard_check(primitive)
        shard_maps.register_standard_rewrite(primitive)


JAX = os.path.dirname(jax.__file__)
# JAX itself calls the program in these files or functions, to have what can't hold a callback.
BARE = ("/pallas/", "a kernel of Pallas"), ("/sparse/transform.py", "what is sparsified"), (
    "reduction_jaxpr", "the function of a reduction")


def unfit(leaf, value, frame):
    """Why the leaf of a tree, or its value, can't be recorded, if it can't."""
    aval = getattr(leaf, "aval", None)
    if isinstance(leaf, jax.ShapeDtypeStruct) or (
            aval is not None and not isinstance(aval, jax.core.ShapedArray)):
        return "%s: it has no values" % type(leaf if aval is None else aval).__name__
    kind = getattr(value.dtype, "name", str(value.dtype))
    if kind == "object":
        return "%s: it is no array" % type(leaf).__name__
    if kind not in TYPES and kind not in WIDER and not is_key(value):
        return "%s: the file has no such type" % kind
    while frame and isinstance(leaf, jax.core.Tracer):
        file, function = frame.f_code.co_filename, frame.f_code.co_name
        for part, what in BARE if file.startswith(JAX) else ():
            if part in file.replace(os.sep, "/") or part in function:
                return "%s can't have callbacks" % what
        frame = frame.f_back
    return None


class Recorder(Stepping):
    def __init__(self, directory, gradients=True, **steps):
        self.root = os.path.abspath(os.path.expanduser(directory))
        self.made = functools.partial(type(self), self.root, gradients, **steps)
        self.gradients = gradients
        self.steps = Steps(**steps)
        self.left_out = LeftOut(self.root, self.steps, rank)
        self.lines = Lines(self.root, jax)
        self.arrivals = None                           # of the step; None: it is not recorded
        self.number, self.mark = 0, None
        atexit.register(self.finish)

    def begin(self):
        super().begin()
        with self.left_out.guard("StepTraceAnnotation"):
            if self.depth == 1:
                self.mark = jax.profiler.StepTraceAnnotation("step", step_num=self.steps.number)
                self.mark.__enter__()

    def end(self):
        with self.left_out.guard("StepTraceAnnotation"):
            if self.depth == 1 and self.mark:
                mark, self.mark = self.mark, None
                mark.__exit__(None, None, None)
        super().end()

    def begin_recorded(self):
        with self.left_out.guard("what was computed before"):
            jax.effects_barrier()                      # it does not belong to this step
        self.arrivals = []

    def end_recorded(self):
        if self.arrivals is None:
            return
        with self.left_out.guard("what is computed"):
            jax.effects_barrier()                      # what is compiled may still be running
        with lock:
            arrivals, self.arrivals = self.arrivals, None
        if arrivals:
            self.write(arrivals)

    def write(self, arrivals):
        arrays, used = [], collections.Counter(["__metadata__"])
        for arrival in in_order(arrivals):
            tap = arrival.tap
            for kind, shape, data in arrival.arrays:
                name = tap.name
                while name in used:
                    used[tap.name] += 1
                    name = "%s#%d" % (tap.name, used[tap.name])
                used[name] += 1
                arrays.append((name, kind, shape, data))
                if tap.stack:
                    self.lines.nodes.setdefault(name, {"op": "array", "outputs": 1,
                                                       "stack": tap.stack})
        step = os.path.join(self.root, "step_%d" % self.steps.number)
        self.left_out.note_older("step_*/rank0")
        write_arrays(os.path.join(step, "rank%d" % rank(), "arrays.safetensors"), arrays)
        self.steps.add(step, rank() == 0)
        if rank() == 0:
            self.lines.write()

    def record(self, name, tree):
        """Records the leaves of the tree. Use what it gives back to have their gradients."""
        self.asked = True
        if self.arrivals is None and trace_state_clean():
            return tree                                # nothing of it comes into what is traced
        with self.left_out.guard(name):
            leaves, structure = jax.tree_util.tree_flatten_with_path(tree)
            with lock:
                stack, kept = self.lines.stack(sys._getframe(1)), []
            for path, leaf in leaves:
                whole = array_name(str(name) + jax.tree_util.keystr(path))
                kept.append(leaf)
                with self.left_out.guard(whole):
                    kept[-1] = self.tap(Tap(self, whole, stack), leaf)
            if any(new is not old for new, (_, old) in zip(kept, leaves)):
                return in_its_order(tree, jax.tree_util.tree_unflatten(structure, kept))
        return tree

    def tap(self, tap, leaf):
        """Records the leaf. Gives what is to be used for it."""
        value, of_jax = leaf, isinstance(leaf, (jax.Array, jax.core.Tracer))
        if not of_jax:
            value = tap.constant = np.array(leaf)
        why = unfit(leaf, value, sys._getframe(2))
        if why:
            self.left_out.add(tap.name, why)
            return leaf
        if is_key(value):
            value = jax.random.key_data(value)         # a key itself would count as used up
        take.bind(value if of_jax else False, tap=tap, axes=())
        if self.gradients and isinstance(leaf, jax.core.Tracer) and (
                jax.numpy.issubdtype(value.dtype, np.inexact)):
            return link.bind(leaf, tap=tap, axes=(), tangent=False)
        return leaf

    def come(self, tap, axes, program, value, device=-1):
        """An array is there, from a program that is compiled or (None) from no such."""
        if self.arrivals is None:
            return                                     # it is not recorded
        with self.left_out.guard(tap.name):
            if tap.constant is not None:
                value = tap.constant
            if not getattr(value, "is_fully_addressable", True):
                self.left_out.add(tap.name, "not all of it is in this process")
                return
            with np.errstate(all="ignore"):
                value = storable(np.asarray(value))
            if value.dtype.byteorder == ">":
                value = value.astype(value.dtype.newbyteorder("<"))
            for place, axis in enumerate(reversed(axes)):
                value = np.moveaxis(value, axis + place, place)
            kind, shape = TYPES[value.dtype.name], value.shape[len(axes):]
            parts = value.reshape((math.prod(value.shape[:len(axes)]),) + shape)
            arrays = [(kind, shape, part.tobytes()) for part in parts]
            with lock:
                if self.arrivals is not None:
                    self.number += 1
                    self.arrivals.append(Arrival(self.number, tap, program, int(device), arrays))


def rank():
    """This process among those of the program. Asking starts the devices, which is for the program
    to do."""
    try:
        from jax._src import xla_bridge
        started = xla_bridge.backends_are_initialized()
    except Exception:
        started = True
    return jax.process_index() if started else 0


def in_its_order(tree, new):
    """The new tree with its dictionaries in the order of the old one: JAX sorts them."""
    if isinstance(tree, dict):
        for key in tree:
            new[key] = in_its_order(tree[key], new.pop(key))
    elif isinstance(tree, (list, tuple)) and type(tree) is type(new):
        parts = map(in_its_order, tree, new)
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return new


@contextlib.contextmanager
def profile(directory):
    """jax.profiler.trace, until what was begun within it has ended."""
    left_out, started = LeftOut(os.path.abspath(os.path.expanduser(directory))), False
    with left_out.guard("profile"):
        jax.profiler.start_trace(directory)
        started = True
    try:
        yield
    finally:
        if started:
            with left_out.guard("profile"):
                try:
                    jax.effects_barrier()
                finally:
                    jax.profiler.stop_trace()
        if left_out.entries:
            left_out.write()


if __name__ == "__main__":
    raise SystemExit("record_jax is no wrapper: your program imports it, as its first lines show")
