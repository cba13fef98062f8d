class Steps:
    """Which steps are recorded: from `first` on each `every`-th one, `count` of them (None: all
    that come), of which the newest `keep` stay on disk (0: all)."""

    def __init__(self, first=0, every=1, count=20, keep=0):
        self.first, self.every, self.count, self.keep = first, every, count, keep
        self.number, self.written = -1, 0
        self.paths = []

    def next(self):
        """Another step begins: is it to be recorded?"""
        self.number += 1
        behind = self.number - self.first
        if behind < 0 or behind % self.every:
            return False
        return self.count is None or behind // self.every < self.count

    def add(self, path, is_first_rank=True):
        """This is where it is recorded: a directory or a file."""
        self.written += 1
        if is_first_rank:
            self.paths.append(path)
        while self.keep and len(self.paths) > self.keep:
            old = self.paths.pop(0)
            if os.path.isdir(old):
                shutil.rmtree(old, ignore_errors=True)
            elif os.path.exists(old):
                os.remove(old)
