"""Programs of TensorFlow 2 for record_v2 and record_profile: see programs.py, programs_keras.py."""
from programs_keras import FIT, HEAD, PRELOAD, program                     # noqa: F401

ROWS = [
    # record_v2
    program("v2_eager", """
a = tf.constant([1.0, 0.0])
print(tf.math.log(a).numpy(), (a * 2).numpy(), tf.strings.join(["a", "b"]).numpy())
""", recorder="v2", head=HEAD),
    program("v2_function", """
@tf.function
def f(a):
    print("traced")
    return tf.reduce_sum(tf.math.log(a), name="sum")
for k in range(3):
    print(f(tf.constant([1.0, float(k)])).numpy())
""", recorder="v2", head=HEAD, holds=["sum"]),
    program("v2_xla", """
@tf.function(jit_compile=True)
def f(a):
    return tf.reduce_sum(tf.math.log(a))
@tf.function
def g(a):
    return tf.add(f(a), 1.0, name="more")
print(f(tf.constant([1.0, 2.0])).numpy(), g(tf.constant([1.0, 2.0])).numpy())
""", recorder="v2", head=HEAD, left_out=["function f: XLA compiles it"], holds=["more"]),
    program("v2_random", """
tf.random.set_seed(3)
@tf.function
def f():
    return tf.random.normal([2]), tf.random.uniform([2], seed=4)
g = tf.random.Generator.from_seed(1)
for k in range(3):
    print(f(), tf.random.normal([2]).numpy(), g.normal([2]).numpy(), np.random.rand())
""", recorder="v2", head=HEAD),
    program("v2_gradients", """
v = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    z = tf.reduce_sum(v * v * v)
print(tape.gradient(z, v).numpy(), tape.jacobian(v * 2.0, v) is None)
with tf.autodiff.ForwardAccumulator(v, tf.constant([1.0, 0.0])) as acc:
    z = tf.reduce_sum(tf.exp(v))
print(acc.jvp(z).numpy())
@tf.function
def hessian(a):
    with tf.GradientTape() as outer:
        outer.watch(a)
        with tf.GradientTape() as inner:
            inner.watch(a)
            z = tf.reduce_sum(a ** 3)
        g = inner.gradient(z, a)
    return outer.jacobian(g, a)
print(hessian(tf.constant([1.0, 2.0])).numpy())
""", recorder="v2", head=HEAD),
    program("v2_control_flow", """
@tf.function
def f(n):
    total, array = 0.0, tf.TensorArray(tf.float32, 0, dynamic_size=True)
    for k in tf.range(n):
        if k % 2 == 0:
            total += tf.cast(k, tf.float32)
        array = array.write(k, total)
    while total > 1.0:
        total /= 2.0
    return total, array.stack(), tf.map_fn(lambda a: a + 1.0, array.stack())
print(f(tf.constant(5)))
print(tf.vectorized_map(lambda a: a * 2.0, tf.constant([1.0, 2.0])))
""", recorder="v2", head=HEAD),
    program("v2_types", """
for kind in ("float16", "bfloat16", "float64", "int8", "uint32", "int64", "bool", "complex64", "float8_e4m3fn", "int4"):
    a = tf.cast(tf.constant([0.0, 1.0, 2.0] if "float8" in kind else [0, 1, 2]), tf.dtypes.as_dtype(kind))
    b = tf.function(lambda a: tf.identity(a))(a)
    print(kind, a.dtype, b.dtype)
print(tf.ragged.constant([[1], [2, 3]]), tf.sparse.from_dense([[0, 1]]), tf.constant(["a"]))
""", recorder="v2", head=HEAD, options=["--values", "1"], left_out=["float8", "int4"]),
    program("v2_errors", """
import re
for bad in (lambda: tf.matmul(tf.ones((2, 3)), tf.ones((2, 3))), lambda: tf.constant([1, 2]) + tf.constant([1.0, 2.0]),
            lambda: tf.reshape(tf.ones(3), (2, 2)), lambda: tf.debugging.assert_equal(1, 2),
            lambda: tf.function(lambda: tf.debugging.check_numerics(tf.math.log([0.0]), "x"))()):
    try:
        bad()
    except Exception as why:
        print(type(why).__name__, re.sub("[0-9]+", "", str(why))[-30:])
""", recorder="v2", head=HEAD),
    program("v2_check_numerics", """
tf.debugging.enable_check_numerics()
f = tf.function(lambda a: tf.math.log(a))
print(f(tf.constant([1.0])).numpy())
try:
    f(tf.constant([0.0]))
except tf.errors.InvalidArgumentError as why:
    print(type(why).__name__)
tf.debugging.disable_check_numerics()
print(tf.math.log(0.0).numpy())
""", recorder="v2", head=HEAD),
    program("v2_own_dump", """
writer = tf.debugging.experimental.enable_dump_debug_info("own", tensor_debug_mode="FULL_HEALTH", circular_buffer_size=10)
print(tf.function(lambda a: a + 1.0)(tf.constant(1.0)).numpy())
writer.FlushNonExecutionFiles()
writer.FlushExecutionFiles()
tf.debugging.experimental.disable_dump_debug_info()
import os
print(len(os.listdir("own")))
""", recorder="v2", head=HEAD),
    program("v2_session", """
with tf.Graph().as_default():
    a = tf.compat.v1.placeholder(tf.float32, [2], name="a")
    b = tf.math.log(a, name="b")
    print(b.name, len(tf.compat.v1.get_default_graph().get_operations()))
    with tf.compat.v1.Session() as s:
        print(s.run(b, {a: [1, 2]}))
print(tf.square(2.0).numpy())
""", recorder="v2", head=HEAD, left_out=["a graph: a session runs it"]),
    program("v2_most", """
f = tf.function(lambda a: a * 1.5)
a = tf.constant(1.0)
for k in range(30):
    a = f(a)
print(a.numpy())
""", recorder="v2", head=HEAD, options=["--most", "10"], lost=True),
    program("v2_keras", "model = make()\n" + FIT.format(", epochs=2, validation_data=(x, y)") +
            "print(model.evaluate(x, y, verbose=0), model.predict(x, verbose=0).sum())\n", recorder="v2"),
    program("v2_threads", """
import threading
f = tf.function(lambda a: a + 1.0)
def work(k):
    got[k] = f(tf.constant(float(k))).numpy()
got = {}
threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(sorted(got.items()), f(tf.constant(1.0)).numpy())
""", recorder="v2", head=HEAD),
    program("v2_block", """
import contextlib
recording = contextlib.nullcontext()
#: import record_v2
#: recording = record_v2.Recording("$OUT")
f = tf.function(lambda a: tf.math.log(a, name="log"))
with recording:
    print(f(tf.constant([1.0, 0.0])).numpy())
for k in range(4):
    print(f(tf.constant([1.0, 2.0])).numpy())
""", recorder="v2", head=HEAD, api=True, holds=["log"]),
    program("v2_data", """
data = tf.data.Dataset.range(10).map(lambda k: tf.cast(k, tf.float32) * 2.0, num_parallel_calls=2).batch(3).prefetch(2)
for batch in data:
    print(batch.numpy())
print(sum(float(b) for b in data.unbatch()), next(iter(data)).numpy())
""", recorder="v2", head=HEAD),
    program("v2_saved_model", """
class Module(tf.Module):
    def __init__(self):
        self.v = tf.Variable(2.0)
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def f(self, a):
        return a * self.v
m = Module()
tf.saved_model.save(m, "saved")
again = tf.saved_model.load("saved")
print(m.f([1.0, 2.0]).numpy(), again.f(tf.constant([3.0])).numpy())
""", recorder="v2", head=HEAD, left_out=["a graph: a session runs it"]),
    program("v2_py_function", """
def own(a):
    print("called")
    return a.numpy() * 2.0
print(tf.py_function(own, [tf.constant(2.0)], tf.float32).numpy())
print(tf.function(lambda a: tf.numpy_function(lambda n: n + 1.0, [a], tf.float64))(np.float64(1.0)).numpy())
""", recorder="v2", head=HEAD),
    program("v2_interrupted", """
from tensorflow.python.debug.lib import dumping_callback
from tensorflow.python.framework import op_callbacks
calls = []
def own(op_type, *more, **named):
    calls.append(op_type)
def interrupt(*arguments, **named):
    raise KeyboardInterrupt
op_callbacks.add_op_callback(own)
#: import record_v2
#: recording = record_v2.Recording("$OUT").start()
#: plain = dumping_callback._DumpingCallback.callback
#: dumping_callback._DumpingCallback.callback = interrupt
try:
    tf.square(2.0)
except KeyboardInterrupt:
    pass
#: dumping_callback._DumpingCallback.callback = plain
del calls[:]
print(tf.math.log(tf.constant([1.0, 0.0])).numpy(), calls)
print(hasattr(dumping_callback.tf_stack, "CurrentModuleFilter"))
#: recording.stop()
""", recorder="v2", head=HEAD, api=True, runs=1),
    program("v2_nothing", "print(1)\n", recorder="v2", head=HEAD, nothing=True,
            said="record_v2: nothing was recorded: TensorFlow computed nothing\n"),
    program("v2_second_recording", """
#: import os, record_v2
#: os.makedirs("$OUT")
#: open("$OUT/tfdbg_events.1.metadata", "w").close()
#: recording = record_v2.Recording("$OUT").start()
print(tf.math.log(tf.constant(2.0)).numpy())
#: recording.stop()
""", recorder="v2", head=HEAD, api=True, nothing=True,
            said="recording already holds recorded steps: what is not recorded anew stays\n"),
    # profiles
    program("profile", "model = make()\n" + FIT.format(""), recorder="profile", nothing=True),
    program("profile_twice", """
model = make()
tf.profiler.experimental.start("logs")
print(model.fit(x, y, batch_size=4, verbose=0).history)
tf.profiler.experimental.stop()
with tf.profiler.experimental.Profile("logs"):
    print(model.evaluate(x, y, verbose=0))
""", recorder="profile", nothing=True, left_out=["profile: what follows"]),
]
