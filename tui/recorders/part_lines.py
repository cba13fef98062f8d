class Lines:
    """Which lines of the program the arrays come from, for ls and ps: stacks.json. Only frames of
    the program's own files count, not those of libraries, of this file, of compiled text."""

    def __init__(self, directory, *libraries):
        self.path = os.path.join(directory, "stacks.json")
        paths = sysconfig.get_paths()
        self.libraries = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
        self.libraries += [os.path.dirname(library.__file__) for library in libraries]
        self.libraries = list(dict.fromkeys(self.libraries))
        self.files, self.frames, self.nodes, self.written = {}, {}, {}, -1
        self.own = dict.fromkeys(OWN_FILES, False)     # files seen: are they the program's own?

    def is_own(self, file):
        if file not in self.own:
            path = os.path.abspath(file)
            inside = any(path.startswith(root + os.sep) for root in self.libraries)
            self.own[file] = not (inside or path in OWN_FILES
                                  or "/site-packages/" in path or "/dist-packages/" in path
                                  or file.startswith("<") and file != "<stdin>")
        return self.own[file]

    def stack(self, frame=None):
        """The frames of the program that are run now, or from this one on, outermost first."""
        stack, frame = [], frame or sys._getframe(1)
        while frame:
            code = frame.f_code
            if self.is_own(code.co_filename):
                key = (code.co_filename, frame.f_lineno, code.co_name)
                stack.append(self.frames.setdefault(key, len(self.frames)))
            frame = frame.f_back
        return stack[::-1]

    def add(self, name, kind):
        """The line that is run now, and those that called it, unless the name has one."""
        if name not in self.nodes:
            stack = self.stack(sys._getframe(1))
            if stack:
                self.nodes[name] = {"op": kind, "outputs": 1, "stack": stack}

    def same(self, name, as_name):
        """A name that comes from the line of another one."""
        if as_name in self.nodes:
            self.nodes.setdefault(name, self.nodes[as_name])

    def write(self):
        if self.written == len(self.nodes):
            return
        files, frames, sources = {}, [], {}
        for file, line, function in list(self.frames):
            frames.append((files.setdefault(file, len(files)), line, function,
                           linecache.getline(file, line).strip()))
        for name in files:
            if os.path.isfile(name):
                with contextlib.suppress(OSError), open(name, encoding="utf-8",
                                                        errors="replace") as source:
                    sources[name] = source.read()
        nodes = dict(self.nodes)
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path + ".part", "w") as out:
            json.dump({"format": "tensordbg-stacks", "version": 1, "cwd": os.getcwd(),
                       "library_roots": self.libraries, "files": list(files), "frames": frames,
                       "nodes": nodes, "sources": sources}, out)
        os.replace(self.path + ".part", self.path)
        self.written = len(nodes)
