# Files of torch whose functions call __torch_function__ for their caller.
BETWEEN = tuple(os.path.join(os.path.dirname(torch.__file__), *name.split("/")) for name in (
    "overrides.py", "functional.py", "nn/functional.py", "_jit_internal.py", "_tensor.py",
    "utils/_device.py", "utils/_contextlib.py"))
NOT_COMPUTED = {"__get__", "__set__", "__delete__", "__deepcopy__", "__reduce_ex__", "detach",
                "detach_", "requires_grad_", "backward", "data_ptr", "clone", "numpy", "cpu"}


class Functions(getattr(getattr(torch, "overrides", None), "TorchFunctionMode", object)):
    """Records what functions give that the program itself calls, between modules."""

    def __init__(self, recorder):
        if type(self).__mro__[1] is object:
            raise ImportError("functions=True needs PyTorch 2")
        super().__init__()
        self.recorder = recorder

    def __torch_function__(self, function, types, args=(), kwargs=None):
        output = function(*args, **(kwargs or {}))
        if self.recorder.arrays is not None and not getattr(inside, "depth", 0):
            with Apart(), self.recorder.left_out.guard("functions"):
                self.see(function, args, output, sys._getframe(1))
        return output

    __torch_function__._torchdynamo_inline = (
        lambda self, function, types, args=(), kwargs=None: function(*args, **(kwargs or {})))

    def see(self, function, args, output, frame):
        name = getattr(function, "__name__", "")
        if name == "__setitem__":
            output = args[0]
        if not name or name in NOT_COMPUTED or not active():
            return
        if any(output is value for value in args) and not (
                name.endswith("_") or name.startswith("__i")):
            return                                     # nothing new: contiguous(), to()
        while frame and (frame.f_code is getattr(function, "__code__", None)
                         or frame.f_code.co_filename in BETWEEN):
            frame = frame.f_back
        if frame and not frame.f_code.co_filename.startswith(os.path.dirname(torch.__file__)):
            name = name.strip("_") + ("_" if name.endswith("_") and name[0] != "_" else "")
            self.recorder.after_function(name, output)

    def push(self):
        """Below the modes of others, which go from the top when they end, but above the default
        device's, which goes from the bottom."""
        above = []
        while torch._C._len_torch_function_stack():
            above.append(torch._C._pop_torch_function_stack())
        device = getattr(getattr(torch, "_GLOBAL_DEVICE_CONTEXT", None), "device_context", None)
        if above and above[-1] is device:
            torch._C._push_on_torch_function_stack(above.pop())
        for mode in [self] + above[::-1]:
            torch._C._push_on_torch_function_stack(mode)

    def remove(self):
        """False: it isn't there."""
        above, found = [], False
        while torch._C._len_torch_function_stack() and not found:
            above.append(torch._C._pop_torch_function_stack())
            found = above[-1] is self
        for mode in reversed(above[:-1] if found else above):
            torch._C._push_on_torch_function_stack(mode)
        return found


def used_by(function, arguments):
    """The models that a function uses, as far as it shows, and the parameters that it may train."""
    code, found = getattr(function, "__code__", None), list(arguments)
    for cell in getattr(function, "__closure__", None) or ():
        with contextlib.suppress(ValueError):          # it is empty
            found.append(cell.cell_contents)
    for name in code.co_names if code else ():
        found.append(getattr(function, "__globals__", {}).get(name))
    for holder in [getattr(function, "__self__", None)] + list(arguments[:1]):
        found.append(holder)
        if not isinstance(holder, (torch.nn.Module, torch.Tensor)):
            found += list(getattr(holder, "__dict__", {}).values())
    models, parameters = {}, {}
    for value in found:
        if isinstance(value, torch.nn.Module):
            models[id(value)] = uncompiled(value)
            parameters.update((id(part), part) for part in value.parameters())
        elif isinstance(value, torch.optim.Optimizer):
            for group in value.param_groups:
                parameters.update((id(part), part) for part in group["params"])
    return list(models.values()), [part for part in parameters.values() if not part.is_inference()]
