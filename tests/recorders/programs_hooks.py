"""Programs of TensorFlow 1 with hooks, Estimators and profiles: see programs.py, programs_tf1.py."""
import glob
import importlib.util
import os

from programs_tf1 import DATA, ONE, PRELOAD, TRAIN, X, session             # noqa: F401

MODEL = """
def model_fn(features, labels, mode):
    w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
    h = tf.matmul(features["x"], w, name="h")
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"h": h})
    loss = tf.reduce_mean(tf.square(h - labels), name="loss")
    train = tf.train.GradientDescentOptimizer(0.01).minimize(
        loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

def input_fn():
    data = {"x": np.arange(16, dtype=np.float32).reshape(8, 2)}, np.ones((8, 1), np.float32)
    return tf.data.Dataset.from_tensor_slices(data).batch(2)

config = tf.estimator.RunConfig(tf_random_seed=1)
"""
ESTIMATOR = MODEL + "estimator = tf.estimator.Estimator(model_fn, 'model', config)\n"
LOSS = "print(sorted((k, round(float(v), 5)) for k, v in {}.items()))\n"
IS_TWO = not importlib.util.find_spec("tensorflow.contrib")
GIVES_WAY = ["profile: what follows"] if IS_TWO else []


def parts(*expected):
    """The estimator's recordings: how many runs train, evaluate and predict have."""
    def check(directory):
        for part in expected:
            name, n = part
            found = glob.glob(os.path.join(directory, name, "run_*"))
            if len(found) != n:
                return "%s has %d runs" % (name, len(found))
        return None
    return check


def profiled(n):
    """There are that many profiled runs."""
    def check(directory):
        found = glob.glob(os.path.join(directory, "run_metadata_*.pb"))
        return None if len(found) == n else "%d profiled runs" % len(found)
    return check


ROWS = [
    # monitored sessions, hooks
    session("monitored", TRAIN + """
with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(4)]) as s:
    while not s.should_stop():
        print(s.run([train, loss, step])[1:])
""", options=["--count", "100"]),
    session("supervisor", TRAIN + """
supervisor = tf.train.Supervisor(logdir="log", global_step=step, save_model_secs=0, save_summaries_secs=0)
with supervisor.managed_session() as s:
    for k in range(3):
        print(s.run([train, loss])[1])
supervisor.stop()
""", options=["--count", "100"]),
    session("hook", TRAIN + """
hooks = [tf.train.StopAtStepHook(4), tf.train.NanTensorHook(loss)]
#: import record_hook
#: hooks.append(record_hook.Hook("$OUT", first=1, count=2))
with tf.train.MonitoredTrainingSession(hooks=hooks) as s:
    while not s.should_stop():
        print(s.run([train, loss, step])[1:])
""", api=True, recorder="hook", runs=2, holds=["loss"]),
    session("hook_end_of_input", DATA + """
tf.train.get_or_create_global_step()
hooks = []
#: import record_hook
#: hooks.append(record_hook.Hook("$OUT"))
with tf.train.MonitoredSession(hooks=hooks) as s:
    while not s.should_stop():
        print(s.run(twice))
""", api=True, recorder="hook", runs=3, holds=["twice"]),
    session("hook_epochs", """
data = tf.data.Dataset.range(2)
iterator = tf.data.make_initializable_iterator(data)
value = tf.identity(iterator.get_next(), name="value")
hooks = []
#: import record_hook
#: hooks.append(record_hook.Hook("$OUT"))
with tf.train.MonitoredSession(hooks=hooks) as s:
    for epoch in range(2):
        s.run(iterator.initializer)
        while True:
            try:
                print(s.run(value))
            except tf.errors.OutOfRangeError:
                break
""", api=True, recorder="hook", runs=6, holds=["value"]),
    session("hook_options", TRAIN + """
options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
metadata = tf.RunMetadata()
hooks = []
#: import record_hook
#: hooks.append(record_hook.Hook("$OUT", count=2))
with tf.train.SingularMonitoredSession(hooks=hooks) as s:
    for k in range(4):
        print(s.run(loss, options=options, run_metadata=metadata))
        print([n.node_name for d in metadata.step_stats.dev_stats for n in d.node_stats
               if n.node_name.startswith("__")], options)
""", api=True, recorder="hook", runs=2),
    session("hooks_of_others", TRAIN + """
class Mine(tf.train.SessionRunHook):
    def before_run(self, context):
        print(context.session.run(step), type(context.session).__name__)
        return tf.train.SessionRunArgs({"loss": loss}, options=tf.RunOptions(timeout_in_ms=60000))
    def after_run(self, context, values):
        print(values.results)
        if values.results["loss"] < 0.01:
            context.request_stop()
hooks = [Mine(), Mine()]
#: import record_hook
#: hooks.insert(1, record_hook.Hook("$OUT", count=2))
with tf.train.MonitoredSession(hooks=hooks) as s:
    for k in range(3):
        if not s.should_stop():
            s.run(train)
""", api=True, recorder="hook", runs=2, holds=["loss"]),
    session("hook_fails", TRAIN + """
hooks = []
#: import record_hook
#: hooks.append(record_hook.Hook("/proc/nothing/here"))
with tf.train.MonitoredSession(hooks=hooks) as s:
    for k in range(3):
        print(s.run([train, loss])[1])
""", api=True, recorder="hook", nothing=True),
    session("hook_op_fails", """
a = tf.placeholder(tf.float32, [], name="a")
b = tf.check_numerics(tf.log(a, name="log"), "bad")
tf.train.get_or_create_global_step()
hooks = []
#: import record_hook
#: hooks.append(record_hook.Hook("$OUT"))
try:
    with tf.train.MonitoredSession(hooks=hooks) as s:
        print(s.run(b, {a: 1.0}))
        s.run(b, {a: 0.0})
except tf.errors.InvalidArgumentError:
    print("failed")
""", api=True, recorder="hook", lost=True, left_out=["after the failure"]),
    session("scaffold", TRAIN + """
scaffold = tf.train.Scaffold(saver=tf.train.Saver(), init_fn=lambda scaffold, s: print("init"))
hooks = []
#: import record_hook
#: hooks.append(record_hook.Hook("$OUT"))
with tf.train.MonitoredTrainingSession(checkpoint_dir="dir", scaffold=scaffold, hooks=hooks,
                                       save_checkpoint_steps=2) as s:
    for k in range(3):
        print(s.run([train, loss])[1])
with tf.train.MonitoredTrainingSession(checkpoint_dir="dir", scaffold=scaffold, hooks=hooks) as s:
    print(s.run([train, loss, step])[1:])
""", api=True, recorder="hook", runs=4),
    session("step_fn", TRAIN + """
hooks = []
#: import record_hook
#: hooks.append(record_hook.Hook("$OUT"))
def step_fn(step_context):
    return step_context.run_with_hooks(loss), step_context.session.run(step)
with tf.train.MonitoredSession(hooks=hooks) as s:
    print(s.run_step_fn(step_fn))
""", api=True, recorder="hook", runs=1),
    # estimators
    session("estimator", ESTIMATOR + """
estimator.train(input_fn)
""" + LOSS.format("estimator.evaluate(input_fn)") + """
print([round(float(p["h"][0]), 4) for p in estimator.predict(input_fn)])
""", head=ONE, recorder="estimator", check=parts(("train", 4), ("evaluate", 4), ("predict", 4)),
        nothing=True),
    session("estimator_hooks", ESTIMATOR + """
class Count(tf.train.SessionRunHook):
    def before_run(self, context):
        print("before")
estimator.train(input_fn, [Count()], 2)
""" + LOSS.format("estimator.evaluate(input_fn, 2, [Count()])") + """
print(next(estimator.predict(input_fn, None, [Count()]))["h"].shape)
""", head=ONE, recorder="estimator", nothing=True, check=parts(("train", 2), ("evaluate", 2))),
    session("estimator_bad_arguments", ESTIMATOR + """
for arguments in ((), (input_fn, None, 1, 2, 3, 4, 5)):
    try:
        estimator.train(*arguments)
    except TypeError as why:
        print("TypeError")
estimator.train(input_fn, max_steps=2)
""", head=ONE, recorder="estimator", nothing=True, check=parts(("train", 2))),
    session("train_and_evaluate", ESTIMATOR + """
found = tf.estimator.train_and_evaluate(estimator, tf.estimator.TrainSpec(input_fn, max_steps=4),
                                        tf.estimator.EvalSpec(input_fn, steps=2))
""" + LOSS.format("found[0]"), head=ONE, recorder="estimator", nothing=True,
        check=parts(("train", 4), ("evaluate", 2))),
    session("canned", MODEL + """
columns = [tf.feature_column.numeric_column("x", [2])]
estimator = tf.estimator.DNNRegressor([4], columns, "model", config=config)
estimator.train(input_fn)
""" + LOSS.format("estimator.evaluate(input_fn)"), head=ONE, recorder="estimator", nothing=True,
        check=parts(("train", 4))),
    session("estimator_subclass", MODEL + """
class Mine(tf.estimator.Estimator):
    pass
estimator = Mine(model_fn, "model", config)
print(estimator.train(input_fn) is estimator, type(estimator).__name__)
""", head=ONE, recorder="estimator", nothing=True, check=parts(("train", 4))),
    session("estimators", MODEL + """
for k in range(2):
    estimator = tf.estimator.Estimator(model_fn, "model%d" % k, config)
    estimator.train(input_fn)
""" + LOSS.format("estimator.evaluate(input_fn)"), head=ONE, recorder="estimator", nothing=True,
        check=parts(("train", 8))),
    session("estimator_copied", ESTIMATOR + """
import copy, os
copied = copy.deepcopy(estimator)
copied._model_dir = "other"
copied.train(input_fn, steps=2)
print(os.path.exists("other"), os.path.exists("model/checkpoint"))
""", head=ONE, recorder="estimator", nothing=True, check=parts(("train", 2))),
    session("hook_copied", TRAIN + """
import copy
hooks = []
#: import record_hook
#: hooks.append(record_hook.Hook("$OUT"))
with tf.train.MonitoredSession(hooks=copy.deepcopy(hooks)) as s:
    print(s.run([train, loss])[1])
""", recorder="hook", api=True, runs=1),
    session("profile_late", X + """
with tf.Session() as s:
    print(s.run(z, {x: [1, 2, 3]}))
""", recorder="profile", head=ONE, nothing=True,
            said="record_profile: no step was recorded: the program had 1 step, first is 2\n"),
    session("estimator_in_session_recorder", ESTIMATOR + """
estimator.train(input_fn)
""" + LOSS.format("estimator.evaluate(input_fn)"), head=ONE, options=["--count", "100"]),
    # profiles
    session("profile", TRAIN + """
s = tf.Session()
s.run(tf.global_variables_initializer())
metadata = tf.RunMetadata()
for k in range(6):
    print(s.run([train, loss], run_metadata=metadata)[1], len(metadata.step_stats.dev_stats))
""", recorder="profile", nothing=True, left_out=GIVES_WAY),
    session("profile_bad_options", TRAIN + """
class Metadata:
    def ParseFromString(self, data):
        print("filled")
s = tf.Session()
s.run(tf.global_variables_initializer())
for options in (None, None, "options", None, None):
    try:
        print(s.run([train, loss], options=options, run_metadata=Metadata())[1])
    except (AttributeError, TypeError):
        print("no options")
""", recorder="profile", nothing=True, left_out=["run: TypeError"] + GIVES_WAY, check=profiled(3)),
    session("profile_hook", TRAIN + """
options = tf.RunOptions()
hooks = []
#: import record_profile
#: hooks.append(record_profile.Hook("$OUT", first=1, count=2))
with tf.train.MonitoredSession(hooks=hooks) as s:
    for k in range(4):
        print(s.run([train, loss], options=options)[1], options)
""", recorder="profile", api=True, nothing=True),
    session("profile_partial", X + """
with tf.Session() as s:
    handle = s.partial_run_setup([z], [x])
    print(s.partial_run(handle, z, {x: [1, 2, 3]}))
    for k in range(4):
        print(s.run(z, {x: [1, 2, 3]}))
""", recorder="profile", left_out=["partial_run"] + GIVES_WAY, nothing=True),
]
