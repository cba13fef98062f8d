"""facts.py PROGRAM FOLDER: compares `lt` and `pt` with what the writing TensorFlow's own reader said of each dump.

FOLDER holds NAME.facts.json beside the dump NAME; "data" has a line for each dump in time order:
TENSOR DEBUGOP MICROSECONDS FILE_BYTES DTYPE SHAPE.
"""
import glob
import json
import os
import subprocess
import sys


def ask(program, dump, commands):
    argv = [program, "--format=json", "--keep-going", dump]
    for command in commands:
        argv += ["-c", command]
    out = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return [json.loads(line) for line in out.decode("utf-8", "surrogateescape").splitlines()]


def listed(row):
    return "%s %s %d %d" % (row["tensor"], row["debug_op"], row["time_us"], row["size_bytes"])


def differences(program, dump, data):
    rows = ask(program, dump, ["lt"])[0]["rows"]
    wanted = [line.split(" ", 5) for line in data]
    got = [listed(row) for row in rows]
    for have, want in zip(got, [" ".join(w[:4]) for w in wanted]):
        if have != want:
            yield "%s, wanted %s" % (have, want)
    if len(got) != len(wanted):
        yield "%d dumps, wanted %d" % (len(got), len(wanted))
    # Values of tensors that were dumped once, by name and device: one command each, all in one session.
    once = [(r, w) for r, w in zip(rows, wanted) if sum(x["tensor"] == r["tensor"] for x in rows) == 1]
    answers = ask(program, dump, ["pt %s -D %s" % (r["tensor"], r["device"]) for r, _ in once])
    for answer, (row, want) in zip(answers, once):
        value = answer.get("value") or {}
        shape = value.get("shape") if value.get("state") == "array" else None
        if want[5] != "None" and (str(shape) != want[5] or value["dtype"] != want[4].replace("object", "string")):
            yield "%s is %s %s, wanted %s %s" % (row["tensor"], value.get("dtype"), shape, want[4], want[5])


def main():
    program, folder = sys.argv[1:]
    passed = failed = 0
    for path in sorted(glob.glob(os.path.join(folder, "*.facts.json"))):
        with open(path) as f:
            data = json.load(f).get("data")
        found = list(differences(program, path[:-len(".facts.json")], data)) if data else []
        for line in found[:5]:
            print("%s: %s" % (os.path.basename(path), line))
        passed += not found
        failed += bool(found)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


sys.exit(main())
