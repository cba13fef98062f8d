def array_name(name):
    """A name that the file can have and that tensordbg can show."""
    return str(name).replace("\0", "\\0").encode("utf-8", "backslashreplace").decode()


def write_arrays(path, arrays):
    """A file of safetensors, in the order of the arrays: (name, type, shape, bytes). Each name
    must be there once: a second one would damage the file."""
    header, end = {}, 0
    for name, kind, shape, data in arrays:
        if name in header:
            raise ValueError("two arrays are called " + name)
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [end, end + len(data)]}
        end += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    directory = os.path.dirname(path)
    try:
        os.makedirs(directory, exist_ok=True)
        with open(path + ".part", "wb") as out:
            out.write(struct.pack("<Q", len(text)) + text)
            for _, _, _, data in arrays:
                out.write(data)
        os.replace(path + ".part", path)
    except BaseException:                  # the disk is full, or Ctrl-C
        with contextlib.suppress(OSError):
            if os.path.exists(path + ".part"):
                os.remove(path + ".part")
            os.rmdir(directory)            # of the rank and of the step, if nothing is in them
            os.rmdir(os.path.dirname(directory))
        raise
