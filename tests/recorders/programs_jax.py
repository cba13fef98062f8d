"""Programs of JAX: see programs.py."""

PRELOAD = ["jax"]

BEGIN = '''
import contextlib
import jax
import jax.numpy as jnp
import numpy as np
class Plain:
    record = staticmethod(lambda name, tree: tree)
    step = contextlib.nullcontext
recorder = Plain()
#: import record_jax
#: recorder = record_jax.Recorder("$OUT")
record = recorder.record
x = jnp.arange(1.0, 4.0)
def f(x):
    h = record("h", jnp.sin(x))
    l = record("l", jnp.log(h + 2))
    return l.sum()
'''
LOOP = '''
for i in range(2):
    with recorder.step():
        print([np.asarray(a) for a in jax.tree_util.tree_leaves(({call}))])
'''
BOTH = ["h", "l", "l.grad", "h.grad"]


def whole(name, source, **row):
    return dict({"recorder": "jax", "api": True}, name=name, source=BEGIN + source, **row)


def calls(name, call, source="", **row):
    """A program that makes two steps of a call."""
    return whole(name, source + LOOP.format(call=call), **dict({"runs": 2}, **row))


def in_order(*names):
    """A check: the tensors of the first step are these, in this order."""
    def check(directory):
        import json
        with open(directory + "/step_0/rank0/arrays.safetensors", "rb") as data:
            header = json.loads(data.read(int.from_bytes(data.read(8), "little")))
        if list(header) != list(names):
            return "the order is %s" % " ".join(header)
    return check


def has_values(**known):
    """A check: in the first step each of these tensors has this type and these values."""
    def check(directory):
        import json
        import numpy as np
        kinds = {"U32": "u4", "I8": "i1", "U8": "u1", "F16": "f2", "F32": "f4", "F64": "f8",
                 "I32": "i4", "I64": "i8", "C64": "c8", "C128": "c16", "BOOL": "?"}
        with open(directory + "/step_0/rank0/arrays.safetensors", "rb") as data:
            header = json.loads(data.read(int.from_bytes(data.read(8), "little")))
            data = data.read()
        for name, (kind, values) in known.items():
            about = header[name]
            begin, end = about["data_offsets"]
            found = np.frombuffer(data[begin:end], kinds[kind])
            if about["dtype"] != kind or found.tolist() != list(values):
                return "%s is %s %s" % (name, about["dtype"], found.tolist())
    return check


SCAN = '''
def body(c, y):
    a = record("a", c * y)
    b = record("b", jnp.log(a))
    return b + 2, b
def g(w):
    c, ys = jax.lax.scan(body, w, x)
    return record("end", c + ys.sum())
'''
MESH = '''
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()), ("d",))
try:
    shard_map = jax.shard_map
except AttributeError:
    from jax.experimental.shard_map import shard_map
big = jnp.arange(1.0, 9.0)
'''
FOUR = {"XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
NAN = '''
def bad(p, x):
    p = record("p", p)
    h = record("h", p * x)
    log = record("log", jnp.log(h - 2))
    return record("loss", log.sum())
'''
TREES = '''
import collections, dataclasses, functools
Pair = collections.namedtuple("Pair", "left right")
@jax.tree_util.register_pytree_node_class
class Node:
    def __init__(self, a, b): self.a, self.b = a, b
    def tree_flatten(self): return (self.a, self.b), None
    @classmethod
    def tree_unflatten(cls, _, parts): return cls(*parts)
tree = {"z": [x, (x, None)], "a": Pair(x, 2.0), "n": Node(x, np.arange(3)), 7: ()} if 0 else {
    "z": [x, (x, None)], "a": Pair(x, 2.0), "n": Node(x, np.arange(3))}
'''
TRAIN = '''
sizes = [3, 8, 1]
def init(key):
    keys = jax.random.split(key, 2)
    return {"w%d" % i: jax.random.normal(keys[i], (sizes[i], sizes[i + 1])) for i in range(2)}
def model(params, x):
    h = record("hidden", jnp.tanh(x @ params["w0"]))
    return record("out", h @ params["w1"])
def loss_of(params, x, y):
    return record("loss", jnp.mean((model(params, x) - y) ** 2))
def adam(gradient, state, rate=0.1):
    m, v, n = state
    n = n + 1
    m = jax.tree_util.tree_map(lambda m, g: 0.9 * m + 0.1 * g, m, gradient)
    v = jax.tree_util.tree_map(lambda v, g: 0.99 * v + 0.01 * g * g, v, gradient)
    return jax.tree_util.tree_map(lambda m, v: -rate * m / (jnp.sqrt(v) + 1e-8), m, v), (m, v, n)
@functools.partial(jax.jit, donate_argnums=(0, 1))
def update(params, state, x, y):
    loss, gradient = jax.value_and_grad(loss_of)(params, x, y)
    change, state = adam(record("gradient", gradient), state)
    return jax.tree_util.tree_map(lambda p, c: p + c, params, change), state, loss
'''

ROWS = [
    # transformations
    calls("eager", "f(x)", holds=["h", "l"], check=in_order("h", "l")),
    calls("jit", "jax.jit(f)(x)", holds=["h", "l"], lines={"h": 'h = record("h"', "l": "jnp.log"}),
    calls("grad", "jax.grad(f)(x)", check=in_order(*BOTH), lines={"h.grad": 'h = record("h"'}),
    calls("jit_grad", "jax.jit(jax.grad(f))(x)", check=in_order(*BOTH),
          lines={"h.grad": 'h = record("h"', "l.grad": 'l = record("l"'}),
    calls("grad_jit", "jax.grad(jax.jit(f))(x)", check=in_order(*BOTH)),
    calls("value_and_grad", "jax.jit(jax.value_and_grad(f))(x)", check=in_order(*BOTH)),
    calls("vmap", "jax.vmap(f)(jnp.ones((2, 3)))", check=in_order("h", "h#2", "l", "l#2")),
    calls("vmap_axes", "jax.vmap(lambda y: record('q', y * 2), 1, 1)(jnp.ones((3, 2)))",
          holds=["q", "q#2"], lacks=["q#3"]),
    calls("vmap_vmap", "jax.jit(jax.vmap(jax.vmap(lambda y: record('q', y), 1)))(x)",
          "x = jnp.arange(12.0).reshape(2, 2, 3)\n",
          check=has_values(**{"q": ("F32", (0, 3)), "q#2": ("F32", (1, 4)),
                              "q#4": ("F32", (6, 9))})),
    calls("vmap_of_grad", "jax.jit(jax.vmap(jax.grad(f)))(jnp.ones((2, 3)))",
          holds=["h#2", "h.grad", "h.grad#2"], lacks=["h.grad#3"]),
    calls("grad_of_vmap", "jax.grad(lambda y: jax.vmap(f)(y).sum())(jnp.ones((2, 3)))",
          holds=["h#2", "h.grad#2"]),
    calls("hessian", "jax.hessian(f)(x)", holds=BOTH),
    calls("jit_hessian", "jax.jit(jax.hessian(f))(x)", holds=BOTH),
    calls("jvp", "jax.jvp(f, (x,), (x,))", check=in_order("h", "l")),
    calls("jit_jvp", "jax.jit(lambda x: jax.jvp(f, (x,), (x,)))(x)", check=in_order("h", "l")),
    calls("jacfwd", "jax.jacfwd(f)(x)", holds=["h", "l"]),
    calls("jacrev", "jax.jacrev(lambda x: record('q', x * x))(x)",
          holds=["q", "q.grad", "q.grad#3"], lacks=["q.grad#4"]),
    calls("reverse_over_forward", "jax.jit(jax.jacrev(jax.jacfwd(f)))(x)", holds=["h", "h.grad"]),
    calls("grad_of_grad", "jax.jit(jax.grad(lambda x: jax.grad(f)(x).sum()))(x)", holds=BOTH),
    calls("third_derivative", "jax.grad(jax.grad(jax.grad(lambda v: f(v * x))))(1.0)", holds=BOTH),
    calls("hessian_vector", "jax.jvp(jax.grad(f), (x,), (x,))", holds=BOTH),
    calls("linearize", "jax.linearize(f, x)[1](x)", holds=["h", "l"]),
    calls("vjp", "jax.vjp(f, x)[1](1.0)", check=in_order(*BOTH)),
    calls("linear_transpose", "jax.linear_transpose(lambda x: record('q', 2 * x), x)(x)",
          holds=["q.grad"]),
    calls("no_gradients", "jax.jit(jax.grad(f))(x)",
          '#: recorder = record_jax.Recorder("$OUT", gradients=False)\nrecord = recorder.record\n',
          check=in_order("h", "l")),
    calls("unused", "jax.jit(lambda x: [record('q', jnp.exp(x)), x][1])(x)", holds=["q"]),
    # control flow
    calls("scan", "jax.lax.scan(lambda c, y: (record('c', c * y), record('y', y)), 1.0, x)",
          check=in_order("c", "y", "c#2", "y#2", "c#3", "y#3")),
    calls("grad_of_scan", "jax.grad(g)(3.0)", SCAN, check=in_order(
        "a", "b", "a#2", "b#2", "a#3", "b#3", "end", "end.grad", "b.grad", "a.grad", "b.grad#2",
        "a.grad#2", "b.grad#3", "a.grad#3")),
    calls("jit_grad_of_scan", "jax.jit(jax.value_and_grad(g))(3.0)", SCAN,
          holds=["a#3", "end", "end.grad", "b.grad#3"]),
    calls("scan_of_grad", "jax.jit(lambda x: jax.lax.scan(lambda c, _: (c - jax.grad(f)(c), None),"
          " x, None, 3))(x)", holds=["h#3", "h.grad#3"]),
    calls("hessian_of_scan", "jax.hessian(g)(3.0)", SCAN, holds=["a#3", "end", "b.grad#3"]),
    calls("vmap_of_scan", "jax.jit(jax.vmap(g))(jnp.array([3.0, 4.0]))", SCAN,
          check=in_order("a", "a#2", "b", "b#2", "a#3", "a#4", "b#3", "b#4", "a#5", "a#6", "b#5",
                         "b#6", "end", "end#2")),
    calls("nested_scan", "jax.jit(lambda x: jax.lax.scan(lambda c, y: (record('out', jax.lax.scan("
          "lambda d, z: (record('in', d * z), None), c, x)[0]), None), 1.0, x)[0])(x)",
          check=in_order("in", "in#2", "in#3", "out", "in#4", "in#5", "in#6", "out#2",
                         "in#7", "in#8", "in#9", "out#3")),
    calls("while_loop", "jax.jit(lambda x: jax.lax.while_loop(lambda c: record('test', c.sum()) < 30,"
          " lambda c: record('c', c * 2), x))(x)",
          check=in_order("test", "c", "test#2", "c#2", "test#3", "c#3", "test#4")),
    calls("fori_loop", "jax.lax.fori_loop(0, 3, lambda i, c: record('c', c * i + 1.0), x)",
          holds=["c#3"], lacks=["c#4"]),
    calls("cond", "jax.jit(g)(x), jax.jit(g)(-x)", "def g(x):\n    return record('end', jax.lax.cond("
          "x.sum() > 0, lambda x: record('yes', x), lambda x: record('no', -x), x))\n",
          check=in_order("yes", "end", "no", "end#2")),
    calls("grad_of_cond", "jax.jit(jax.grad(lambda x: jax.lax.cond(x.sum() > 0, lambda x: "
          "record('yes', x * 2).sum(), lambda x: record('no', -x).sum(), x)))(x)",
          check=in_order("yes", "yes.grad")),
    calls("cond_in_scan", "jax.jit(lambda x: jax.lax.scan(lambda c, y: (record('c', jax.lax.cond("
          "y > 1, lambda c: record('yes', c * 2), lambda c: c + 1, c)), None), 1.0, x)[0])(x)",
          check=in_order("c", "yes", "c#2", "yes#2", "c#3")),
    calls("switch", "[jax.jit(g)(i, x) for i in range(3)]", "def g(i, x):\n    return jax.lax.switch("
          "i, [lambda x, k=k: record('b%d' % k, x * k) for k in range(3)], x)\n",
          check=in_order("b0", "b1", "b2")),
    calls("associative_scan", "jax.lax.associative_scan(lambda a, b: record('s', a * b), x)",
          holds=["s"]),
    calls("map", "jax.lax.map(lambda y: record('y', jnp.exp(y)), x)", holds=["y#3"]),
    calls("checkpoint", "jax.jit(jax.grad(jax.checkpoint(f)))(x)", holds=BOTH),
    calls("eager_checkpoint", "jax.grad(jax.checkpoint(f))(x)", holds=BOTH),
    calls("checkpoint_policy", "jax.jit(jax.grad(jax.checkpoint(f, policy="
          "jax.checkpoint_policies.dots_saveable)))(x)", holds=BOTH),
    calls("checkpoint_in_scan", "jax.jit(jax.grad(lambda w: jax.lax.scan(jax.checkpoint(body), w, x)"
          "[0]))(3.0)", SCAN, holds=["a#3", "b#3", "a.grad#3"]),
    # derivatives of the program's own
    calls("custom_vjp", "jax.jit(jax.grad(lambda x: f(square(x))))(x)", '''
@jax.custom_vjp
def square(x): return record("q", x * x)
def forward(x): return record("forward", x * x), x
def backward(x, g): return record("backward", 2 * x * g),
square.defvjp(forward, backward)
''', holds=["forward", "backward", "h.grad"], lacks=["q"]),
    calls("custom_jvp", "jax.jit(jax.grad(lambda x: f(square(x))))(x), jax.jvp(square, (x,), (x,))",
          '''
@jax.custom_jvp
def square(x): return record("q", x * x)
@square.defjvp
def rule(primals, tangents):
    return record("primal", primals[0] ** 2), 2 * primals[0] * tangents[0]
''', holds=["primal", "h.grad"]),
    calls("custom_jvp_tangent", "jax.grad(lambda x: square(x).sum())(x)", '''
@jax.custom_jvp
def square(x): return x * x
@square.defjvp
def rule(primals, tangents):
    return primals[0] ** 2, record("t", 2 * primals[0] * tangents[0])
''', holds=["t.grad"]),
    calls("stop_gradient", "jax.grad(lambda x: (x * jax.lax.stop_gradient(record('s', x))).sum())(x)",
          holds=["s"], lacks=["s.grad"]),
    calls("custom_root", "jax.lax.custom_root(lambda y: record('y', y * y - 4.0), 1.0, lambda f, y: "
          "jax.lax.fori_loop(0, 9, lambda i, y: y - f(y) / (2 * y), y), lambda g, y: y / g(1.0))"),
    calls("linear_solve", "jax.grad(lambda b: jax.scipy.sparse.linalg.cg(lambda v: record('v', 2 * v)"
          ", b)[0].sum())(x)"),
]
