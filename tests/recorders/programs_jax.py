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
tree = {"z": [x, (x, None)], "a": Pair(x, 2.0), "n": Node(x, np.arange(3))}
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
    calls("while_loop", "jax.jit(lambda x: jax.lax.while_loop(lambda c: record('test', c.sum()) < "
          "30, lambda c: record('c', c * 2), x))(x)",
          check=in_order("test", "c", "test#2", "c#2", "test#3", "c#3", "test#4")),
    calls("fori_loop", "jax.lax.fori_loop(0, 3, lambda i, c: record('c', c * i + 1.0), x)",
          holds=["c#3"], lacks=["c#4"]),
    calls("cond", "jax.jit(g)(x), jax.jit(g)(-x)", "def g(x):\n    return record('end', "
          "jax.lax.cond(x.sum() > 0, lambda x: record('yes', x), lambda x: record('no', -x), x))\n",
          check=in_order("yes", "end", "no", "end#2")),
    calls("grad_of_cond", "jax.jit(jax.grad(lambda x: jax.lax.cond(x.sum() > 0, lambda x: "
          "record('yes', x * 2).sum(), lambda x: record('no', -x).sum(), x)))(x)",
          check=in_order("yes", "yes.grad")),
    calls("cond_in_scan", "jax.jit(lambda x: jax.lax.scan(lambda c, y: (record('c', jax.lax.cond("
          "y > 1, lambda c: record('yes', c * 2), lambda c: c + 1, c)), None), 1.0, x)[0])(x)",
          check=in_order("c", "yes", "c#2", "yes#2", "c#3")),
    calls("switch", "[jax.jit(g)(i, x) for i in range(3)]", "def g(i, x):\n    return "
          "jax.lax.switch(i, [lambda x, k=k: record('b%d' % k, x * k) for k in range(3)], x)\n",
          check=in_order("b0", "b1", "b2")),
    calls("associative_scan", "jax.lax.associative_scan(lambda a, b: record('s', a * b), x)",
          holds=["s"]),
    calls("map", "jax.lax.map(lambda y: record('y', jnp.exp(y)), x)", holds=["y#3"]),
    calls("checkpoint", "jax.jit(jax.grad(jax.checkpoint(f)))(x)", holds=BOTH),
    calls("eager_checkpoint", "jax.grad(jax.checkpoint(f))(x)", holds=BOTH),
    calls("checkpoint_policy", "jax.jit(jax.grad(jax.checkpoint(f, policy="
          "jax.checkpoint_policies.dots_saveable)))(x)", holds=BOTH),
    calls("checkpoint_in_scan", "jax.jit(jax.grad(lambda w: jax.lax.scan(jax.checkpoint(body), w, "
          "x)[0]))(3.0)", SCAN, holds=["a#3", "b#3", "a.grad#3"]),
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
    calls("custom_gradient", "jax.jit(jax.grad(lambda x: square(x).sum()))(x)", """
@jax.custom_gradient
def square(x): return record("q", x * x), lambda g: record("backward", 2 * x * g)
""", holds=["q", "backward"]),
    calls("linear_call", "jax.grad(lambda x: linear_call(lambda r, y: record('there', y * 2), "
          "lambda r, y: record('back', y * 2), (), x).sum())(x)",
          "from jax.custom_derivatives import linear_call\n", holds=["back"]),
    calls("stop_gradient",
          "jax.grad(lambda x: (x * jax.lax.stop_gradient(record('s', x))).sum())(x)", holds=["s"],
          lacks=["s.grad"]),
    calls("custom_root", "jax.lax.custom_root(lambda y: record('y', y * y - 4.0), 1.0, lambda f, "
          "y: jax.lax.fori_loop(0, 9, lambda i, y: y - f(y) / (2 * y), y), "
          "lambda g, y: y / g(1.0))"),
    calls("linear_solve", "jax.grad(lambda b: jax.scipy.sparse.linalg.cg(lambda v: record('v', "
          "2 * v), b)[0].sum())(x)"),
    # compiled in other ways
    calls("aot", "compiled(x)", "compiled = jax.jit(f).lower(x).compile()\n", holds=["h", "l"]),
    calls("make_jaxpr", "[jax.make_jaxpr(f)(x).out_avals[0].shape, jax.jit(f)(x)][1]",
          holds=["h", "l"]),
    calls("eval_shape", "[print(jax.eval_shape(f, x)), jax.jit(f)(x)][1]", holds=["h", "l"]),
    calls("nested_jit", "jax.jit(lambda x: record('end', g(g(x) + 1)))(x)",
          "@jax.jit\ndef g(x):\n    return record('b', record('a', x * 2) + 1)\n",
          check=in_order("a", "b", "a#2", "b#2", "end")),
    calls("nested_jit_grad", "jax.jit(jax.grad(lambda x: g(g(x)).sum()))(x)",
          "@jax.jit\ndef g(x):\n    return record('b', record('a', x * 2) + 1)\n",
          check=in_order("a", "b", "a#2", "b#2", "b.grad", "a.grad", "b.grad#2", "a.grad#2")),
    calls("two_calls", "u(x), v(x), u(x)", "u = jax.jit(lambda x: record('u', x + 1))\n"
          "v = jax.jit(lambda x: record('v', x + 1))\n", check=in_order("u", "v", "u#2")),
    calls("jit_method", "net.apply(x)", '''
class Net:
    w = 2.0
    def __hash__(self): return 1
    def __eq__(self, other): return True
    def apply(self, x): return self.inner(x)
    import functools
    @functools.partial(jax.jit, static_argnums=0)
    def inner(self, x): return record("hidden", x * self.w)
net = Net()
''', holds=["hidden"], lines={"hidden": "inner: def inner(self, x)"}),
    calls("static_argnums", "jax.jit(lambda n, x: record('n', x * n), static_argnums=0)(3, x)",
          holds=["n"]),
    calls("donated", "step()", '''
go = jax.jit(lambda s: record("s", s * 2), donate_argnums=0)
state = x + 0
def step():
    global state
    record("before", state)
    old, state = state, go(state)
    print(old.is_deleted())
    return record("after", state)
''', holds=["before", "s", "after"]),
    calls("deleted", "[y.delete(), record('y', y), x][2]", "y = x + 1\n", nothing=True,
          left_out=["y: RuntimeError"], runs=0),
    calls("disable_jit", "jax.grad(jax.jit(g))(3.0)",
          SCAN + "jax.config.update('jax_disable_jit', 1)\n",
          holds=["a", "b#3", "end", "b.grad#3"]),
    calls("x64", "jax.jit(jax.grad(lambda x: record('z', (x * 1j + 1)).real.sum()))(x)",
          "jax.config.update('jax_enable_x64', True)\nx = jnp.arange(1.0, 4.0)\nrecord('y', x)\n",
          check=has_values(z=("C128", [1 + 1j, 1 + 2j, 1 + 3j]))),
    calls("debug_nans", "g(x)", "jax.config.update('jax_debug_nans', True)\n"
          "g = jax.jit(lambda x: jnp.log(record('q', x) - 2))\n", status=1,
          stderr="FloatingPointError: invalid value (nan)", runs=1, holds={1: ["q"]}),
    whole("export", """
from jax import export
with recorder.step(): print("callback" in export.export(jax.jit(f))(x).mlir_module())
""", needs="jax.export", nothing=True, left_out=["h: what is exported", "l: what is exported"]),
    calls("checkify", "err.throw() or out", "from jax.experimental import checkify\n"
          "err, out = jax.jit(checkify.checkify(f, errors=checkify.float_checks))(x)\n",
          nothing=True, runs=0),
    calls("jet", "jet(lambda x: record('q', x * x), (x,), ((x, x),))",
          "from jax.experimental.jet import jet\n", nothing=True, left_out=["q: "]),
    calls("reduction", "jax.lax.reduce(x, jnp.float32(0), lambda a, b: record('r', a + b), (0,))",
          nothing=True, left_out=["r: the function of a reduction"]),
    calls("pallas", "g(x)", """
from jax.experimental import pallas as pl
def kernel(i, o): o[...] = record("p", i[...] * 2)
g = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((3,), "float32"), interpret=True)
""", needs="__import__('jax.experimental.pallas').experimental.pallas", nothing=True,
          left_out=["p: a kernel of Pallas"]),
    calls("sparsify", "sparse.sparsify(lambda m, x: record('y', m @ x))(m, x)", """
from jax.experimental import sparse
m = sparse.BCOO.fromdense(jnp.eye(3))
""", nothing=True, left_out=["y: what is sparsified"]),
    calls("refs", "jax.jit(g)(x)", """
def g(x):
    r = jax.new_ref(x)
    record("r", r)
    r[...] = record("v", r[...] * 2)
    return r[...]
""", needs="jax.new_ref", holds=["v"], left_out=["r: AbstractRef"]),
    calls("odeint", "jax.grad(lambda y: odeint(lambda y, t: record('dy', -y), y, jnp.linspace(0.0, "
          "1.0, 3))[-1].sum())(x)", "from jax.experimental.ode import odeint\n", holds=["dy#9"]),
    calls("minimize", "minimize(lambda v: ((record('v', v) - 2) ** 2).sum(), x, method='BFGS').x",
          "from jax.scipy.optimize import minimize\n", holds=["v#2", "v.grad#2"]),
    calls("custom_vmap", "jax.vmap(g)(x), g(x)", """
@jax.custom_batching.custom_vmap
def g(x): return record("g", x * 2)
@g.def_vmap
def rule(n, batched, x): return record("rule", x * 2), batched[0]
""", holds=["rule", "g"], lacks=["rule#2"]),
    calls("vmap_of_while", "jax.jit(jax.vmap(lambda n: jax.lax.while_loop(lambda c: c < n, lambda "
          "c: record('c', c + 1), 0.0)))(x)", holds=["c#9"], lacks=["c#10"]),
    calls("vmap_axis_name", "jax.vmap(lambda y: record('s', jax.lax.psum(record('y', y), 'i')), "
          "axis_name='i')(x)", holds=["y#3", "s"]),
    calls("checked", "jax.jit(jax.grad(g))(3.0), jax.hessian(f)(x), jax.jit(jax.vmap(jax.grad(f)))"
          "(jnp.ones((2, 3)))", SCAN + "jax.config.update('jax_enable_checks', True)\n",
          holds=["a#3", "h.grad#3"]),
    calls("no_promotion", "jax.jit(jax.grad(f))(x)", "jax.config.update("
          "'jax_numpy_dtype_promotion', 'strict')\n"
          "def f(x): return record('l', jnp.log(record('h', jnp.sin(x)))).sum()\n",
          holds=BOTH),
    calls("holomorphic", "jax.grad(lambda z: record('z', z * z), holomorphic=True)(1 + 2j)",
          holds=["z", "z.grad"]),
    calls("copied", "x", """
import copy, pickle
class Model: pass
model = Model()
model.recorder = recorder
copy.deepcopy(model)
pickle.dumps(recorder)
record("x", x)
""", nothing=True),
    whole("decorated", """
#: step = recorder.step
#: @step()
def train(i):
    return jax.jit(f)(x * i)
print(train(1), train(2))
""", runs=2, holds=BOTH[:2]),
    calls("no_cpu", "jax.jit(lambda x: record('q', x * 2))(x)", """
devices = jax.local_devices
def local_devices(*arguments, backend=None, **named):
    if backend == "cpu": raise RuntimeError("no cpu here")
    return devices(*arguments, backend=backend, **named)
jax.local_devices = local_devices
""", nothing=True, left_out=["q: RuntimeError: no cpu here"]),
    # devices
    calls("pmap", "jax.pmap(f)(jnp.arange(12.0).reshape(4, 3))", env=FOUR,
          check=in_order("h", "h#2", "h#3", "h#4", "l", "l#2", "l#3", "l#4")),
    calls("pmap_devices", "jax.pmap(lambda y: record('q', y))(jnp.arange(4.0))", env=FOUR,
          check=has_values(**{"q": ("F32", [0]), "q#2": ("F32", [1]), "q#3": ("F32", [2]),
                              "q#4": ("F32", [3])})),
    calls("pmap_grad", "jax.pmap(lambda y: jax.lax.pmean(jax.grad(f)(y), 'i'), axis_name='i')"
          "(jnp.ones((4, 3)))", env=FOUR, holds=["h#4", "h.grad#4"]),
    calls("sharded", "[record('s', s), jax.jit(lambda s: record('t', s * 2))(s)][1]", MESH +
          "s = jax.device_put(big, NamedSharding(mesh, P('d')))\n", env=FOUR,
          check=has_values(s=("F32", range(1, 9)), t=("F32", range(2, 17, 2)))),
    calls("mesh", "jax.jit(jax.value_and_grad(lambda y: record('s', (record('q', y * 2) ** 2)"
          ".sum())))(big)", MESH + """
from jax.sharding import AxisType
mesh = jax.make_mesh((4,), ("d",), axis_types=(AxisType.Explicit,))
jax.sharding.set_mesh(mesh) if hasattr(jax.sharding, "set_mesh") else jax.set_mesh(mesh)
big = jax.device_put(big, NamedSharding(mesh, P("d")))
""", env=FOUR, needs="jax.set_mesh", holds=["q", "s.grad", "q.grad"]),
    calls("partly_manual", "jax.jit(g)(big)", MESH + """
mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("a", "b"))
g = shard_map(lambda y: record("q", y * 2), mesh=mesh, in_specs=P("a"), out_specs=P("a"),
              axis_names={"a"})
""", env=FOUR, needs="jax.shard_map", holds=["q", "q#2"], lacks=["q#3"]),
    calls("sharded_grad", "jax.jit(jax.grad(f), in_shardings=n, out_shardings=n)(big)", MESH +
          "n = NamedSharding(mesh, P('d'))\n", env=FOUR, holds=BOTH),
    calls("shard_map", "jax.jit(g)(big)", MESH + "g = shard_map(lambda y: record('q', y * 2), mesh="
          "mesh, in_specs=P('d'), out_specs=P('d'))\n", env=FOUR,
          check=has_values(**{"q": ("F32", [2, 4]), "q#4": ("F32", [14, 16])})),
    calls("shard_map_grad", "jax.jit(jax.grad(lambda y: g(y).sum()))(big), jax.hessian("
          "lambda y: g(y).sum())(big)", MESH + "g = shard_map(lambda y: jax.lax.psum(record('s', "
          "(record('q', y) ** 2).sum()), 'd'), mesh=mesh, in_specs=P('d'), out_specs=P())\n",
          env=FOUR, holds=["q#4", "q.grad#4", "s.grad"]),
    calls("eager_shard_map", "g(big)", MESH + "g = shard_map(lambda y: record('q', y * 2), mesh="
          "mesh, in_specs=P('d'), out_specs=P('d'))\n", env=FOUR, holds=["q", "q#4"]),
    # types
    calls("keys", "jax.random.normal(record('k', jax.random.key(7)), 2), record('old', "
          "jax.random.PRNGKey(7)), jax.random.key_data(record('ks', {'a': jax.random.split("
          "jax.random.key(0))})['a'])", holds=["k", "old", "ks['a']"],
          check=has_values(k=("U32", [0, 7]), old=("U32", [0, 7]))),
    calls("keys_in_jit", "jax.jit(jax.vmap(lambda k: jax.random.normal(record('k', k), 2)))"
          "(jax.random.split(jax.random.key(0), 3))", holds=["k", "k#3"], lacks=["k#4"]),
    calls("keys_in_scan", "jax.lax.scan(lambda k, _: (lambda a, b: (record('carry', a), "
          "jax.random.uniform(record('use', b))))(*jax.random.split(k)), "
          "jax.random.key(3), None, 3)[1]",
          holds=["carry#3", "use#3"]),
    calls("key_reuse", "jax.jit(lambda k: jax.random.normal(record('k', k)))(jax.random.key(0))",
          "jax.config.update('jax_debug_key_reuse', True)\n",
          needs="not jax.config.jax_debug_key_reuse", holds=["k"],
          check=has_values(k=("U32", [0, 0]))),
    calls("key_grad", "jax.grad(lambda x, k: f(x + jax.random.normal(record('k', k), 3)))"
          "(x, jax.random.key(0))", holds=["k", "h.grad"], lacks=["k.grad"]),
    calls("small_types", "[both(t) for t in types]", '''
def both(t):
    a = record(t, jnp.array([0, 1, 1], t))
    return jax.jit(lambda: record(t, a))().astype("float32")
types = [t for t in """int2 int4 uint2 uint4 float4_e2m1fn float8_e3m4 float8_e4m3 float8_e4m3fn
    float8_e4m3b11fnuz float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz bfloat16""".split()
    if hasattr(jnp, t)]
''', holds=["int4", "int4#2", "uint4#2", "float8_e5m2#2", "bfloat16#2"],
          check=has_values(int4=("I8", [0, 1, 1]), **{"uint4#2": ("U8", [0, 1, 1])})),
    calls("float4", "[record('q', y), jax.jit(lambda y: record('p', y))(y), x][2]",
          "y = jnp.array([0.5, -6, 0], jnp.float4_e2m1fn)\n", needs="jax.numpy.float4_e2m1fn",
          check=has_values(q=("F16", [0.5, -6, 0]), p=("F16", [0.5, -6, 0]))),
    calls("types", "jax.jit(lambda *a: record('t', a)[0])(*a), record('u', a)[1]", "a = (x.astype("
          "bool), x.astype(jnp.bfloat16), x + 1j, jnp.zeros((0, 3)), jnp.float32(2), x.astype("
          "'uint8'), x.astype('float16'), 3, 2.5, True, 1j)\n",
          holds=["t[%d]" % i for i in range(11)] + ["u[%d]" % i for i in range(11)]),
    calls("constants", "jax.jit(lambda x: [record('c', {'np': np.arange(3), 'big': 2 ** 40, 'f': "
          "0.1, 'x': y}), x][1])(x)", "y = x * 3\n", check=has_values(**{
              "c['big']": ("I64", [2 ** 40]), "c['f']": ("F64", [0.1]),
              "c['np']": ("I64", [0, 1, 2]),
              "c['x']": ("F32", [3, 6, 9])})),
    calls("odd_arrays", "jax.vmap(lambda y: record('v', y))(jnp.zeros((2, 0))), record('a', "
          "[np.arange(3, dtype='>f4'), np.arange(6).reshape(2, 3).T, np.float32(2), np.ma.array("
          "[1, 2], mask=[0, 1])])", holds=["v#2", "a[3]"], check=has_values(**{
              "a[0]": ("F32", [0, 1, 2]), "a[1]": ("I64", [0, 3, 1, 4, 2, 5])})),
    calls("weak_types", "(jax.jit(lambda w: record('w', w) * x.astype('bfloat16'))(2.0)).dtype == "
          "'bfloat16'", holds=["w"]),
    calls("no_arrays", "[record('s', 'text'), record('o', Plain), record('n', None), record('i', "
          "1 << 99), x][4]", nothing=True, runs=0,
          left_out=["s: ", "o: ", "i: "]),
    calls("no_name", "[record(3, x), record('', x), record('__metadata__', x), record("
          "'a/b\\0\\n\\u20ac \\udc80', x), x][4]", holds=["3"]),
    # trees
    calls("trees", "[list(record('t', tree)), list(jax.jit(g)(tree))][1]", TREES + '''
def g(tree):
    new = record("j", tree)
    print(list(new), type(new["a"]).__name__, type(new["n"]).__name__)
    return new["z"][1][0], new["n"].b
print(record("t", tree) is tree)
''', holds=["t['z'][0]", "t['a'].left", "j['z'][1][0]", "j['a'].right"]),
    calls("dataclass", "jax.jit(jax.grad(lambda s: f(record('s', s).w)))(S(x)).w", '''
import dataclasses
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class S:
    w: jax.Array
''', needs="jax.tree_util.register_dataclass", holds=["s.w", "s.w.grad", "h.grad"]),
    calls("odd_trees", "jax.jit(lambda x: [record('t', {1: x, 'a': x}), record('n', Bad(x)), x]"
          "[2])(x)", '''
@jax.tree_util.register_pytree_node_class
class Bad:
    def __init__(self, a): self.a = a
    def tree_flatten(self): return (self.a,), None
    @classmethod
    def tree_unflatten(cls, *_): raise ValueError("never again")
''', holds=["n[<flat index 0>]"], left_out=["t: ", "n: ValueError: never again"]),
    # whole programs
    whole("train_adam", "import functools\n" + TRAIN + '''
params = init(jax.random.key(0))
zeros = jax.tree_util.tree_map(jnp.zeros_like, params)
state = zeros, jax.tree_util.tree_map(jnp.zeros_like, params), 0
for i in range(4):
    with recorder.step():
        data = jax.random.normal(jax.random.key(i), (16, 3))
        params, state, loss = update(params, state, data, data.sum(1, keepdims=True))
        record("params", params)
    print(i, loss)
''', runs=4, holds=["hidden", "loss", "loss.grad", "hidden.grad", "gradient['w0']", "params['w1']"],
          lines={"hidden": 'h = record("hidden"', "gradient['w0']": "change, state ="}),
    whole("closures", '''
class Module:
    def __init__(self, name): self.name = name
    def __call__(self, params, x):
        p = params[self.name]
        return record(self.name, jax.nn.relu(x @ p["w"] + p["b"]))
def transform(build):
    layers = build()
    def init(key):
        return {m.name: {"w": jax.random.normal(jax.random.fold_in(key, i), (4, 4)) / 2,
                         "b": jnp.zeros(4)} for i, m in enumerate(layers)}
    def apply(params, x):
        for m in layers: x = m(params, x)
        return x
    return init, apply
init, apply = transform(lambda: [Module("net/dense_%d" % i) for i in range(3)])
params = init(jax.random.PRNGKey(1))
@jax.jit
def update(params, x):
    g = jax.grad(lambda p: (apply(p, x) ** 2).mean())(params)
    return jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, g)
for i in range(3):
    with recorder.step(): params = update(params, jnp.ones((2, 4)))
print(params)
''', runs=3, holds=["net/dense_0", "net/dense_2", "net/dense_0.grad"]),
    whole("first_bad", NAN + '''
update = jax.jit(jax.value_and_grad(bad))
for i in range(2):
    with recorder.step(): print(update(x / 4, x))
''', origin="log", lines={"log": 'log = record("log", jnp.log(h - 2))'},
          check=in_order("p", "h", "log", "loss", "loss.grad", "log.grad", "h.grad", "p.grad")),
    whole("first_bad_in_scan", '''
def body(c, y):
    a = record("a", c - y)
    b = record("b", jnp.sqrt(a))
    return b, record("c", b * 2)
g = jax.jit(jax.value_and_grad(lambda w: jax.lax.scan(body, w, x)[1].sum()))
for i in range(2):
    with recorder.step(): print(g(5.0))
''', origin="b#3", lines={"b#3": 'b = record("b", jnp.sqrt(a))'}),
    whole("line_of_caller", '''
import other
for i in range(2):
    with recorder.step(): print(jax.jit(lambda x: other.layer(record, x))(x))
''', files={"other.py": "def layer(record, x):\n    return record('q', x * 2)\n"},
          lines={"q": "other.py:2 layer"}),
    whole("raises", '''
try:
    with recorder.step():
        record("q", x)
        raise ValueError("mine")
except ValueError as why:
    print(why)
with recorder.step():
    jax.jit(lambda x: record("r", x) @ jnp.ones(7))(x)
''', status=1, stderr="dot_general requires contracting dimensions", runs=1, holds=["q"]),
    whole("exits", '''
import sys
with recorder.step():
    print(jax.jit(f)(x))
    sys.exit(3)
''', status=3, runs=1, holds=["h", "l"]),
    calls("debug_print", "jax.jit(g)(x)", '''
def g(x):
    h = record("h", x * 2)
    jax.debug.print("h {}", h, ordered=True)
    return h
''', holds=["h"]),
    calls("callbacks", "jax.jit(g)(x)", '''
def host(x):
    record("host", x)
    return np.asarray(x) * 2
def g(x):
    y = jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), record("h", x))
    return record("y", y)
''', holds=["h", "host", "y"]),
    calls("callback_fails", "jax.jit(g)(x)", '''
def host(x): raise ValueError("mine")
def g(x): return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), record("h", x))
''', status=1, stderr="mine", runs=1),
    whole("threads", '''
import threading
g = jax.jit(lambda i: record("q", x * i).sum())
got = {}
def work(i): got[i] = float(g(i))
with recorder.step():
    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads: t.start()
    for t in threads: t.join()
print(sorted(got.items()))
''', holds=["q", "q#8"], lacks=["q#9"], runs=1),
    whole("threads_that_trace", """
import threading
got = {}
def work(i):
    for n in range(20): got[i, n] = float(jax.jit(lambda y: record("q%d" % i, y * n).sum())(x))
with recorder.step():
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads: t.start()
    for t in threads: t.join()
print(sorted(got.items()))
""", holds=["q0#20", "q3#20"], lines={"q3#20": "for n in range(20)"}, runs=1),
    calls("record_itself", "jax.jit(recorder.record, static_argnums=0)('r', x)", holds=["r"]),
    whole("async", '''
g = jax.jit(lambda x: record("q", x @ x))
y = jnp.eye(300)
for i in range(3):
    with recorder.step():
        y = g(y)
print(jax.block_until_ready(y).sum())
''', runs=3, holds={1: ["q"], 2: ["q"], 3: ["q"]}, lacks=["q#2"]),
    whole("same_name", '''
with recorder.step():
    a, b = record("n", x), jax.jit(lambda x: record("n#2", record("n", x * 2)))(x)
    record("n", x * 3)
print(b)
''', holds=["n", "n#2", "n#3"]),
    whole("nested_steps", '''
with recorder.step():
    with recorder.step(): print(record("q", x))
    print(record("r", x))
''', runs=1, holds=["q", "r"], left_out=["step: within another"]),
    whole("unwritable", '''
#: recorder = record_jax.Recorder("/dev/null/no")
record = recorder.record
for i in range(2):
    with recorder.step(): print(jax.jit(f)(x))
''', nothing=True),
    whole("no_step", "print(jax.jit(f)(x), jax.grad(f)(x))\n", nothing=True,
          left_out=["record: no step() was begun"]),
    whole("some_steps", '''
#: recorder = record_jax.Recorder("$OUT", first=1, every=2, count=2)
record = recorder.record
g = jax.jit(f)
for i in range(7):
    with recorder.step(): print(g(x * i))
''', runs=2, holds={1: ["h", "l"], 2: ["h", "l"]}),
    dict(name="profile", recorder="jax", api=True, nothing=True, left_out=["profile: "], source="""
import contextlib, jax
profile = contextlib.nullcontext
#: import record_jax
#: profile = lambda: record_jax.profile("$OUT")
with profile():
    print(jax.jit(lambda x: x + 1)(2))
with profile():
    with profile(): print(jax.jit(lambda x: x + 2)(2))
"""),
    whole("warnings", """
import warnings
warnings.simplefilter("error")
np.seterr(all="raise")
for i in range(2):
    with recorder.step():
        record("y", np.array([np.nan, 1e300])), record("s", jnp.array([0.5, 1], "float8_e5m2"))
        print(jax.jit(jax.grad(f))(x))
""", runs=2, holds=["y", "s"] + BOTH),
    whole("numpy_only", '''
import os
for i in range(2):
    with recorder.step(): print(record("a", np.arange(3)))
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
print(jax.device_count())
''', runs=2, holds=["a"]),
    whole("leaks", '''
with jax.checking_leaks():
    with recorder.step(): print(jax.jit(jax.grad(f))(x))
''', runs=1, holds=BOTH),
    whole("transfer_guard", '''
g = jax.jit(f)
with jax.transfer_guard("disallow"):
    with recorder.step(): jax.block_until_ready(g(record("x", x)))
print(g(x))
''', runs=1, holds=["x", "h", "l"]),
    whole("interpreter", '''
def evaluate(closed, *arguments):
    values = dict(zip(closed.jaxpr.invars, arguments))
    read = lambda v: v.val if hasattr(v, "val") else values[v]
    for e in closed.jaxpr.eqns:
        out = e.primitive.bind(*map(read, e.invars), **e.params)
        values.update(zip(e.outvars, out if e.primitive.multiple_results else [out]))
    return [read(v) for v in closed.jaxpr.outvars]
closed = jax.make_jaxpr(lambda x: record("q", x * 2))(x)
with recorder.step(): print(evaluate(closed, x))
''', runs=1, holds=["q"]),
]
