OWN_FILES = __file__, os.path.abspath(__file__)       # now: when a program ends it has no __file__


class LeftOut:
    """What could not be recorded, and why: each reason once on stderr, and all of it in
    left_out.json. Whatever goes wrong within `with left_out.guard(WHAT):` ends there: a recorder
    never breaks the program."""

    MOST = 1000                            # entries of the file; more of a reason join "more"

    def __init__(self, directory, steps=None, rank=lambda: 0):
        self.directory, self.steps, self.rank = directory, steps, rank
        self.entries, self.reasons, self.pid = {}, set(), os.getpid()
        self.changed = True                # also if there are none, and an older file is there

    def add(self, what, why, step=None):
        """`what` is a name, a dtype or a step, `why` a line or an exception."""
        kind = type(why).__name__ + ": " if isinstance(why, BaseException) else ""
        what, why = in_words(what), (kind + in_words(why))[:300]
        if step is None:
            step = max(0, self.steps.number) if self.steps else 0
        if why not in self.reasons:
            self.reasons.add(why)
            self.note("left out: %s: %s" % (what, why))
        if (what, why) not in self.entries and len(self.entries) >= self.MOST:
            what, why = "more", "more than %d entries" % self.MOST
        entry = self.entries.setdefault((what, why), {"what": what, "why": why, "count": 0,
                                                      "first_step": step})
        entry["count"] += 1
        self.changed = True

    def note(self, text):
        name = os.path.splitext(os.path.basename(OWN_FILES[0]))[0]
        try:
            sys.stderr.write("%s: %s\n" % (name, text))
        except Exception:                  # there may be no stderr
            pass

    def note_older(self, pattern):
        """Before a first step is written: says that earlier ones are there, which look like this
        in the directory."""
        if not self.rank() and "older" not in self.reasons:
            self.reasons.add("older")
            if glob.glob(os.path.join(glob.escape(self.directory), pattern)):
                self.note("%s already holds recorded steps: what is not recorded anew stays"
                          % in_words(self.directory))

    def note_missed(self, steps, had, why):
        """At the program's end: says why no step was recorded, if nothing else did. why: that is
        so of a program that `had` none."""
        if steps.written or steps.count == 0 or self.entries or self.pid != os.getpid() or \
                self.rank():
            return
        count = "%d step%s" % (had, "s" * (had != 1))
        if 0 < had <= steps.first:
            why = "the program had %s, first is %d" % (count, steps.first)
        elif had:
            why = "nothing to record came in its " + count
        if why:
            self.note("no step was recorded: " + why)

    def guard(self, what):
        return Guard(self, what)

    def write(self):
        """When a step ends, and when the program does; not in a process that was forked."""
        if not self.changed or self.pid != os.getpid():
            return
        self.changed = False
        try:
            rank = self.rank()
            path = os.path.join(self.directory,
                                "left_out_rank%d.json" % rank if rank else "left_out.json")
            if not self.entries and not os.path.exists(path):
                return
            os.makedirs(self.directory, exist_ok=True)
            with open(path + ".part", "w") as out:
                json.dump(list(self.entries.values()), out, indent=1)
            os.replace(path + ".part", path)
        except Exception as why:
            if "write" not in self.reasons:
                self.reasons.add("write")
                self.note("left out: left_out.json: %s" % why)


def in_words(value):
    """At most 300 characters on a line, also of a value whose str() raises."""
    try:
        return " ".join(str(value).split())[:300]
    except Exception:
        return "(%s)" % type(value).__name__


class Guard:
    """What goes wrong within it is left out. The program's own end passes (KeyboardInterrupt,
    SystemExit)."""

    def __init__(self, left_out, what):
        self.left_out, self.what = left_out, what

    def __enter__(self):
        return self

    def __exit__(self, kind, why, trace):
        if kind is None or not issubclass(kind, Exception):
            return False
        self.left_out.add(self.what, why)
        return True


def guarded(method):
    """A method of an object with left_out: what goes wrong in it is left out, and it gives
    None."""
    @functools.wraps(method)
    def call(self, *arguments, **named):
        with self.left_out.guard(method.__name__):
            return method(self, *arguments, **named)

    return call
