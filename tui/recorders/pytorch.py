"""Records what the modules of a PyTorch program compute, and the gradients.

    import record_pytorch
    recorder = record_pytorch.Recorder("/tmp/arrays", model, first=0, count=20)
    for batch in batches:
        with recorder.step():                    # around forward, backward and optimizer
            ...                                  # then: tensordbg /tmp/arrays

Or, without a change to the program, a step from each optimizer.step() to the next:
    python record_pytorch.py --out /tmp/arrays --count 20 train.py ARGUMENTS

A step is a file step_N/rankR/arrays.safetensors, in the order in which things were computed: the
output of each module by its name (fc1), the gradient that reached it (fc1.grad), parameters
before they are trained (fc1.weight) and their gradients (fc1.weight.grad), the model's inputs
(Net.input), and what recorder.record("name", tensor) is given. What is computed a second time in a
step is fc1#2. The tensor on which backward() is called is loss. functions=True (--functions)
also records the results of functions between modules: log, softmax, log#2. stacks.json says from
which lines of the program they came. A step is kept in memory until it ends.

Of what torch.compile or torch.jit has made, only inputs, outputs, parameters and gradients are
recorded. left_out.json says what could not be recorded, and why.

first, every, count choose the steps that are recorded, from 0 on; count=None: all. keep=5: only
the newest five stay on disk, for a NaN that comes late. gradients=False, parameters=False leave
those out.

profile("/tmp/profile") records times instead, as torch.profiler does:
    with record_pytorch.profile("/tmp/profile") as profile:
        for batch in batches:
            ...
            profile.step()                       # then: tensordbg /tmp/profile
"""
import argparse
import atexit
import contextlib
import ctypes
import dataclasses
import functools
import glob
import inspect
import json
import linecache
import multiprocessing.spawn
import multiprocessing.util
import os
import runpy
import shutil
import struct
import sys
import sysconfig
import threading
import weakref

try:
    import torch
except ImportError as why:
    raise ImportError("record_pytorch needs PyTorch 1.10 or newer (%s)" % why)

TYPES = {getattr(torch, name): kind for name, kind in (
    ("bool", "BOOL"), ("uint8", "U8"), ("int8", "I8"), ("int16", "I16"), ("int32", "I32"),
    ("int64", "I64"), ("uint16", "U16"), ("uint32", "U32"), ("uint64", "U64"), ("float16", "F16"),
    ("bfloat16", "BF16"), ("float32", "F32"), ("float64", "F64"), ("complex64", "C64"),
    ("float8_e4m3fn", "F8_E4M3"), ("float8_e5m2", "F8_E5M2"),
    ("float8_e4m3fnuz", "F8_E4M3FNUZ"), ("float8_e5m2fnuz", "F8_E5M2FNUZ"),
    ("float8_e8m0fnu", "F8_E8M0")) if hasattr(torch, name)}


# include part_steps.py


# include part_lines.py


# include part_safetensors.py


# include part_left_out.py


# include part_step.py


def rank():
    """The rank of this process; it stays known after its group has ended."""
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        rank.known = torch.distributed.get_rank()
    return rank.known


rank.known = 0


# include part_tensors.py


# ---- torch.compile must not see the recorder: what it sees, it compiles.

is_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", bool)
set_eval_frame = getattr(getattr(getattr(torch._C, "_dynamo", None), "eval_frame", None),
                         "set_eval_frame", lambda callback: None)
see_functions = getattr(torch._C._autograd, "_enable_record_function", bool)
inside = threading.local()                 # .apart, and .depth: of what can't be recorded


def unseen(function):
    """Frames of this function are run as they are, as those of Python's own files."""
    def renamed(code):
        parts = tuple(renamed(part) if isinstance(part, type(code)) else part
                      for part in code.co_consts)
        name = "<frozen importlib._bootstrap of the recorder>"     # nor do warnings count them
        return code.replace(co_filename=name, co_consts=parts)

    if hasattr(function.__code__, "replace"):          # Python 3.8
        function.__code__ = renamed(function.__code__)
    return function


class Apart:
    """Within it nothing is compiled, and nobody's modes, tensor types, profilers see what is
    done."""

    @unseen
    def __enter__(self):
        self.compiler = set_eval_frame(None)
        inside.apart = getattr(inside, "apart", 0) + 1
        see_functions(False)
        self.guards = [torch._C.DisableTorchFunction()]
        if hasattr(torch._C, "_DisableTorchDispatch"):
            self.guards.append(torch._C._DisableTorchDispatch())
        for guard in self.guards:
            getattr(guard, "__enter__", bool)()

    @unseen
    def __exit__(self, *why):
        while self.guards:
            guard = self.guards.pop()
            getattr(guard, "__exit__", lambda *why: None)(*why)
        inside.apart -= 1
        if not inside.apart:
            see_functions(True)
        set_eval_frame(self.compiler)


def patch(owner, name, make):
    """Puts what `make` makes of owner.name in its place; torch.compile goes on to see what was
    there before."""
    plain = getattr(owner, name)
    function = functools.wraps(plain)(unseen(make(plain)))
    function._torchdynamo_inline = inspect.getattr_static(plain, "_torchdynamo_inline", plain)
    setattr(owner, name, function)
    return function


class Recorder(Stepping):
    def __init__(self, directory, model=None, gradients=True, parameters=True, functions=False,
                 **steps):
        self.root = os.path.abspath(os.path.expanduser(directory))
        self.made = functools.partial(type(self), self.root, gradients=gradients,
                                      parameters=parameters, functions=functions, **steps)
        self.gradients, self.parameters = gradients, parameters
        self.steps = Steps(**steps)
        self.lines = Lines(self.root, torch)
        self.left_out = LeftOut(self.root, self.steps, rank)
        self.names = {}                                # id of a module: (weakref, name)
        self.roots, self.prefixes = {}, {}             # those in no other module; of their parts
        self.given, self.taken = {}, {"__metadata__"}  # names of tensors, the same in every step
        self.arrays = None                             # of the step; None: it is not recorded
        self.times, self.handles, self.late, self.seen = {}, [], [], set()
        self.lock, self.pid = threading.RLock(), os.getpid()
        self.models, self.next_step = [], None         # None: the program says where it ends
        with self.left_out.guard("functions"):
            self.functions = Functions(self) if functions else None
        with self.left_out.guard("model"):
            watch_program()
            if model is not None:
                self.models.append(weakref.ref(self.name_modules(uncompiled(model))))
        atexit.register(self.finish)

    # -- names

    def name_modules(self, root):
        """A model's parts are called as it calls them; those of a second one begin with it."""
        name, n = type(root).__name__, 1
        while name in self.roots and self.roots[name]() is not None:
            n += 1
            name = "%s#%d" % (type(root).__name__, n)
        self.roots[name] = weakref.ref(root)           # a new one is called as one that is gone
        if name in self.prefixes:
            pass
        elif "" in self.prefixes.values():
            self.prefixes[name] = name + "."
        else:                                          # what has no parts needs no prefix
            has_parts = next(root.children(), next(root.parameters(False), None)) is not None
            self.prefixes[name] = "" if has_parts else None
        self.names[id(root)] = weakref.ref(root), name
        self.name_parts(name, root)
        return root

    def name_parts(self, name, root):
        for below, module in root.named_modules():
            if self.name_of(module) is None:
                below = ".".join(part for part in below.split(".") if part != "_orig_mod")
                whole = (self.prefixes[name] or "") + below if below else name
                self.names[id(module)] = weakref.ref(module), whole

    def find(self, module):
        """Names a module that has no name yet: a part that a model got meanwhile, or a model."""
        for name, root in list(self.roots.items()):
            root = root()
            if root is not None and any(part is module for part in root.modules()):
                self.name_parts(name, root)
                self.seen.discard(name)
                return
        self.name_modules(module)

    def name_of(self, module):
        module_ref, name = self.names.get(id(module), (None, None))
        return name if module_ref and module_ref() is module else None

    def unique(self, owner, name):
        """The name of a tensor: one that has none beside it in any step. The same owner's n-th
        tensor of this name has the same in each step."""
        key = owner, name
        self.times[key] = self.times.get(key, 0) + 1
        key += self.times[key],
        if key not in self.given:
            whole, n = name, 1
            while whole in self.taken:
                n += 1
                whole = "%s#%d" % (name, n)
            self.given[key] = whole
            self.taken.add(whole)
        return self.given[key]

    # -- steps

    def is_active(self):
        """Is a step recorded now, in this process? A process that was forked is another rank, or
        it is none of the recorder's (of a DataLoader)."""
        if self.arrays is None:
            return False
        if self.pid != os.getpid():
            if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
                return False
            self.pid = self.left_out.pid = os.getpid()
            self.arrays, self.lock = [], threading.RLock()
            multiprocessing.util.Finalize(None, self.end, exitpriority=0)
        return True

    def begin_recorded(self):
        self.thread = threading.get_ident()
        self.times, self.seen = {}, set()
        self.room = free_memory() // 2
        self.arrays = []
        RECORDING.append(self)
        if self.functions:
            self.functions.push()
        if "torch._dynamo" in sys.modules:             # what is compiled may call them unseen
            with Apart():
                for model in self.models:
                    if model() is not None:
                        self.take_parameters(model())

    def end_recorded(self):
        if self in RECORDING:
            RECORDING.remove(self)
        with Apart():
            if self.functions:
                self.functions.remove()
            late, handles, self.late, self.handles = self.late, self.handles, [], []
            for owner, name, parameter in late:        # no hook of a DTensor is called
                if self.is_active() and parameter.grad is not None and self.gradients:
                    self.take(owner, name + ".grad", parameter.grad, "Gradient", made_by=name)
            arrays, self.arrays = self.arrays, None
            for handle in handles:
                handle.remove()
            if arrays and self.pid == os.getpid():
                self.write(arrays)

    def finish(self):
        if not self.next_step:
            super().finish()
            return
        self.end()
        is_main = multiprocessing.current_process().name == "MainProcess"
        if is_main and os.environ.get("RANK", "0") == "0":
            self.left_out.note_missed(self.steps, self.steps.number,
                                      "no module computed what can be recorded")

    def write(self, arrays):
        step = os.path.join(self.root, "step_%d" % self.steps.number)
        path = os.path.join(step, "rank%d" % rank(), "arrays.safetensors")
        self.left_out.note_older("step_*/rank0")
        write_arrays(path, arrays)
        self.steps.add(step, rank() == 0)
        if rank() == 0:
            self.lines.write()

    # -- tensors

    def record(self, name, tensor):
        """Keeps a copy, if this step is recorded. Returns the name that is its own."""
        self.asked = True
        with Apart(), self.left_out.guard(name):
            if self.is_active():
                tensor = tensor if isinstance(tensor, torch.Tensor) else torch.as_tensor(tensor)
                return self.take(None, array_name(name), tensor, "Tensor") or name
        return name

    record._torchdynamo_inline = lambda self, name, tensor: name

    def take(self, owner, name, tensor, kind, made_by=None):
        """Returns the name that is its own, or None: it is left out."""
        rank()
        with self.left_out.guard(name):
            tensor = unwrapped(tensor)
            why = reason_to_skip(tensor)
            if why:
                self.left_out.add(name, why)
                return None
            value = plain_of(tensor)
            if value.dtype == torch.complex128:        # the format has none
                value = torch.view_as_real(value.detach())
                name += ".real_imag"
            if value.dtype not in TYPES:
                self.left_out.add(name, "the format has no %s" % value.dtype)
                return None
            size = value.numel() * value.element_size()
            if size > self.room:
                self.left_out.add(name, "the step is larger than half of the free memory")
                return None
            data = bytes_of(value)
            with self.lock:
                if self.arrays is None:
                    return None
                self.room -= size
                name = self.unique(owner, name)
                if made_by is None:
                    self.lines.add(name, kind)
                else:
                    self.lines.same(name, made_by)
                self.arrays.append((name, TYPES[value.dtype], value.shape, data))
            return name

    def take_gradient(self, owner, name, tensor):
        """Of the tensor, when it comes."""
        if not self.gradients or name is None or not tensor.requires_grad:
            return
        if is_wrapped(tensor):
            self.left_out.add(name + ".grad", "a gradient within torch.func can't be recorded")
            return

        @unseen
        def come(gradient):
            with Apart(), self.left_out.guard(name + ".grad"):
                if self.is_active() and gradient is not None:
                    self.take(owner, name + ".grad", gradient, "Gradient", made_by=name)

        come.__torch_unserializable__ = True           # or who saves the tensor is warned
        with self.left_out.guard(name + ".grad"):
            self.handles.append(tensor.register_hook(come))

    def take_parameters(self, root):
        """Of a whole model, once a step."""
        name = self.name_of(root)
        if name not in self.prefixes or name in self.seen:
            return
        self.seen.add(name)
        for below, parameter in root.named_parameters():
            whole = (self.prefixes[name] or "") + below.replace("_orig_mod.", "")
            if reason_to_skip(parameter):
                self.seen.discard(name)                # a lazy one, which the first call makes
                continue
            if (name, whole) in self.seen:
                continue
            self.seen.add((name, whole))
            if self.parameters:
                whole = self.take(name, whole, parameter, "Parameter")
            self.take_gradient(name, whole, parameter)
            if hasattr(parameter, "to_local") and whole:
                self.late.append((name, whole, parameter))

    # -- modules

    @guarded
    def before(self, module, inputs, named, why_whole):
        """A module is called: of a whole model its parameters and inputs. why_whole: what is
        within it can't be recorded, and so its inputs are."""
        if self.name_of(module) is None:
            with self.left_out.guard(type(module).__name__):
                self.find(module)
        name = self.name_of(module)
        if self.functions and self.thread != threading.get_ident():
            self.left_out.add("functions of a thread", "functions=True is about the thread in "
                              "which the step begins")
        if name in self.prefixes:
            with self.left_out.guard(name):
                self.take_parameters(module)
        elif not why_whole:
            return
        for value in inputs, named:
            for part, tensor in tensors_of(name + ".input", value):
                self.take(name, part, tensor, "Input")
        if why_whole:
            self.left_out.add(name, why_whole)

    @guarded
    def after(self, module, output):
        name = self.name_of(module) or type(module).__name__
        if name in self.prefixes:
            self.take_parameters(module)               # that were lazy
        for part, tensor in tensors_of(name, output):
            own = self.take(name, part, tensor, type(module).__name__)
            self.take_gradient(name, own, tensor)

    @guarded
    def loss(self, tensors):
        """backward() is called on them."""
        for _, tensor in tensors_of("loss", tensors):
            self.take("loss", "loss", tensor, "Loss")

    # -- functions

    @guarded
    def before_compiled(self, name, models, inputs):
        for model in models:
            if self.name_of(model) is None:
                self.find(model)
            self.take_parameters(model)
        for part, tensor in tensors_of(name + ".input", inputs):
            self.take(name, part, tensor, "Input")
        self.left_out.add(name, COMPILED)

    @guarded
    def after_function(self, name, output, owner="function"):
        for part, tensor in tensors_of(name, output):
            own = self.take(owner, part, tensor, name)
            if not isinstance(tensor, torch.nn.Parameter):     # which has one, by its name
                self.take_gradient(owner, own, tensor)


# ---- What calls the recorders: module(...), backward(), functions, what is compiled.

RECORDING = []                             # recorders that have a step now
COMPILED = "torch.compile compiled it: what is inside is not recorded"


def active():
    """The recorders that record what this thread does now."""
    if getattr(inside, "depth", 0) or torch._C._get_tracing_state() is not None:
        return []
    guards = sys.modules.get("torch._guards")          # is something compiled now?
    if guards and getattr(guards, "TracingContext", None) and guards.TracingContext.try_get():
        return []
    return [recorder for recorder in RECORDING if recorder.is_active()]


class Inside:
    """What runs within it can't be recorded."""

    def __init__(self, recorders):
        self.modes = [recorder.functions for recorder in recorders if recorder.functions]

    def __enter__(self):
        inside.depth = getattr(inside, "depth", 0) + 1
        self.modes = [mode for mode in self.modes if mode.remove()]

    def __exit__(self, *why):
        inside.depth -= 1
        for mode in reversed(self.modes):
            if mode.recorder.arrays is not None:
                mode.push()


def uncompiled(module):
    return module._orig_mod if type(module).__name__ == "OptimizedModule" else module


def why_whole(module):
    """Why nothing within the module is recorded, or None."""
    if (type(module).__name__ == "OptimizedModule"
            or getattr(module, "_compiled_call_impl", None) is not None):
        return COMPILED
    if isinstance(module, torch.jit.ScriptModule):
        return "TorchScript runs it: what is inside is not recorded"
    return None


def make_call(plain):
    def call(self, *args, **kwargs):
        if not RECORDING:
            return plain(self, *args, **kwargs)
        compiler = set_eval_frame(None)
        recorders = active() if compiler is None else ()
        if not recorders:
            set_eval_frame(compiler)
            return plain(self, *args, **kwargs)
        why, module = why_whole(self), uncompiled(self)
        with Apart():
            for recorder in recorders:
                recorder.before(module, args, kwargs, why)
        if why:
            with Inside(recorders):
                output = plain(self, *args, **kwargs)
        else:
            output = plain(self, *args, **kwargs)
        with Apart():
            for recorder in recorders:
                recorder.after(module, output)
        return output

    return call


def make_backward(plain):
    def backward(tensors, *args, **kwargs):
        if RECORDING:
            with Apart():
                for recorder in [each for each in RECORDING if each.is_active()]:
                    recorder.loss(tensors)
        return plain(tensors, *args, **kwargs)

    return backward


def make_traced(plain):
    def trace(*args, **kwargs):
        with Inside(active()):             # it would trace the recorder too
            return plain(*args, **kwargs)

    return trace


def make_compile(plain):
    def compile(model=None, *args, **kwargs):
        result = plain(model, *args, **kwargs)
        if model is None or not isinstance(result, type(make_compile)):
            return result
        return functools.wraps(result)(unseen(compiled_function(result, model)))

    return compile


def compiled_function(compiled, source):
    name = getattr(source, "__name__", type(source).__name__)

    def call(*args, **kwargs):
        if not RECORDING:
            return compiled(*args, **kwargs)
        compiler = set_eval_frame(None)
        recorders = active() if compiler is None else ()
        if not recorders:
            set_eval_frame(compiler)
            return compiled(*args, **kwargs)
        models, parameters, numbers = (), (), [recorder.steps.number for recorder in recorders]
        with Apart():
            with recorders[0].left_out.guard(name):
                models, parameters = used_by(source, args)
            versions = [parameter._version for parameter in parameters]
            for recorder in recorders:
                recorder.before_compiled(name, models, args + tuple(kwargs.values()))
        with Inside(recorders):
            output = compiled(*args, **kwargs)
        with Apart():
            for recorder, number in zip(recorders, numbers):
                if recorder.steps.number != number:    # an optimizer ended the step
                    continue
                recorder.after_function(name, output, name)
                if (recorder.next_step
                        and versions != [parameter._version for parameter in parameters]):
                    recorder.next_step()               # one was compiled, too
        return output

    return call


@functools.lru_cache(None)
def watch_program():
    call = patch(torch.nn.Module, "__call__", make_call)
    for name in ("torch._dynamo.utils", "torch._dynamo.variables.nn_module"):
        if hasattr(sys.modules.get(name), "unpatched_nn_module_call"):
            sys.modules[name].unpatched_nn_module_call = call
    patch(torch.autograd, "backward", make_backward)
    patch(torch.jit, "trace", make_traced)
    if hasattr(torch, "compile"):
        patch(torch, "compile", make_compile)


# include part_functions.py


@contextlib.contextmanager
def profile(directory, **options):
    """torch.profiler.profile, with what tensordbg shows, and a trace of this rank at its end."""
    known = dict(record_shapes=True, profile_memory=True, with_stack=True,
                 schedule=torch.profiler.schedule(wait=0, warmup=0, active=10 ** 9))
    with torch.profiler.profile(**dict(known, **options)) as recording:
        yield recording
    os.makedirs(directory, exist_ok=True)
    recording.export_chrome_trace(os.path.join(directory, "rank%d.json.gz" % rank()))


def record(directory, **options):
    """Records all modules from now on; a step ends where an optimizer has made its step."""
    recorder = Recorder(directory, **options)
    stepping = threading.local()                       # .depth: steps that call steps

    def next_step():
        with Apart(), recorder.lock:
            recorder.end()
            recorder.begin()

    def make_step(plain):
        def step(self, *args, **kwargs):
            if is_compiling():
                return plain(self, *args, **kwargs)
            stepping.depth = getattr(stepping, "depth", 0) + 1
            try:
                result = plain(self, *args, **kwargs)
            finally:
                stepping.depth -= 1
            if not stepping.depth:
                next_step()
            return result

        return step

    def make_init(plain):
        def init(self, *args, **kwargs):
            plain(self, *args, **kwargs)
            with Apart(), recorder.left_out.guard("step of " + type(self).__name__):
                plain_step = type(self).step
                if not hasattr(plain_step, "_recorded"):
                    # not patch(): torch.compile loses a method's self on this way
                    step = type(self).step = functools.wraps(plain_step)(make_step(plain_step))
                    step._recorded = step.hooked = True
                    step.__signature__ = inspect.signature(plain_step)
                    del step.__wrapped__               # or torch.compile takes it off

        return init

    def make_scaled(plain):
        def step(self, optimizer, *args, **kwargs):
            number = recorder.steps.number
            result = plain(self, optimizer, *args, **kwargs)
            if recorder.steps.number == number:        # left out, as a gradient is infinite
                next_step()
            return result

        return step

    def make_data(plain):
        def get_preparation_data(*args, **kwargs):
            data = plain(*args, **kwargs)
            data["recorder"] = Started(recorder.root, options)
            return data

        return get_preparation_data

    recorder.next_step = next_step
    patch(torch.optim.Optimizer, "__init__", make_init)
    scaler = getattr(getattr(torch, "amp", None), "GradScaler", None) or torch.cuda.amp.GradScaler
    patch(scaler, "step", make_scaled)
    patch(multiprocessing.spawn, "get_preparation_data", make_data)
    recorder.begin()
    return recorder


class Started:
    """Records in a process that multiprocessing starts anew, if that is a rank: unpickled there."""

    def __init__(self, directory, options):
        self.what = OWN_FILES[1], directory, options

    def __reduce__(self):
        return exec, (CHILD % self.what, {})


CHILD = """
import importlib.util, sys
try:
    spec = importlib.util.spec_from_file_location("record_pytorch", %r)
    module = sys.modules["record_pytorch"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.record(%r, **%r).pid = None
except Exception as why:
    sys.stderr.write("record_pytorch: a process is not recorded: %%s\\n" %% why)
"""


# include part_script.py


if __name__ == "__main__":
    run_script(record, first=0, every=1, count=20, keep=0, functions=False)
