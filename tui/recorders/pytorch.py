"""Records what the modules of a PyTorch program compute, and the gradients.

    import record_pytorch
    recorder = record_pytorch.Recorder("/tmp/arrays", model, first=0, count=20)
    for batch in batches:
        with recorder.step():                    # around forward, backward and optimizer
            ...                                  # then: tensordbg /tmp/arrays

Or, without a change to the program, a step from each optimizer.step() to the next:
    python record_pytorch.py --out /tmp/arrays --count 20 train.py ARGUMENTS

A step is a file step_N/rankR/arrays.safetensors, in the order in which things were computed: the
output of each module by its name (fc1), what came to it later as gradient (fc1.grad), parameters
before they are trained (fc1.weight) and their gradients (fc1.weight.grad), the model's inputs
(Net.input), and what recorder.record("name", tensor) is given. What is computed a second time in a
step is fc1#2. stacks.json says from which lines of the program it came. A step is kept in memory
until it ends. Modules within what torch.compile or torch.jit has made can't be recorded.

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
import functools
import json
import linecache
import os
import runpy
import shutil
import struct
import sys
import sysconfig
import weakref

try:
    import torch
    from torch.nn.modules.module import (register_module_forward_hook,
                                         register_module_forward_pre_hook)
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


def rank():
    distributed = torch.distributed.is_available() and torch.distributed.is_initialized()
    return torch.distributed.get_rank() if distributed else 0


def tensors_of(name, value):
    """Names and tensors of what a module takes or gives."""
    if isinstance(value, torch.Tensor):
        yield name, value
    elif isinstance(value, (tuple, list)):
        for i, part in enumerate(value):
            yield from tensors_of(name if len(value) == 1 else "%s.%d" % (name, i), part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from tensors_of("%s.%s" % (name, key), part)


class Recorder:
    def __init__(self, directory, model=None, gradients=True, parameters=True, **steps):
        self.root = os.path.abspath(os.path.expanduser(directory))
        self.gradients, self.parameters = gradients, parameters
        self.steps = Steps(**steps)
        self.lines = Lines(self.root, torch)
        self.left_out = LeftOut(self.root, self.steps, rank)
        self.names = weakref.WeakKeyDictionary()       # of modules
        self.prefixes = {}                             # of the parts of those in no other module
        self.arrays = None                             # of the step; None: it is not recorded
        self.times, self.handles, self.seen = {}, [], set()
        if model is not None:
            self.name_modules(model)

    def name_modules(self, root):
        """A model's parts are called as it calls them; those of a second one begin with it."""
        name, n = type(root).__name__, 1
        while name in self.prefixes:
            n += 1
            name = "%s#%d" % (type(root).__name__, n)
        parts = next(root.children(), None) is not None
        self.prefixes[name] = name + "." if parts and "" in self.prefixes.values() else ""
        for below, module in root.named_modules():
            self.names.setdefault(module, self.prefixes[name] + below if below else name)

    def begin(self):
        """A step begins."""
        if not self.steps.next():
            return
        self.arrays, self.times, self.seen = [], {}, set()
        self.handles = [register_module_forward_pre_hook(self.before),
                        register_module_forward_hook(self.after)]

    def end(self):
        for handle in self.handles:
            handle.remove()
        arrays, self.arrays, self.handles = self.arrays, None, []
        if not arrays:
            return
        step = os.path.join(self.root, "step_%d" % self.steps.number)
        write_arrays(os.path.join(step, "rank%d" % rank(), "arrays.safetensors"), arrays)
        if rank() == 0:
            self.lines.write()
            self.steps.add(step)

    @contextlib.contextmanager
    def step(self):
        self.begin()
        try:
            yield self
        finally:
            self.end()

    def record(self, name, tensor, kind="Tensor", made_by=None):
        """Keeps a copy, if this step is recorded. Returns the name that is its own."""
        tensor = tensor.to_local() if hasattr(tensor, "to_local") else tensor   # of a DTensor
        if self.arrays is None or tensor.is_meta or tensor.dtype not in TYPES:
            return name
        n = self.times[name] = self.times.get(name, 0) + 1
        name = name if n == 1 else "%s#%d" % (name, n)
        if made_by is None:
            self.lines.add(name, kind)
        else:
            self.lines.same(name, made_by)
        with torch.no_grad():
            value = tensor.detach().to_dense() if tensor.layout != torch.strided else tensor
            value = value.detach().to("cpu", copy=True).resolve_conj().resolve_neg().contiguous()
        size = value.numel() * value.element_size()
        data = bytearray(size)
        if size:
            ctypes.memmove((ctypes.c_char * size).from_buffer(data), value.data_ptr(), size)
        self.arrays.append((name, TYPES[tensor.dtype], tensor.shape, data))
        return name

    def record_gradient(self, name, tensor):
        """Of the tensor, when it comes."""
        def come(gradient):
            self.record(name + ".grad", gradient, made_by=name)

        if self.gradients and tensor.requires_grad:
            self.handles.append(tensor.register_hook(come))

    def before(self, module, inputs):
        """A module is called: of a whole model its parameters and inputs."""
        if module not in self.names:
            self.name_modules(module)
        name = self.names[module]
        if name not in self.prefixes:
            return
        if name not in self.seen:
            self.seen.add(name)
            for below, parameter in module.named_parameters():
                whole = self.prefixes[name] + below
                if self.parameters:
                    self.record(whole, parameter, "Parameter")
                self.record_gradient(whole, parameter)
        for part, tensor in tensors_of(name + ".input", inputs):
            self.record(part, tensor, "Input")

    def after(self, module, inputs, output):
        for name, tensor in tensors_of(self.names.get(module, type(module).__name__), output):
            self.record_gradient(self.record(name, tensor, type(module).__name__), tensor)


@contextlib.contextmanager
def profile(directory, **options):
    """torch.profiler.profile, with what tensordbg shows, and a trace of this rank at its end."""
    known = dict(record_shapes=True, profile_memory=True, with_stack=True,
                 schedule=torch.profiler.schedule(wait=0, warmup=0, active=10 ** 9))
    with torch.profiler.profile(**dict(known, **options)) as recording:
        yield recording
    os.makedirs(directory, exist_ok=True)
    recording.export_chrome_trace(os.path.join(directory, "rank%d.json.gz" % rank()))


def record(directory, **steps):
    """Records all modules from now on; a step ends where an optimizer has made its step."""
    from torch.optim.optimizer import register_optimizer_step_post_hook      # PyTorch 2
    recorder = Recorder(directory, **steps)

    def next_step(*_):
        recorder.end()
        recorder.begin()

    recorder.begin()
    register_optimizer_step_post_hook(next_step)
    atexit.register(recorder.end)


# include part_script.py


if __name__ == "__main__":
    run_script(record, first=0, every=1, count=20, keep=0)
