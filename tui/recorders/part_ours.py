@functools.lru_cache(None)
def is_ours(name):
    """Frames that are not the program's: of this file, of what starts it, of no file at all."""
    return name.startswith("<") or "runpy" in name or \
        os.path.abspath(name) == os.path.abspath(__file__)
