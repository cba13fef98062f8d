"""facts.py PROGRAM FOLDER: compares `lt`, `pt`, `runs` and `run` with what the writing TensorFlow's own reader said of
each dump.

FOLDER holds NAME.facts.json beside the dump NAME; "data" has a line for each dump in time order:
TENSOR DEBUGOP MICROSECONDS FILE_BYTES DTYPE SHAPE. Of a directory of runs "by_directory" has an object for each run.
NAME.run_info.json has for each run, by its number, the "lines" of TensorFlow's run_info and the one-line description
"desc", which are compared with `run_info` and the title.
"""
import glob
import json
import os
import re
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


def run_differences(row, rows, fact):
    """One run of a root: its row in `runs`, its rows in `lt`, what TensorFlow said."""
    meta = fact["core_metadata"]
    device = [d.replace("_tfdbg_device_", "").replace(",", "/") for d in fact["devices"]]
    wanted = {
        "run": fact["run"], "fetches_text": fact["fetches_info"] or None, "feeds_text": fact["feed_keys_info"] or None,
        "graph_files": fact["graph_files"], "core_metadata": meta if isinstance(meta, list) else [meta],
        "tensors": fact["dumped_tensors"], "bytes": fact["dump_size_bytes"],
        "t0_us": fact["t0"] if fact["dumped_tensors"] else None,
    }
    for key, want in wanted.items():
        if row[key] != want:
            yield "run %d: %s is %s, wanted %s" % (fact["run"], key, row[key], want)
    if [d.replace(":", "_") for d in row["devices"]] != device:
        yield "run %d: devices are %s, wanted %s" % (fact["run"], row["devices"], device)
    hits, first = row["hits"], fact["first_inf_or_nan"]
    if hits["tensors"] != len(fact["inf_or_nan"]):
        yield "run %d: %d hits, wanted %d" % (fact["run"], hits["tensors"], len(fact["inf_or_nan"]))
    if first and "%s %s" % (hits["first"], hits["debug_op"]) != first:
        yield "run %d: first hit is %s, wanted %s" % (fact["run"], hits["first"], first)
    order = ["%s %s %d" % (r["tensor"], r["debug_op"], r["time_us"]) for r in rows]
    if order != fact["time_order"]:
        yield "run %d: another order of tensors" % fact["run"]


def root_differences(program, root, facts):
    by_run = sorted(facts["by_directory"].items(), key=lambda item: item[1]["run"])
    commands = ["runs -f has_inf_or_nan"]
    for _, fact in by_run:
        commands += ["run --to %d" % fact["run"], "lt"]
    commands += ["run --to 0", "run -f has_inf_or_nan"]
    answers = ask(program, root, commands)
    rows = answers[0]["rows"]
    if list(facts["by_directory"]) != ["."] and [r["directory"] for r in rows] != [name for name, _ in by_run]:
        yield "other runs, or another order"
    for i, (row, (_, fact)) in enumerate(zip(rows, by_run)):
        for line in run_differences(row, answers[2 + 2 * i]["rows"], fact):
            yield line
    hit = (answers[-1].get("value") or {}).get("hit") or {}
    if len(rows) > 1 and hit.get("run") != facts["first_run_with_inf_or_nan"]:
        yield "first run with a hit is %s, wanted %s" % (hit.get("run"), facts["first_run_with_inf_or_nan"])


def listed_names(lines):
    """What is listed as fetched and fed."""
    begin, end = lines.index("Fetch(es):"), lines.index("=" * 38, lines.index("Fetch(es):"))
    return [line[2:] for line in lines[begin:end] if line.startswith("  ")]


def plain(desc):
    """A description without the names in it."""
    return re.sub(r" \(.*?\)(?=;|$)", "", desc)


def told_differences(program, root, told):
    """What TensorFlow said of fetches and feeds. An object whose text is nowhere in the dump counts as told if all tensors
    that its text names are, and if nothing is that it does not have."""
    runs = sorted(told, key=int)
    argv = [program, root, "--echo"]
    for run in runs:
        argv += ["-c", "run --to " + run, "-c", "run_info"]
    text = subprocess.run(argv, stdout=subprocess.PIPE).stdout.decode("utf-8", "surrogateescape")
    answers = re.split("(?m)^tensordbg> .*\n", text)[1:]
    rows = ask(program, root, ["runs"])[0]["rows"]
    for i, run in enumerate(runs):
        row, want = rows[int(run) - 1], told[run]
        title, lines = answers[2 * i].split("\n")[0].replace("run-end: ", ""), answers[2 * i + 1].split("\n")
        begin = lines.index("=" * 38)
        lines = lines[begin:begin + len(want["lines"])]
        if " object at 0x" not in "%s%s" % (row["fetches_text"], row["feeds_text"]):
            if lines != want["lines"] or title != want["desc"]:
                yield "run %s: %s %s, wanted %s %s" % (run, title, lines, want["desc"], want["lines"])
            continue
        names, wanted = listed_names(lines), listed_names(want["lines"])
        tensors = [re.findall(r'Tensor\("([^"]*)"', name) or [name] for name in wanted]
        meta = row["core_metadata"][-1]
        known = wanted + meta["input_names"] + meta["output_names"] + meta["target_nodes"]
        if plain(title) != plain(want["desc"]) or set(sum(tensors, [])) - set(names) or set(names) - set(known):
            yield "run %s: %s %s, wanted %s %s" % (run, title, names, want["desc"], wanted)


def main():
    program, folder = sys.argv[1:]
    passed = failed = 0
    for path in sorted(glob.glob(os.path.join(folder, "*.facts.json"))):
        with open(path) as f:
            facts = json.load(f)
        dump, data, runs = path[:-len(".facts.json")], facts.get("data"), facts.get("by_directory")
        found = list(differences(program, dump, data)) if data else []
        found += list(root_differences(program, dump, facts)) if runs else []
        if os.path.exists(dump + ".run_info.json"):
            with open(dump + ".run_info.json") as f:
                found += list(told_differences(program, dump, json.load(f)))
        for line in found[:5]:
            print("%s: %s" % (os.path.basename(path), line))
        passed += not found
        failed += bool(found)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


sys.exit(main())
