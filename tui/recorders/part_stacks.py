LIBRARIES = [os.path.dirname(tf.__file__), os.path.dirname(os.path.dirname(ops.__file__)),
             sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")]


def stack_of(op):
    """File, line, function and text of the frames that made it, without those of this file."""
    for frame in op.traceback or ():
        name, line, function, text = tuple(frame)[:4]
        if not is_ours(name):
            yield name, line or 0, function, text or linecache.getline(name, line or 0).strip()


def replace_file(path, data):
    """Writes it whole, or leaves what was there."""
    with open(path + ".part", "wb") as out:
        out.write(data)
    os.replace(path + ".part", path)


def write_graph(directory, graph):
    """Writes the whole graph (graph.pb), and which line of the program made each node of it
    (stacks.json); the program's own files are kept in there as they are now."""
    files, frames, nodes, sources = {}, {}, {}, {}
    for op in graph.get_operations():
        stack = [frames.setdefault((files.setdefault(name, len(files)),) + tuple(rest), len(frames))
                 for name, *rest in stack_of(op)]
        nodes[op.name] = {"op": op.type, "outputs": len(op.outputs), "stack": stack}
    for name in files:
        if os.path.isfile(name) and not os.path.abspath(name).startswith(tuple(LIBRARIES)):
            with open(name, encoding="utf-8", errors="replace") as source:
                sources[name] = source.read()
    os.makedirs(directory, exist_ok=True)
    replace_file(os.path.join(directory, "stacks.json"), json.dumps(
        {"format": "tensordbg-stacks", "version": 1, "cwd": os.getcwd(),
         "library_roots": LIBRARIES, "files": list(files), "frames": list(frames),
         "nodes": nodes, "sources": sources}).encode())
    replace_file(os.path.join(directory, "graph.pb"), graph.as_graph_def().SerializeToString())
