class Step(contextlib.ContextDecorator):
    """With a step's begin and end; a class, so that no frame of it is in a traceback."""

    def __init__(self, recorder):
        self.recorder = recorder

    def __enter__(self):
        self.recorder.begin()
        return self.recorder

    def __exit__(self, *why):
        self.recorder.end()


class Stepping:
    """What a recorder has whose steps the program says."""

    depth = 0
    asked = False                      # has record() been called?

    def __deepcopy__(self, memo):
        return self                        # of what has it: a model, say

    def __reduce__(self):
        return self.made, ()               # another process has one of its own

    def finish(self):
        """The program ends."""
        if self.asked and self.steps.number < 0:
            self.left_out.add("record", "no step() was begun, and only in a step is recorded")
        self.left_out.note_missed(self.steps, self.steps.number + 1, "no step() was begun")
        self.left_out.write()

    def step(self):
        """What is recorded within it belongs to one step."""
        return Step(self)

    @guarded
    def begin(self):
        self.depth += 1
        if self.depth > 1:
            self.left_out.add("step", "within another one, to which it belongs")
        elif self.steps.next():
            self.begin_recorded()

    def end(self):
        self.depth = max(0, self.depth - 1)
        if not self.depth:
            with self.left_out.guard("step %d" % self.steps.number):
                self.end_recorded()
            self.left_out.write()
