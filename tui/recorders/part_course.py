class Loop:
    """Parts that are run again and again: in a scan `turns` times; None: it is not known."""

    def __init__(self, parts, turns):
        self.parts, self.turns, self.taps = parts, turns, taps_of(parts)


class Choice:
    """Of these lists of parts one is run."""

    def __init__(self, branches):
        self.branches = [(parts, taps_of(parts)) for parts in branches]
        self.taps = set().union(*(taps for _, taps in self.branches))


def taps_of(parts):
    return set().union(*(part.taps if isinstance(part, (Loop, Choice)) else {part}
                         for part in parts))


def parts_of(jaxpr, tap_of, known=None):
    """The taps of a jaxpr in the order of its equations, those in loops and branches as such.
    tap_of(equation) is the tap that an equation is, or None."""
    known = {} if known is None else known
    if id(jaxpr) not in known:
        parts = []
        for equation in jaxpr.eqns:
            tap = tap_of(equation)
            inner = [] if tap else [parts_of(below, tap_of, known)
                                    for value in equation.params.values()
                                    for below in jaxprs_in(value)]
            if tap:
                parts.append(tap)
            elif equation.primitive.name in ("scan", "while") and any(inner):
                parts.append(Loop(sum(inner, []), equation.params.get("length")))
            elif equation.primitive.name == "cond" and any(inner):
                parts.append(Choice(inner))
            else:
                parts += sum(inner, [])
        known[id(jaxpr)] = parts
    return known[id(jaxpr)]


def jaxprs_in(value):
    if hasattr(value, "eqns"):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from jaxprs_in(part)


class Course:
    """Puts what came from a compiled program (Arrivals of one device) into the order in which the
    program has its parts: they may be computed in any order that gives the same values, and what
    comes from them is not ordered. Only where the program itself decides how often a part is run
    (while, cond) the order of arriving tells."""

    def __init__(self, arrivals):
        self.waiting = {}
        for arrival in arrivals:
            self.waiting.setdefault(arrival.tap, collections.deque()).append(arrival)
        self.taken = []

    def first(self, taps):
        """Of what waits, when the first came."""
        return min((self.waiting[tap][0].number for tap in taps if self.waiting.get(tap)),
                   default=math.inf)

    def run(self, parts, bound=math.inf):
        """Takes what one run of the parts gave. What the program decides about belongs to a later
        run if it came after the bound, or after what comes once in every run and shall follow."""
        left = collections.Counter(part for part in parts if not isinstance(part, (Loop, Choice)))
        for part in parts:
            if part in left:
                left[part] -= 1
                if self.waiting.get(part):
                    self.taken.append(self.waiting[part].popleft())
                continue
            end = min([bound] + [self.waiting[tap][0].number for tap, n in left.items()
                                 if len(self.waiting.get(tap, ())) > n])
            if isinstance(part, Loop):
                turns, before = 0, -1
                last = end if part.turns is None else math.inf
                while (turns != part.turns and before != len(self.taken)
                       and self.first(part.taps) < last):
                    turns, before = turns + 1, len(self.taken)
                    self.run(part.parts, end)
            else:
                came = [self.first(taps) for _, taps in part.branches]
                if min(came) < end:
                    self.run(part.branches[came.index(min(came))][0], end)


def in_order(arrivals):
    """Arrivals in the order of the program: those of what is compiled as Course says, at the place
    where the first of them came; others (program None) as they came."""
    programs, keys = {}, {}
    for arrival in arrivals:
        if arrival.program is None:
            keys[arrival] = (arrival.number, 0, 0)
        else:
            programs.setdefault(arrival.program, {}).setdefault(arrival.device, []).append(arrival)
    alone = [arrival.number for arrival in keys]
    for program, devices in programs.items():
        runs, first = [], {}
        once = any(not isinstance(part, (Loop, Choice)) for part in program.parts)
        for device, came in devices.items():
            course, n = Course(came), 0
            while True:
                start = course.first(course.waiting)
                if start == math.inf:
                    break
                course.taken = []
                later = bisect.bisect(alone, start)
                course.run(program.parts, math.inf if once or later == len(alone)
                           else alone[later])
                if not course.taken:               # they are not where the program has them
                    course.taken = sorted((a for w in course.waiting.values() for a in w),
                                          key=lambda arrival: arrival.number)
                    course.waiting = {}
                runs.append((n, device, course.taken))
                first[n] = min(first.get(n, start), start)
                n += 1
        for n, device, taken in runs:
            for place, arrival in enumerate(taken):
                keys[arrival] = (first[n], place, device)
    return sorted(arrivals, key=keys.get)
