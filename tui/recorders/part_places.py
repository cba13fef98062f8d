class Places:
    """What each step of a recording is in the program, for answers: steps.json. `ended` is false
    while a call that is recorded may be cut short, and after one that failed."""

    def __init__(self, directory, left_out, most=0):
        self.path, self.left_out = os.path.join(directory, "steps.json"), left_out
        self.steps, self.ended, self.run_id, self.most = [], True, "", most

    def write(self, ended):
        self.ended = ended
        with self.left_out.guard("steps.json"):
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            with open(self.path + ".part", "w") as out:
                json.dump({"format": "tensordbg-steps", "version": 1, "run_id": self.run_id,
                           "ended": ended, "most": self.most, "steps": self.steps}, out)
            os.replace(self.path + ".part", self.path)
        self.left_out.write()
