import kit

np = kit.need("numpy")
import record_numpy                                               # noqa: E402

random = np.random.RandomState(0)
w = [random.uniform(-0.1, 0.1, shape) for shape in ((784, 256), (256, 128), (128, 10))]
images = random.rand(64, 784)


def step(recorder=None):
    h = images
    for i, weights in enumerate(w):
        weights *= 1.001
        h = np.maximum(h @ weights, 0)
        if recorder:
            recorder.record("layer/h", h)
    return h


recorder = record_numpy.Recorder(kit.RECORDING, first=1, every=2, count=2)
for i in range(6):
    with recorder.step():
        value = step(recorder)
    if i == 3:
        kit.keep(value)
every = record_numpy.Recorder(kit.OUT + "/every", count=None, keep=2)


def recorded():
    with every.step():
        step(every)


kit.tell_cost(step, recorded)
