"""Programs of TensorFlow 1, sessions and what is made of them: see programs.py. Those with ONE are
for TensorFlow 1.15, the others are for TensorFlow 2's tf.compat.v1, too."""

import glob
import os
import re
import sys

PRELOAD = ["tensorflow"]

HEAD = """
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)
"""
ONE = """
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
"""
IS_ONE = "hasattr(tensorflow, 'Session')"
X = """
x = tf.placeholder(tf.float32, [3], name="x")
y = tf.log(x * 2.0, name="y")
z = tf.reduce_sum(y, name="z")
"""
VARIABLE = """
v = tf.Variable([1.0, 2.0], name="v")
add = tf.assign_add(v, [1.0, 0.5], name="add")
"""


def session(name, source, head=HEAD, recorder="session", **row):
    """A program that uses sessions, or another recorder's."""
    if head is ONE:
        row.setdefault("needs", IS_ONE)
    return dict(row, name=name, recorder=recorder, source=head + source)


TRAIN = """
w = tf.get_variable("w", [3, 1], initializer=tf.random_uniform_initializer(seed=1))
data = tf.constant(np.arange(12).reshape(4, 3) / 10.0, tf.float32)
loss = tf.reduce_mean(tf.square(tf.matmul(data, w, name="h") - 1.0), name="loss")
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
"""
QUEUE = """
queue = tf.FIFOQueue(10, tf.float32, shapes=[[]], name="queue")
fill = queue.enqueue_many([tf.constant([1.0, 2.0, 3.0])])
taken = queue.dequeue(name="taken")
"""
DATA = """
data = tf.data.Dataset.from_tensor_slices(np.arange(5, dtype=np.float32)).batch(2)
iterator = tf.data.make_one_shot_iterator(data)
value = tf.identity(iterator.get_next(), name="value")
twice = tf.multiply(value, 2.0, name="twice")
"""


def global_steps(*numbers):
    """A check: the runs know which number the program's global step had before them, -1: none."""
    def check(directory):
        found = []
        for path in sorted(glob.glob(os.path.join(directory, "run_*", "_tfdbg_core_metadata*"))):
            with open(path, "rb") as data:
                found.append(int(re.search(rb'"global_step":\s*(-?\d+)', data.read()).group(1)))
        return None if found == list(numbers) else "global steps: %s" % found
    return check


ROWS = [
    session("global_step", TRAIN + """
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for k in range(3):
        print(s.run([train, loss, step])[1:])
    print(s.make_callable(loss)())
""", runs=5, check=global_steps(-1, 0, 1, 2, 3)),
    session("global_step_resource", """
tf.enable_resource_variables()
""" + TRAIN + """
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    tf.get_default_graph().finalize()
    for k in range(3):
        print(s.run([train, loss])[1])
""", options=["--first", "2"], runs=2, check=global_steps(1, 2)),
    session("global_step_monitored", TRAIN + """
hooks = []
#: import record_hook
#: hooks.append(record_hook.Hook("$OUT", count=2, first=1))
with tf.train.MonitoredTrainingSession(hooks=hooks) as s:
    for k in range(4):
        print(s.run([train, loss])[1])
""", recorder="hook", api=True, runs=2, check=global_steps(1, 2)),
    session("first_is_late", X + """
with tf.Session() as s:
    print(s.run(z, {x: [1, 2, 3]}))
""", options=["--first", "4"], nothing=True, process=True,
            said="record_session: no step was recorded: the program had 1 step, first is 4\n"),
    session("no_session", "print(1)\n", nothing=True,
            said="record_session: no step was recorded: no session was run\n"),
    session("second_recording", X + """
#: import os
#: os.makedirs("$OUT/run_7_7")
#: open("$OUT/run_7_7/_tfdbg_fetches_info_", "w").close()
with tf.Session() as s:
    print(s.run(z, {x: [1, 2, 3]}), s.run(z, {x: [1, 2, 3]}))
""", runs=3, lost=True,
            said="recording already holds recorded steps: what is not recorded anew stays\n"),
    # sessions
    session("with_closes", X + """
with tf.Session() as s:
    print(s.run(z, {x: [1, 2, 3]}))
try:
    s.run(z, {x: [1, 2, 3]})
except RuntimeError as why:
    print(why)
""", left_out=["closed Session"], runs=1, holds=["y", "z"], lines={"y": "tf.log(x * 2.0"}),
    session("with_in_one", X + """
with tf.Session() as s:
    print(s.run(z, {x: [1, 2, 3]}))
s.run(z, {x: [1, 2, 3]})
""", left_out=["closed Session"], head=ONE, status=1, stderr="Attempted to use a closed Session", runs=1),
    session("as_default", X + """
s = tf.Session()
with s.as_default():
    print(z.eval({x: [1, 2, 3]}), tf.get_default_session() is s)
print(s.run(y, {x: [1, 2, 3]}))
s.close()
""", runs=2, holds=["y"]),
    session("interactive", X + """
s = tf.InteractiveSession()
print(z.eval({x: [1, 2, 3]}), isinstance(s, tf.InteractiveSession))
s.close()
""", runs=1, holds=["z"]),
    session("subclass", X + """
class Mine(tf.Session):
    def run(self, *arguments, **named):
        print("run")
        return super().run(*arguments, **named)
with Mine() as s:
    print(s.run(z, {x: [1, 2, 3]}), type(s).__mro__[1] is tf.Session)
""", runs=1, holds=["z"]),
    session("types", X + """
from tensorflow.python.client import session
s = tf.Session()
print(type(s) is tf.Session, isinstance(s, session.BaseSession), type(s).__name__,
      tf.Session.run.__name__, s.graph is tf.get_default_graph())
print(s.run(z, feed_dict={x: [1, 2, 3]}))
""", runs=1),
    session("graphs", """
for k in range(2):
    graph = tf.Graph()
    with graph.as_default(), tf.Session() as s:
        a = tf.placeholder(tf.float32, [], name="a%d" % k)
        print(s.run(tf.add(a, 1.0, name="b%d" % k), {a: 1.0}))
""", runs=2, holds={1: ["b0"], 2: ["b1"]}),
    session("graph_of_session", """
graph = tf.Graph()
with graph.as_default():
    a = tf.random_uniform([2], seed=1, name="a")
    b = tf.square(a, name="b")
with tf.Session(graph=graph) as s:
    print(s.run(b), s.graph is graph)
""", runs=1, holds=["b"]),
    session("sessions", VARIABLE + """
one, two = tf.Session(), tf.Session()
for s in (one, two):
    s.run(tf.global_variables_initializer())
one.run(add)
print(one.run(v), two.run(v))
""", runs=5, holds=["v"]),
    session("never_closed", X + """
s = tf.Session()
print(s.run(z, {x: [1, 2, 3]}))
""", runs=1),
    session("reset", VARIABLE + """
s = tf.Session()
s.run(tf.global_variables_initializer())
print(s.run(add))
tf.Session.reset("")
s.close()
""", runs=2),
    session("target", """
server = tf.train.Server.create_local_server()
a = tf.placeholder(tf.float32, [], name="a")
with tf.Session(server.target) as s:
    print(s.run(tf.square(a, name="b"), {a: 2.0}))
""", runs=1, holds=["b"]),
    session("config", X + """
config = tf.ConfigProto(device_count={"CPU": 2}, allow_soft_placement=True)
with tf.device("/cpu:1"):
    a = tf.identity(y, name="a")
with tf.Session(config=config) as s:
    print(s.run(a, {x: [1, 2, 3]}), len(s.list_devices()))
""", holds=["a", "y"], runs=1),
    session("partial_run", X + """
k = tf.placeholder(tf.float32, [], name="k")
more = tf.multiply(z, k, name="more")
s = tf.Session()
handle = s.partial_run_setup([z, more], [x, k])
first = s.partial_run(handle, z, {x: [1, 2, 3]})
print(first, s.partial_run(handle, more, {k: first}))
print(s.run(z, {x: [1, 2, 3]}))
""", runs=1, left_out=["partial_run: a run in parts can't be watched"]),
    session("partial_run_twice", X + """
s = tf.Session()
for k in range(3):
    handle = s.partial_run_setup([z], [x])
    print(s.partial_run(handle, z, {x: [1, 2, k + 1]}))
print(s.run(z, {x: [1, 2, 3]}))
""", runs=1, left_out=["partial_run"]),
    session("make_callable", X + """
s = tf.Session()
call = s.make_callable(z, [x])
for k in range(3):
    print(call([1, 2, k + 1]))
print(s.make_callable(tf.square(3.0, name="nine"))())
print(s.make_callable([tf.square(3.0), tf.no_op()], accept_options=True)())
""", runs=5, holds={3: ["z"], 4: ["nine"]}),
    session("callable_options", X + """
metadata = tf.RunMetadata()
s = tf.Session()
call = s.make_callable(z, [x], accept_options=True)
print(call([1, 2, 3], options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE),
           run_metadata=metadata))
print(sorted(n.node_name for d in metadata.step_stats.dev_stats for n in d.node_stats
             if n.node_name.startswith("__")))
""", runs=1, holds=["z"]),
    session("callable_bad_feeds", X + """
s = tf.Session()
try:
    s.make_callable(z, x)
except TypeError as why:
    print(why)
print(s.run(z, {x: [1, 2, 3]}))
""", runs=1),
    # feeds
    session("feeds", """
a = tf.placeholder(tf.float32, [None], name="a")
b = tf.placeholder_with_default([1.0, 2.0], [2], name="b")
c = tf.constant([5.0, 5.0], name="c")
d = tf.add_n([a, b, c], name="d")
s = tf.Session()
print(s.run(d, {a: [1, 2]}), s.run(d, {a: (1, 2), "b:0": [3, 4]}), s.run(d, {a: np.ones(2), c: [0, 0]}))
print(s.run(d, feed_dict={"a:0": range(2)}))
""", runs=4, holds=["d"]),
    session("sparse_feed", """
a = tf.sparse_placeholder(tf.float32, name="a")
b = tf.sparse_tensor_dense_matmul(a, [[1.0], [2.0]], name="b")
s = tf.Session()
value = tf.SparseTensorValue([[0, 0], [1, 1]], np.array([1, 2], np.float32), [2, 2])
print(s.run(b, {a: value}))
print(s.run(b, {a: ([[0, 1]], np.array([3], np.float32), [1, 2])}))
print(s.run(a, {a: value}))
""", left_out=["nothing of it was written"], holds={1: ["b/SparseTensorDenseMatMul"]}),
    session("string_feed", """
a = tf.placeholder(tf.string, [None], name="a")
b = tf.string_join([a, tf.constant(["x", "y"])], name="b")
s = tf.Session()
print(s.run(b, {a: ["p", "q"]}), s.run(tf.strings.length(b), {a: np.array([b"12", b""], object)}))
""", runs=2, holds={1: ["b"]}),
    session("missing_feed", X + """
s = tf.Session()
try:
    s.run(z)
except tf.errors.InvalidArgumentError as why:
    print(why.message.split(chr(10))[0][:60])
print(s.run(z, {x: [1, 2, 3]}))
""", lost=True, left_out=["after the failure: InvalidArgumentError"]),
    session("bad_feed", X + """
s = tf.Session()
for feed in ({x: [1, 2]}, {x: "abc"}, {"nothing": 1}, {3: 4}):
    try:
        s.run(z, feed)
    except (ValueError, TypeError) as why:
        print(type(why).__name__, str(why)[:30])
print(s.run(z, {x: [1, 2, 3]}))
""", runs=1, left_out=["Cannot feed value", "could not convert string", "Cannot interpret feed_dict"]),
    session("bad_fetch", X + """
s = tf.Session()
for fetch in (None, "nothing", 3, object, [z, None]):
    try:
        s.run(fetch, {x: [1, 2, 3]})
    except (ValueError, TypeError) as why:
        print(type(why).__name__)
try:
    s.run(z, {x: [1, 2, 3]}, colour="red")
except TypeError as why:
    print("TypeError")
print(s.run(z, {x: [1, 2, 3]}))
""", left_out=["Fetch argument"], runs=1),
    session("handles", """
a = tf.constant([1.0, 2.0], name="a")
s = tf.Session()
handle = s.run(tf.get_session_handle(tf.square(a, name="b")))
holder, value = tf.get_session_tensor(handle.handle, tf.float32)
print(s.run(tf.add(value, 1.0, name="c"), {holder: handle.handle}))
""", runs=2, holds=["c"]),
    # fetches
    session("fetches", X + """
import collections
Pair = collections.namedtuple("Pair", "one two")
s = tf.Session()
found = s.run({"a": [z, (y, z)], "b": Pair(z, {"c": y}), "op": z.op, "name": "z:0"},
              feed_dict={x: [1, 2, 3]})
print(sorted(found), found["b"], found["op"], found["a"])
print(s.run(collections.OrderedDict([("q", z), ("p", y)]), {x: [1, 2, 3]}))
""", runs=2, holds=["y", "z"]),
    session("empty_fetches", X + """
s = tf.Session()
print(s.run([]), s.run({}), s.run(()), s.run([[], {}]))
print(s.run(z, {x: [1, 2, 3]}))
""", runs=1, holds=["z"], left_out=["nothing of it was written"]),
    session("own_metadata", X + """
class Metadata:
    def ParseFromString(self, data):
        print("filled")
s = tf.Session()
print(s.run(z, {x: [1, 2, 3]}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), Metadata()))
""", runs=1, left_out=["run_metadata: AttributeError"]),
    session("ops_only", VARIABLE + """
s = tf.Session()
print(s.run(tf.global_variables_initializer()), s.run([add.op, tf.no_op()]), s.run(v))
""", runs=3, holds=["v"]),
    session("sparse_fetch", """
a = tf.SparseTensor([[0, 1]], [2.0], [2, 2])
b = tf.IndexedSlices(tf.constant([[1.0, 2.0]], name="b"), tf.constant([1]), tf.constant([3, 2]))
s = tf.Session()
print(s.run(a))
print(s.run(b))
""", runs=2, holds=["b"]),
    session("ragged_fetch", """
r = tf.ragged.constant([[1, 2], [], [3]])
s = tf.Session()
print(s.run(r), s.run(tf.reduce_sum(r, axis=1, name="sum")))
""", runs=2),
    session("kinds_of_numbers", """
s = tf.Session()
for kind in (tf.float16, tf.bfloat16, tf.float64, tf.int8, tf.uint16, tf.int64, tf.bool,
             tf.complex64, tf.complex128, tf.uint8):
    print(s.run(tf.cast(tf.constant([0, 1, 2], name="c_" + kind.name), kind, name=kind.name)))
print(s.run(tf.constant(["a", "b"], name="text")))
""", runs=11),
    session("no_values", """
s = tf.Session()
print(s.run(tf.zeros([0, 3], name="none")), s.run(tf.zeros([2, 0, 2]) + 1.0).shape)
""", runs=2),
    # what the program asks for itself
    session("run_metadata", X + """
options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
metadata = tf.RunMetadata()
s = tf.Session()
for k in range(3):
    print(s.run(z, {x: [1, 2, 3]}, options=options, run_metadata=metadata))
    print(sorted(n.node_name for d in metadata.step_stats.dev_stats for n in d.node_stats
                 if n.node_name in ("y", "z") or n.node_name.startswith("__")))
print(options)
""", runs=3, holds=["z"]),
    session("plain_metadata", X + """
metadata = tf.RunMetadata()
s = tf.Session()
print(s.run(z, {x: [1, 2, 3]}, run_metadata=metadata), len(metadata.partition_graphs),
      len(metadata.step_stats.dev_stats))
""", runs=1),
    session("partition_graphs", X + """
options = tf.RunOptions(output_partition_graphs=True)
metadata = tf.RunMetadata()
s = tf.Session()
print(s.run(z, {x: [1, 2, 3]}, options=options, run_metadata=metadata))
print([n.name for g in metadata.partition_graphs for n in g.node if n.name.startswith("__")])
print(s.run(z, {x: [1, 2, 3]}))
""", runs=1, left_out=["asks for its partition graphs"]),
    session("timeout", QUEUE + """
s = tf.Session()
try:
    s.run(taken, options=tf.RunOptions(timeout_in_ms=200))
except tf.errors.DeadlineExceededError as why:
    print(type(why).__name__)
s.run(fill)
print(s.run(taken))
""", lost=True, left_out=["after the failure: DeadlineExceededError"]),
    session("tfdbg_of_the_program", X + """
from tensorflow.python import debug
s = debug.DumpingDebugWrapperSession(tf.Session(), "own")
print(s.run(z, {x: [1, 2, 3]}))
print(tf.Session().run(z, {x: [1, 2, 3]}))
import os
print(len(os.listdir("own")))
""", runs=1, left_out=["the program debugs it itself"]),
    session("profiler_of_the_program", X + """
metadata = tf.RunMetadata()
s = tf.Session()
print(s.run(z, {x: [1, 2, 3]}, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE),
            run_metadata=metadata))
from tensorflow.python.client import timeline
print("y" in timeline.Timeline(metadata.step_stats).generate_chrome_trace_format())
""", runs=1),
    # variables, training
    session("variables", VARIABLE + """
s = tf.Session()
try:
    s.run(add)
except tf.errors.FailedPreconditionError as why:
    print(type(why).__name__)
s.run(tf.global_variables_initializer())
for k in range(3):
    print(s.run([v, add]))
v.load([7.0, 7.0], s)
print(s.run(v))
""", lost=True, left_out=["after the failure: FailedPreconditionError"]),
    session("resource_variables", """
tf.enable_resource_variables()
with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
    v = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
s = tf.Session()
s.run(v.initializer)
s.run(tf.scatter_add(v, [1], [2.0]))
print(s.run(v), s.run(v.read_value()))
""", runs=4),
    session("train", TRAIN + """
s = tf.Session()
s.run(tf.global_variables_initializer())
for k in range(5):
    print(s.run([train, loss, step]))
""", runs=6, holds=["h", "loss"], lines={"loss": "tf.reduce_mean"}),
    session("train_options", TRAIN + """
s = tf.Session()
s.run(tf.global_variables_initializer())
for k in range(8):
    print(s.run([train, loss, step]))
""", options=["--first", "2", "--every", "2", "--count", "3"], runs=3, holds=["loss"]),
    session("train_keep", TRAIN + """
s = tf.Session()
s.run(tf.global_variables_initializer())
for k in range(8):
    print(s.run([train, loss, step]))
""", options=["--keep", "2"], runs=2),
    session("adam_clip", TRAIN + """
adam = tf.train.AdamOptimizer(0.1)
gradients, variables = zip(*adam.compute_gradients(loss, [w]))
clipped, norm = tf.clip_by_global_norm(gradients, 0.5)
apply = adam.apply_gradients(zip(clipped, variables))
s = tf.Session()
s.run(tf.global_variables_initializer())
for k in range(3):
    print(s.run([apply, norm, loss])[1:])
""", runs=4, holds=["loss"]),
    session("random_numbers", """
tf.set_random_seed(3)
a = tf.random_normal([2], name="a")
b = tf.nn.dropout(tf.ones([6]), rate=0.5, seed=4)
c = tf.random_shuffle(tf.range(5), name="c")
with tf.Session() as s:
    for k in range(5):
        print(s.run([a, b, c]))
""", options=["--first", "1", "--count", "2"], runs=2, holds=["a", "c"]),
    session("random_in_function", """
import tensorflow
tf.set_random_seed(3)
@tensorflow.function
def f(x):
    return x + tf.random_uniform([2])
a = f(tf.constant([1.0, 2.0]))
b = tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x + tf.random_normal([])), (0, 0.0))
with tf.Session() as s:
    for k in range(5):
        print(s.run([a, b]))
""", options=["--first", "1", "--count", "2"], runs=2),
    session("random_in_cond_v2", """
tf.enable_control_flow_v2()
tf.set_random_seed(3)
p = tf.placeholder(tf.bool, [], name="p")
a = tf.cond(p, lambda: tf.random_uniform([2]), lambda: tf.zeros([2]))
with tf.Session() as s:
    for k in range(6):
        print(s.run(a, {p: k % 3 != 1}))
""", options=["--first", "1", "--count", "2"], runs=2),
    session("nan", X + """
s = tf.Session()
for k in (3, 0, -1):
    print(s.run(z, {x: [1, 2, k]}))
""", runs=3, origin="y"),
    session("check_numerics", X + """
checked = tf.check_numerics(y, "bad y")
s = tf.Session()
print(s.run(checked, {x: [1, 2, 3]}))
try:
    s.run(checked, {x: [1, 0, 3]})
except tf.errors.InvalidArgumentError as why:
    print("bad y" in why.message)
""", runs=2, lost=True, left_out=["after the failure: InvalidArgumentError"]),
    session("op_error", """
a = tf.placeholder(tf.float32, None, name="a")
b = tf.matmul(a, [[1.0], [2.0]], name="b")
s = tf.Session()
try:
    s.run(b, {a: np.ones((2, 3))})
except tf.errors.InvalidArgumentError as why:
    print(why.op.name, type(why).__name__, why.error_code)
print(s.run(b, {a: np.ones((2, 2))}))
""", runs=2, lost=True, left_out=["after the failure"]),
    session("op_error_uncaught", """
a = tf.placeholder(tf.int32, [], name="a")
b = tf.floordiv(6, a, name="b")
s = tf.Session()
print(s.run(b, {a: 2}))
s.run(b, {a: 0})
""", status=1, stderr="ivision by zero", lost=True, left_out=["after the failure"]),
    session("assert_op", X + """
with tf.control_dependencies([tf.Assert(tf.reduce_all(x > 0), ["x is", x])]):
    fine = tf.identity(z, name="fine")
s = tf.Session()
print(s.run(fine, {x: [1, 2, 3]}))
try:
    s.run(fine, {x: [0, 1, 2]})
except tf.errors.InvalidArgumentError as why:
    print("x is" in why.message)
""", lost=True, left_out=["after the failure"]),
    session("print_op", X + """
import sys
shown = tf.print("z is", z, output_stream=sys.stdout)
with tf.control_dependencies([shown]):
    fine = tf.identity(z, name="fine")
s = tf.Session()
print(s.run(fine, {x: [1, 2, 3]}))
""", holds=["fine"]),
    session("py_func", X + """
def square(a):
    print("called")
    return a * a
p = tf.py_func(square, [x], tf.float32, name="p")
s = tf.Session()
for k in range(2):
    print(s.run(p, {x: [1, 2, 3]}))
""", runs=2, holds=["p"]),
    session("py_func_raises", X + """
def fail(a):
    raise ValueError("mine")
p = tf.py_func(fail, [x], tf.float32, name="p")
s = tf.Session()
try:
    s.run(p, {x: [1, 2, 3]})
except tf.errors.InvalidArgumentError as why:
    print("mine" in why.message)
""", lost=True, left_out=["after the failure"]),
    # control flow
    session("control_flow", """
p = tf.placeholder(tf.float32, [], name="p")
a = tf.cond(p > 0, lambda: tf.log(p, name="log"), lambda: tf.square(p, name="square"))
b = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.multiply(x, 2.0, name="twice")), (0, p))
c = tf.case([(p > 1, lambda: tf.constant(1)), (p < 0, lambda: tf.constant(-1))], lambda: tf.constant(0))
s = tf.Session()
for k in (2.0, -1.0, 0.5):
    print(s.run([a, b, c, tf.gradients(b, p)], {p: k}))
""", runs=3),
    session("control_flow_v2", """
tf.enable_control_flow_v2()
p = tf.placeholder(tf.float32, [], name="p")
a = tf.cond(p > 0, lambda: tf.log(p), lambda: tf.square(p))
b = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), (0, p))
s = tf.Session()
for k in (2.0, -1.0):
    print(s.run([a, b, tf.gradients(b, p)], {p: k}))
""", runs=2),
    session("dynamic_rnn", """
tf.set_random_seed(1)
a = tf.constant(np.arange(24).reshape(2, 4, 3) / 20.0, tf.float32)
out, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(4), a, sequence_length=[2, 4], dtype=tf.float32)
loss = tf.reduce_sum(out, name="loss")
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
s = tf.Session()
s.run(tf.global_variables_initializer())
for k in range(2):
    print(s.run([loss, train])[0])
""", head=ONE, runs=3, holds=["loss"]),
    session("tensor_array", """
a = tf.map_fn(lambda x: x * 2.0, tf.constant([1.0, 2.0, 3.0]))
b = tf.scan(lambda s, x: s + x, tf.constant([1.0, 2.0, 3.0]))
ta = tf.TensorArray(tf.float32, 2).unstack([[1.0], [2.0]])
s = tf.Session()
print(s.run([a, b, ta.concat()]))
""", runs=1),
    session("function", """
import tensorflow
@tensorflow.function
def f(x):
    return tf.square(x) + 1.0
a = f(tf.random_uniform([2], seed=1))
s = tf.Session()
print(s.run(tf.identity(a, name="out")))
""", runs=1, holds=["out"]),
    # inputs
    session("queue", QUEUE + """
s = tf.Session()
s.run(fill)
s.run(queue.close())
while True:
    try:
        print(s.run(taken))
    except tf.errors.OutOfRangeError:
        print("end")
        break
""", runs=5, holds=["taken"]),
    session("coordinator", """
names = tf.train.string_input_producer(["a", "b", "c"], num_epochs=2, shuffle=False)
taken = tf.identity(names.dequeue(), name="taken")
s = tf.Session()
s.run([tf.local_variables_initializer(), tf.global_variables_initializer()])
coordinator = tf.train.Coordinator()
threads = tf.train.start_queue_runners(s, coordinator)
try:
    while not coordinator.should_stop():
        print(s.run(taken))
except tf.errors.OutOfRangeError:
    print("end")
finally:
    coordinator.request_stop()
coordinator.join(threads)
s.close()
""", runs=7, holds=["taken"]),
    session("dataset", DATA + """
s = tf.Session()
try:
    while True:
        print(s.run(twice))
except tf.errors.OutOfRangeError:
    print("end")
""", runs=3, holds=["twice"]),
    session("dataset_end_uncaught", DATA + """
s = tf.Session()
while True:
    print(s.run(twice))
""", runs=3, status=1, stderr="End of sequence"),
    session("initializable", """
n = tf.placeholder(tf.int64, [], name="n")
data = tf.data.Dataset.range(n).map(lambda k: k * k).shuffle(8, seed=1).repeat(2)
iterator = tf.data.make_initializable_iterator(data)
value = iterator.get_next()
with tf.Session() as s:
    for k in (2, 3):
        s.run(iterator.initializer, {n: k})
        while True:
            try:
                print(s.run(value))
            except tf.errors.OutOfRangeError:
                break
""", options=["--count", "100"], runs=12),
    session("sixteen_epochs", DATA + """
print(tf.Session().run(twice))
""", options=["--keep", "1"], runs=1),
    # tools
    session("saver", TRAIN + """
saver = tf.train.Saver()
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    s.run(train)
    print(saver.save(s, "./model/ckpt", global_step=step), s.run(loss))
with tf.Session() as s:
    saver.restore(s, tf.train.latest_checkpoint("model"))
    print(s.run(loss), s.run(step))
""", holds=["step"] and [], options=["--count", "100"]),
    session("import_graph", X + """
text = tf.get_default_graph().as_graph_def()
with tf.Graph().as_default() as g:
    a = tf.constant([1.0, 2.0, 3.0])
    found, = tf.import_graph_def(text, {"x": a}, ["z:0"], name="in")
    print(tf.Session().run(found))
""", runs=1, holds=["in/z"]),
    session("saved_model", X + """
with tf.Session() as s:
    tf.saved_model.simple_save(s, "saved", {"x": x}, {"z": z})
with tf.Session(graph=tf.Graph()) as s:
    tf.saved_model.loader.load(s, ["serve"], "saved")
    print(s.run("z:0", {"x:0": [1, 2, 3]}))
""", holds=["z"]),
    session("summaries", X + """
tf.summary.scalar("z", z)
tf.summary.histogram("y", y)
merged = tf.summary.merge_all()
s = tf.Session()
writer = tf.summary.FileWriter("logs", s.graph)
for k in range(3):
    writer.add_summary(s.run(merged, {x: [1, 2, k + 1]}), k)
writer.close()
import glob
print(len(glob.glob("logs/*")))
""", runs=3, holds=["y", "z"]),
    session("finalized", X + """
tf.get_default_graph().finalize()
s = tf.Session()
print(s.run(z, {x: [1, 2, 3]}))
try:
    tf.constant(1)
except RuntimeError as why:
    print(why)
""", runs=1),
    session("growing", """
s = tf.Session()
a = tf.constant(1.0, name="a0")
for k in range(4):
    a = tf.add(a, 1.0, name="a%d" % (k + 1))
    print(s.run(a))
print(len(tf.get_default_graph().get_operations()))
""", runs=4, holds=["a4"]),
    session("devices", """
with tf.device("/cpu:0"):
    a = tf.constant([1.0], name="a")
print(tf.Session(config=tf.ConfigProto(log_device_placement=False)).run(a))
""", runs=1),
    session("threads", VARIABLE + """
import threading
s = tf.Session()
s.run(tf.global_variables_initializer())
def work():
    for k in range(5):
        s.run(add)
threads = [threading.Thread(target=work) for k in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(s.run(v))
""", options=["--count", "10"], runs=10),
    session("exit", X + """
import sys
print(tf.Session().run(z, {x: [1, 2, 3]}))
sys.exit(3)
""", status=3, runs=1),
    session("interrupt", X + """
import os, signal
print(tf.Session().run(z, {x: [1, 2, 3]}), flush=True)
os.kill(os.getpid(), signal.SIGINT)
import time
time.sleep(60)
""", status=-2 if sys.version_info >= (3, 8) else 1, stderr="KeyboardInterrupt", runs=1, process=True),
    session("at_exit", X + """
import atexit
s = tf.Session()
atexit.register(lambda: print(s.run(z, {x: [1, 2, 3]}), __name__))
""", runs=1),
    session("arguments", X + """
import sys
print(sys.argv[1:], __name__, tf.Session().run(z, {x: [1, 2, 3]}))
""", args=["--out", "x", "-n"], runs=1),
    session("odd_repr", X + """
class Odd(dict):
    def __repr__(self):
        raise ValueError("no words for it")
print(tf.Session().run(z, {x: [1, 2, 3]}))
print(tf.Session().run(Odd(a=z), {x: [1, 2, 3]}).keys())
""", runs=1, left_out=["run: ValueError: no words for it"]),
    session("unwritable", X + """
s = tf.Session()
for k in range(3):
    print(s.run(z, {x: [1, 2, 3]}))
""", files={"file": ""}, nothing=True, api=True),
    # the recorder's own session
    session("api", X + """
s = tf.Session()
#: import record_session
#: s = record_session.Session(s, "$OUT", first=1, count=2)
with s:
    for k in range(4):
        print(s.run(z, {x: [1, 2, 3]}))
    print(isinstance(s, tf.Session), tf.get_default_session() is s)
try:
    s.run(z, {x: [1, 2, 3]})
except RuntimeError as why:
    print(why)
""", api=True, runs=2, holds=["z"]),
    session("api_partial", X + """
s = tf.Session()
#: import record_session
#: s = record_session.Session(s, "$OUT")
handle = s.partial_run_setup([z], [x])
print(s.partial_run(handle, z, {x: [1, 2, 3]}))
print(s.run(z, {x: [1, 2, 3]}))
s.close()
""", api=True, runs=1, left_out=["partial_run"]),
    session("api_monitored", TRAIN + """
with tf.train.MonitoredTrainingSession() as s:
    #: import record_session
    #: s = record_session.Session(s, "$OUT")
    for k in range(3):
        print(s.run([train, loss])[1], s.should_stop())
""", api=True, runs=3, holds=["loss"]),
    # Keras, functions, eager code of TensorFlow 1.15
    session("keras_in_session_recorder", """
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,), kernel_initializer="ones", name="d")])
model.compile("sgd", "mse")
h = model.fit(np.ones((8, 3)), np.zeros((8, 2)), batch_size=4, verbose=0)
print(h.history, model.predict(np.ones((1, 3))))
""", head=ONE, options=["--count", "100"]),
    session("eager", """
tf.enable_eager_execution()
print(tf.square(3.0).numpy())
with tf.Graph().as_default():
    a = tf.random_uniform([], seed=1, name="a")
    print(tf.Session().run(tf.square(a, name="b")))
""", head=ONE, runs=1, holds=["b"]),
    session("eager_only", """
tf.enable_eager_execution()
print(tf.square(3.0).numpy())
""", head=ONE, nothing=True),
]
