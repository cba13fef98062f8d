import kit

jax = kit.need("jax")
import numpy as np                                                # noqa: E402
import jax.numpy as jnp                                           # noqa: E402
import record_jax                                                 # noqa: E402

random = np.random.RandomState(0)
start = {"w%d" % i: jnp.asarray(random.uniform(-0.1, 0.1, shape), jnp.float32)
         for i, shape in enumerate(((784, 256), (256, 128), (128, 10)))}


def make_step(recorder=None):
    def keep(name, value):
        return recorder.record(name, value) if recorder else value

    def loss(params, images, digits):
        h = images
        for i in range(2):
            h = keep("h%d" % i, jax.nn.relu(h @ params["w%d" % i]))
        logits = keep("half", (h @ params["w2"]).astype(jnp.bfloat16)).astype(jnp.float32)
        return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(64), digits])

    @jax.jit
    def update(params, images, digits):
        gradients = jax.grad(loss)(params, images, digits)
        return jax.tree_util.tree_map(lambda p, g: p - 0.01 * g, params, gradients), gradients

    def step(params):
        images = jnp.asarray(random.rand(64, 784), jnp.float32)
        params, gradients = update(params, images, random.randint(0, 10, 64))
        keep("params", params)
        return jax.block_until_ready(params)
    return step


recorder = record_jax.Recorder(kit.RECORDING, first=1, every=2, count=2)
params, step = start, make_step(recorder)
for i in range(6):
    with recorder.step():
        params = step(params)
    if i == 3:
        kit.keep(params["w1"])
every = record_jax.Recorder(kit.OUT + "/every", count=None, keep=2)
plain, with_recorder = make_step(), make_step(every)


def recorded():
    with every.step():
        with_recorder(start)


kit.tell_cost(lambda: plain(start), recorded)
with record_jax.profile(kit.OUT + "/profile"):
    none = record_jax.Recorder(kit.OUT + "/none", count=0)
    for _ in range(3):
        with none.step():
            plain(start)
