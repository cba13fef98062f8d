def note_older(recorder, inside):
    """Before a first step is written: says that earlier ones are there, with a directory `inside`
    each."""
    left_out = recorder.left_out
    if recorder.steps.written or left_out.rank() or "older" in left_out.reasons:
        return
    left_out.reasons.add("older")
    with contextlib.suppress(OSError):
        for entry in os.scandir(recorder.root):
            if entry.name.startswith("step_") and os.path.isdir(os.path.join(entry.path, inside)):
                left_out.note("%s already holds recorded steps: what is not recorded anew stays"
                              % in_words(recorder.root))
                return


def note_missed(recorder, had, why="no step() was begun"):
    """At the program's end: says why no step was recorded, if nothing else did. why: that is so of
    a program that `had` none."""
    steps, left_out = recorder.steps, recorder.left_out
    if steps.written or steps.count == 0 or left_out.entries or left_out.pid != os.getpid():
        return
    if 0 < had <= steps.first:
        why = "the program had %d step%s, first is %d" % (had, "s" * (had != 1), steps.first)
    elif had:
        why = "nothing in it can be recorded"
    left_out.note("no step was recorded: " + why)
