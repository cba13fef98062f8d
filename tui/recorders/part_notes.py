def note_older(recorder, inside):
    """Before a first step is written: says that earlier ones are there, with a directory `inside`
    each."""
    left_out = recorder.left_out
    if recorder.steps.paths or left_out.rank() or "older" in left_out.reasons:
        return
    left_out.reasons.add("older")
    with contextlib.suppress(OSError):
        for entry in os.scandir(recorder.root):
            if entry.name.startswith("step_") and os.path.isdir(os.path.join(entry.path, inside)):
                left_out.note("%s already holds recorded steps: what is not recorded anew stays"
                              % in_words(recorder.root))
                return


def note_missed(recorder, had):
    """At the program's end: says that it had no more steps than were to be passed over."""
    first, of_program = recorder.steps.first, recorder.left_out.pid == os.getpid()
    if not recorder.steps.paths and 0 < had <= first and recorder.steps.count != 0 and of_program:
        recorder.left_out.note("no step was recorded: the program had %d step%s, first is %d"
                               % (had, "s" * (had != 1), first))
