def tensors_of(name, value, depth=0):
    """Names and tensors of what a module takes or gives."""
    if isinstance(value, torch.Tensor):
        yield name, value
    elif depth > 8 or value is None or isinstance(value, (str, bytes, int, float)):
        return
    elif isinstance(value, (tuple, list)):
        for i, part in enumerate(value):
            yield from tensors_of(name if len(value) == 1 else "%s.%d" % (name, i), part, depth + 1)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from tensors_of("%s.%s" % (name, key), part, depth + 1)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            part = getattr(value, field.name, None)
            yield from tensors_of("%s.%s" % (name, field.name), part, depth + 1)


# ---- How the bytes of a tensor are copied.

def reason_to_skip(tensor):
    """Why it has no elements that could be copied, or None."""
    if tensor.is_meta:
        return "a meta tensor has no elements"
    if getattr(torch, "_is_functional_tensor", bool)(tensor):
        return "a functional tensor has no elements of its own"
    if type(tensor).__name__ in ("FakeTensor", "FunctionalTensor"):
        return "a %s has no elements" % type(tensor).__name__
    if getattr(torch.nn.parameter, "is_lazy", bool)(tensor):
        return "a lazy parameter has no elements yet"
    return None


def is_wrapped(tensor):
    """Is it one that torch.func works with (grad, vmap)?"""
    functorch = getattr(torch._C, "_functorch", None)
    return functorch is not None and functorch.is_functorch_wrapped_tensor(tensor)


def unwrapped(tensor):
    """What torch.func has wrapped: of vmap the whole batch."""
    while is_wrapped(tensor):
        tensor = torch._C._functorch.get_unwrapped(tensor)
    return tensor


def plain_of(tensor):
    """The tensor as one that is dense, on the CPU, contiguous; itself, if it is that."""
    with torch.no_grad():
        if hasattr(tensor, "to_local"):                # a DTensor: this rank's part
            tensor = tensor.to_local()
        if hasattr(tensor, "wait") and hasattr(tensor, "elem"):
            tensor = tensor.wait()                     # that comes from other ranks
        if getattr(tensor, "is_nested", False):        # all parts, one behind the other
            jagged = tensor.layout == getattr(torch, "jagged", None)
            tensor = tensor._values if jagged else tensor.detach().values()
        if tensor.is_quantized:
            tensor = tensor.detach().dequantize()
        if tensor.layout != torch.strided:
            tensor = tensor.detach().to_dense()
        if (tensor.device.type != "cpu" or tensor.is_conj() or tensor.is_neg()
                or getattr(tensor, "_is_zerotensor", bool)()):
            tensor = tensor.detach().to("cpu", copy=True).resolve_conj().resolve_neg()
        return tensor if tensor.is_contiguous() else tensor.detach().contiguous()


def bytes_of(tensor):
    """Of a plain one."""
    size = tensor.numel() * tensor.element_size()
    if not size:
        return b""
    storage = getattr(tensor, "untyped_storage", tensor.storage)()
    end = tensor.storage_offset() * tensor.element_size() + size
    if not tensor.data_ptr() or storage.nbytes() < end:
        raise ValueError("its memory has been freed")
    data = bytearray(size)
    ctypes.memmove((ctypes.c_char * size).from_buffer(data), tensor.data_ptr(), size)
    return data


def free_memory():
    """In bytes, as far as it is known."""
    try:
        with open("/proc/meminfo") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 8 << 30
