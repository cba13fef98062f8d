@functools.lru_cache(None)
def is_ours(name):
    """Frames that are not the program's: of this file, of what starts it, of no file at all."""
    return name.startswith("<") or "runpy" in name or \
        name in OWN_FILES or os.path.abspath(name) in OWN_FILES
