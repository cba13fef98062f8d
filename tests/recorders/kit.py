"""What the programs of tests/recorders have in common. They are called with the directory to
record to; there known.npy is left, the value that TENSOR has to have in what was recorded."""
import importlib
import os
import sys
import time

OUT = os.path.abspath(sys.argv[1])
RECORDING = os.path.join(OUT, "recording")
STEPS = 20


def need(module, is_right=lambda module: True, why=""):
    """The module, or the program ends: what it tests is not here."""
    try:
        found = importlib.import_module(module)
    except ImportError as missing:
        found = None
        why = str(missing)
    if found is None or not is_right(found):
        print("skipped: " + why)
        sys.exit(77)
    return found


def keep(value):
    import numpy as np
    np.save(os.path.join(OUT, "known.npy"), np.asarray(value))


def fastest(step):
    """Of STEPS, after a first one, in ms of the processor: what else the machine does adds little
    to that, and nothing to the fastest."""
    times = []
    step()
    for _ in range(STEPS):
        began = time.process_time()
        step()
        times.append(time.process_time() - began)
    return min(times) * 1000


def tell_cost(plain, recorded):
    """The times of a step, without and with the recorder."""
    times = fastest(plain), fastest(recorded)
    print("cost: a step takes %.2f ms of CPU, recorded %.2f ms, %.1f times as much"
          % (times[0], times[1], times[1] / times[0]))
