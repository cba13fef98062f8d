class Lines:
    """Which lines of the program the arrays come from, for ls and ps: stacks.json."""

    def __init__(self, directory, *libraries):
        self.path = os.path.join(directory, "stacks.json")
        self.libraries = [sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")]
        self.libraries += [os.path.dirname(library.__file__) for library in libraries]
        self.files, self.frames, self.nodes, self.written = {}, {}, {}, 0

    def add(self, name, kind):
        """The line that is run now, and those that called it, unless the name has one."""
        stack, frame = [], None if name in self.nodes else sys._getframe(1)
        while frame:
            file, function, line = frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno
            if file != __file__ and "runpy" not in file:
                key = (self.files.setdefault(file, len(self.files)), line, function,
                       linecache.getline(file, line).strip())
                stack.append(self.frames.setdefault(key, len(self.frames)))
            frame = frame.f_back
        if stack:
            self.nodes[name] = {"op": kind, "outputs": 1, "stack": stack[::-1]}

    def same(self, name, as_name):
        """A name that comes from the line of another one."""
        if as_name in self.nodes:
            self.nodes.setdefault(name, self.nodes[as_name])

    def write(self):
        if self.written == len(self.nodes):
            return
        self.written, sources = len(self.nodes), {}
        for name in self.files:
            if os.path.isfile(name) and not os.path.abspath(name).startswith(
                    tuple(self.libraries)):
                with open(name, encoding="utf-8", errors="replace") as source:
                    sources[name] = source.read()
        with open(self.path, "w") as out:
            json.dump({"format": "tensordbg-stacks", "version": 1, "cwd": os.getcwd(),
                       "library_roots": self.libraries, "files": list(self.files),
                       "frames": list(self.frames), "nodes": self.nodes,
                       "sources": sources}, out)
