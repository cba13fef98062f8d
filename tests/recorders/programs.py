"""programs.py TABLE RECORDERS TENSORDBG [NAME...]: the programs of programs_TABLE.py, each run
without a recorder and with one. A recorder must never break a program: its output and its exit
status are the same, what was recorded opens without damage, and holds what the row says.

RECORDERS is a directory with record_NAME.py. NAMEs select rows (also a part of a name with a *).
KEEP=DIRECTORY keeps the programs and what they left, VERBOSE=1 names those that pass.

A table is a module with
    PRELOAD   modules that are imported once, before a process is forked for each program ([]: each
              program is a new process: for frameworks that start threads when they are imported)
    ROWS      a list of rows; a program is a dict:

name       unique, letters, digits, _
source     the program. In it $OUT is the directory of the recording. A line "#: CODE" is CODE when
           the program is run with the recorder, and a comment when it is run without: so a program
           uses the recorder's API itself, as in
               #: import record_pytorch
               step = contextlib.nullcontext
               #: step = record_pytorch.Recorder("$OUT", model).step
recorder   "pytorch": the NAME of record_NAME.py
and, where it is needed,
api        True: the program is run as it is, for it has "#:" lines; else as
           record_NAME.py --out $OUT OPTIONS program.py ARGS
options    of the recorder, ["--count", "3"]
args       of the program
files      {"other.py": TEXT}, beside the program
env        {"NAME": "VALUE"}
process    True: a process of its own even where there is PRELOAD
needs      an expression; the row is skipped if it is false or raises ("torch.Tensor.to_sparse_csr",
           evaluated with the PRELOADed modules, or in a new process)
status     the exit status that both must have (0)
stderr     a text that must be in both's stderr
said       a text that must be once in the stderr of the run with the recorder
holds      names of tensors in the recording's last step; or {STEP: names}, steps from 1 on
lacks      names that must not be in that step
runs       how many steps there are
origin     the tensor that `origins` puts first ("" : it finds none)
lines      {name of a tensor: a part of "FILE:LINE FUNCTION: TEXT" of the innermost frame outside
           of libraries that it has in stacks.json; without that file, of what "ni -t" says in the last step}
left_out   texts; each must be in a "WHAT: WHY" of left_out*.json, and each entry must have one
           (without it there must be no entry)
lost       True: a run of it fails, and "doctor" says so
nothing    True: nothing is to be recorded
check      a function of the recording's directory; gives a text if something is wrong
"""
import contextlib
import fnmatch
import glob
import importlib
import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

LIMIT_S = 200
KNOWN = {"name", "source", "recorder", "api", "options", "args", "files", "env", "process", "needs", "said",
         "status", "stderr", "holds", "lacks", "runs", "origin", "lines", "left_out", "lost", "nothing",
         "check"}


def run_here(words):
    """In a forked process: does what "python WORDS" does. Gives its exit status."""
    sys.argv = list(words)
    sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
    try:
        runpy.run_path(words[0], run_name="__main__")
        return 0
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 255
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1


def end_process(status):
    """What Python itself does at the end of a program, as far as programs see it."""
    import atexit
    import threading
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def run(words, directory, row, forks):
    """Status, output and stderr of the program, which is run in its directory."""
    out, err = (os.path.join(directory, name) for name in ("stdout", "stderr"))
    environment = dict(os.environ, **row.get("env", {}))
    if not forks or row.get("process"):
        with open(out, "wb") as o, open(err, "wb") as e:
            child = subprocess.Popen([sys.executable] + words, cwd=directory, stdout=o, stderr=e,
                                     stdin=subprocess.DEVNULL, env=environment,
                                     start_new_session=True)
            try:
                status = child.wait(LIMIT_S)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                status = "no end after %d s" % LIMIT_S
    else:
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            os.setsid()
            signal.alarm(LIMIT_S)
            os.chdir(directory)
            for number, path in ((1, out), (2, err)):
                os.dup2(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC), number)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.environ.update(row.get("env", {}))
            end_process(run_here(words))
        status = os.waitpid(pid, 0)[1]
        status = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    with open(out, errors="replace") as o, open(err, errors="replace") as e:
        return status, o.read(), e.read()


def write_program(directory, row, recording):
    os.makedirs(directory)
    for name, text in dict(row.get("files", {}), **{"program.py": row["source"]}).items():
        text = text.replace("$OUT", recording)
        if recording:
            text = text.replace("#: ", "")
        os.makedirs(os.path.dirname(os.path.join(directory, name)), exist_ok=True)
        with open(os.path.join(directory, name), "w") as out:
            out.write(text)


class Recording:
    """What tensordbg says of it."""

    def __init__(self, program, directory):
        self.program, self.directory = program, directory

    def ask(self, *commands):
        words = [self.program, "--format=json", self.directory]
        for command in commands:
            words += ["-c", command]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
        for answer in answers:
            if not answer["ok"]:
                raise ValueError("%s: %s" % (answer["command"], answer["error"]))
        if len(answers) != len(commands):
            raise ValueError("tensordbg: %s" % done.stderr.decode().strip())
        return answers

    def names(self, steps):
        """Of the tensors of each of these steps (numbers, "last")."""
        commands = []
        for step in steps:
            commands += ["run --last" if step == "last" else "run --to %d" % step, "lt"]
        found = []
        for answer in self.ask(*commands)[1::2] if commands else []:
            found.append([row["tensor"] for row in answer["rows"]])
        return found

    def line_of(self, name):
        """File, line, function and text of the program that a tensor comes from."""
        stacks = os.path.join(self.directory, "stacks.json")
        if os.path.exists(stacks):
            with open(stacks) as text:
                said = json.load(text)
            node = said["nodes"].get(name, said["nodes"].get(name.split(":")[0]))
            if not node:
                return "none"
            own = [said["frames"][frame] for frame in node["stack"]
                   if not said["files"][said["frames"][frame][0]].startswith(
                       tuple(said["library_roots"]))]
            if not own:
                return "none"
            file, line, function, text = own[-1]
            return "%s:%d %s: %s" % (said["files"][file], line, function, text)
        return self.text("run --last", "ni -t " + name)

    def text(self, *commands):
        words = [self.program, self.directory]
        for command in commands:
            words += ["-c", command]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout.decode(errors="replace")


def has_name(names, name):
    return name in names or name + ":0" in names


def wrong_of(row, recording):
    """A line for each thing that the recording has not as the row says."""
    entries = []
    for path in glob.glob(os.path.join(recording.directory, "left_out*.json")):
        with open(path) as text:
            entries += json.load(text)
    expected = row.get("left_out", ())
    told = ["%s: %s" % (entry["what"], entry["why"]) for entry in entries]
    for text in expected:
        if not any(text in entry for entry in told):
            yield "left_out.json has no %r: %s" % (text, told)
    for entry in told:
        if not any(text in entry for text in expected):
            yield "left out: " + entry
    if any(entry["count"] < 1 or entry["first_step"] < 0 for entry in entries):
        yield "left_out.json has a count of 0: %s" % entries
    if row.get("nothing"):
        if glob.glob(os.path.join(recording.directory, "step_*")):
            yield "something was recorded"
        said = row.get("check") and row["check"](recording.directory)
        if said:
            yield said
        return
    runs, doctor = recording.ask("runs", "doctor")
    lost = doctor["summary"]["lost"] > len(entries)
    if doctor["summary"]["damaged"] or lost and not row.get("lost"):
        yield "doctor: %s" % doctor["rows"]
    for about in doctor["rows"]:
        if not entries and not row.get("lost") and about.get("level") in ("damage", "loss"):
            yield "doctor: %s" % about
    if "runs" in row and len(runs["rows"]) != row["runs"]:
        yield "%d steps" % len(runs["rows"])
    holds = row.get("holds", ())
    holds = holds if isinstance(holds, dict) else {"last": holds}
    steps = list(dict.fromkeys(list(holds) + ["last"]))
    found = dict(zip(steps, recording.names(steps)))
    for step in holds:
        for name in holds[step]:
            if not has_name(found[step], name):
                yield "step %s has no %s: %s" % (step, name, " ".join(found[step]))
    for name in row.get("lacks", ()):
        if has_name(found["last"], name):
            yield "there is a tensor %s" % name
    if "origin" in row:
        said = recording.ask("origins")[0]["value"]["origins"]
        first = "%(node)s:%(slot)d" % said[0] if said else ""
        if row["origin"] not in (first, first.rpartition(":")[0]):
            yield "the origin is %s" % (first or "none")
    for name, text in row.get("lines", {}).items():
        said = recording.line_of(name)
        if text not in said:
            yield "the line of %s is another one: %s" % (name, said)
        elif name == row.get("origin") and os.path.exists(recording.directory + "/stacks.json"):
            place = os.path.basename(said.split(" ")[0]) + "("
            if place not in recording.text("overview"):
                yield "overview does not name %s) as the line of the origin" % place
    if "check" in row:
        said = row["check"](recording.directory)
        if said:
            yield said


def try_row(row, recorders, program, scratch, forks):
    """What is wrong with it, in lines."""
    unknown = set(row) - KNOWN
    if unknown:
        return ["the row has unknown keys: %s" % " ".join(unknown)]
    directory = os.path.join(scratch, row["name"])
    out = os.path.join(directory, "recording")
    plain, recorded = (os.path.join(directory, name) for name in ("plain", "recorded"))
    write_program(plain, row, "")
    write_program(recorded, row, out)
    words = ["program.py"] + list(row.get("args", ()))
    without = run(words, plain, row, forks)
    if not row.get("api"):
        words = ([os.path.join(recorders, "record_%s.py" % row["recorder"]), "--out", out]
                 + list(row.get("options", ())) + words)
    with_it = run(words, recorded, row, forks)
    wrong = []
    if without[0] != row.get("status", 0):
        wrong.append("without the recorder it ends with %s: %s" % (without[0], without[2][-2000:]))
    if with_it[0] != without[0]:
        wrong.append("it ends with %s: %s" % (with_it[0], with_it[2][-2000:]))
    if with_it[1] != without[1]:
        wrong.append("another output: %r, not %r" % (with_it[1], without[1]))
    for said in (without[2], with_it[2]):
        if row.get("stderr", "") not in said:
            wrong.append("no %r in stderr: %s" % (row["stderr"], said[-2000:]))
    if row.get("said", "") not in with_it[2] or with_it[2].count(row.get("said", "\0")) > 1:
        wrong.append("not once %r in stderr: %s" % (row["said"], with_it[2][-2000:]))
    if not wrong:
        try:
            wrong += wrong_of(row, Recording(program, out))
        except Exception as why:
            wrong.append("%s: %s" % (type(why).__name__, why))
            wrong.append(with_it[2][-2000:])
    return wrong


def is_here(row, preloaded):
    if "needs" not in row:
        return True
    try:
        return bool(eval(row["needs"], dict(preloaded)))
    except Exception:
        return False


def main():
    table, recorders, program, *wanted = sys.argv[1:]
    recorders, program = os.path.abspath(recorders), os.path.abspath(program)
    module = importlib.import_module("programs_" + table)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [recorders] + [path for path in [os.environ.get("PYTHONPATH")] if path])
    sys.path.insert(1, recorders)
    for name in module.PRELOAD:
        importlib.import_module(name)
    preloaded = {name.split(".")[0]: sys.modules[name.split(".")[0]] for name in module.PRELOAD}
    keep = os.environ.get("KEEP")
    scratch = keep or tempfile.mkdtemp()
    passed = failed = skipped = 0
    try:
        for row in module.ROWS:
            if wanted and not any(fnmatch.fnmatch(row["name"], name) for name in wanted):
                continue
            if not is_here(row, preloaded):
                skipped += 1
                continue
            if keep:
                shutil.rmtree(os.path.join(scratch, row["name"]), ignore_errors=True)
            wrong = try_row(row, recorders, program, scratch, bool(module.PRELOAD))
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong or os.environ.get("VERBOSE"):
                print("%s: %s" % (row["name"], "\n    ".join(wrong)), flush=True)
    finally:
        if not keep:
            shutil.rmtree(scratch, ignore_errors=True)
    if skipped:
        print("%d skipped: not in this version" % skipped)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
