"""Programs of Keras and TensorFlow 2: see programs.py."""
import importlib.util
import os

# Fused kernels of oneDNN round otherwise than the ops that they stand for, one by one. Ops that are
# recorded are never fused.
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

PRELOAD = ["tensorflow"] + ["keras"] * bool(importlib.util.find_spec("keras"))

HEAD = """
import numpy as np
import tensorflow as tf
keras = tf.keras
keras.utils.set_random_seed(1)
x = np.random.rand(16, 3).astype("float32")
y = x.sum(1, keepdims=True)
"""
MODEL = """
def make(*more, **named):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4, activation="tanh"), *more,
                              keras.layers.Dense(1)])
    model.compile("sgd", "mse", **named)
    return model
"""
FIT = 'print(model.fit(x, y, batch_size=4, verbose=0{}).history)\n'
LINES = """
print([w.numpy().sum() for w in model.weights])
"""
IS_TWO = "not hasattr(tensorflow, 'Session')"
HAS_BOARD = IS_TWO + " and __import__('tensorboard')"
HEAD_ONE = """
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
keras = tf.keras
np.random.seed(1)
tf.set_random_seed(1)
x = np.random.rand(16, 3).astype("float32")
y = x.sum(1, keepdims=True)
def make(*more):
    model = keras.Sequential([keras.layers.Dense(4, activation="tanh", input_shape=(3,)), *more,
                              keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
model = make()
"""


def batches(*numbers, fits=None, models=None):
    """Which batches (batch, or (epoch, batch)) steps.json says were recorded."""
    def check(directory):
        import json
        import os
        with open(os.path.join(directory, "steps.json")) as text:
            said = json.load(text)
        steps = said["steps"]
        found = [step["batch"] if isinstance(number, int) else (step["epoch"], step["batch"])
                 for step, number in zip(steps, numbers)]
        if len(steps) != len(numbers) or found != list(numbers):
            return "other batches: %s" % steps
        if fits and fits != [step["fit"] for step in steps]:
            return "other fits: %s" % steps
        if models and models != len({step["model"] for step in steps}):
            return "other models: %s" % steps
        if any(step["first"] > step["last"] for step in steps if "first" in step):
            return "a batch without steps: %s" % steps
        return None if said["ended"] else "it has not ended"
    return check


def says_unused(directory):
    with open(os.path.join(os.path.dirname(directory), "recorded", "stderr")) as text:
        said = text.read()
    return None if said.count("called neither fit nor train_on_batch") == 1 else "stderr: %r" % said


def program(name, source, head=HEAD + MODEL, recorder="keras", **row):
    row.setdefault("needs", IS_TWO)
    return dict(row, name=name, recorder=recorder, source=head + source)


def one(name, source, head=HEAD_ONE, **row):
    """A program of TensorFlow 1.15."""
    return program("one_" + name, source, head=head, needs="hasattr(tensorflow, 'Session')", **row)


def fit(name, model="model = make()", more="", behind=LINES, **row):
    """A model that is trained with fit(), and what is done with it then."""
    return program(name, model + "\n" + FIT.format(more) + behind, **row)


def callback(name, source, options="", **row):
    """The same with the callback: CALLBACKS in it is a list with the recorder."""
    return program(name, 'callbacks = []\n#: import record_keras\n'
                   '#: callbacks.append(record_keras.Recorder("$OUT"%s))\n' % options + source,
                   api=True, **row)


TRAIN_STEP = """
class Mine(keras.Model):
    def __init__(self):
        super().__init__()
        self.d = keras.layers.Dense(1)
    def call(self, x, training=False):
        return self.d(x)
    def train_step(self, data):
        print("traced")
        x, y = data
        x = x + {noise}
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - y), name="loss")
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {{"loss": loss}}
model = Mine()
model.compile("sgd")
"""
AUTO = """
Mine._resolve_auto_jit_compile = lambda self: True
model.compile("sgd")
for k in range(2):
    print(round(model.fit(x, y, batch_size=4, verbose=0).history["loss"][0], 3))
"""
LOOP = """
model = make()
optimizer = keras.optimizers.SGD(0.1)
{function}
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y), name="loss")
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss
for k in range(3):
    print(step(tf.constant(x), tf.constant(y)).numpy())
"""
GAN = """
class Gan(keras.Model):
    def __init__(self):
        super().__init__()
        self.g = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)])
        self.d = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    def compile(self):
        super().compile()
        self.go, self.do = keras.optimizers.Adam(0.01), keras.optimizers.Adam(0.01)
        self.loss_of = keras.losses.BinaryCrossentropy(from_logits=True)
    def train_step(self, real):
        noise = tf.random.normal((4, 2))
        with tf.GradientTape() as tape:
            said = self.d(tf.concat([self.g(noise), real], 0))
            d_loss = self.loss_of(tf.concat([tf.ones((4, 1)), tf.zeros((4, 1))], 0), said)
        gradients = tape.gradient(d_loss, self.d.trainable_weights)
        self.do.apply_gradients(zip(gradients, self.d.trainable_weights))
        noise = tf.random.normal((4, 2))
        with tf.GradientTape() as tape:
            g_loss = self.loss_of(tf.zeros((4, 1)), self.d(self.g(noise)))
        gradients = tape.gradient(g_loss, self.g.trainable_weights)
        self.go.apply_gradients(zip(gradients, self.g.trainable_weights))
        return {"d": d_loss, "g": g_loss}
gan = Gan()
gan.compile()
"""
FIRST = batches(0, 1, 2, 3)

ROWS = [
    # fit, evaluate, predict
    fit("fit", check=FIRST),
    fit("fit_validation", more=", epochs=2, validation_data=(x, y)", options=["--count", "7"],
        behind="print(model.evaluate(x, y, verbose=0), model.predict(x, verbose=0).sum())\n",
        check=batches((0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2))),
    fit("validation_split", more=", epochs=2, validation_split=0.25", options=["--count", "100"],
        check=batches((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))),
    fit("first_is_late", options=["--first", "9"], nothing=True,
        said="record_keras: no step was recorded: the program had 4 steps, first is 9\n"),
    fit("later_batches", more=", epochs=3", options=["--first", "5", "--count", "2"],
        check=batches((1, 1), (1, 2))),
    fit("values", options=["--values", "1"], check=FIRST),
    program("evaluate_only", """
model = make()
print(model.evaluate(x, y, verbose=0))
""", nothing=True, check=says_unused),
    program("predict_only", """
print(make().predict(x, verbose=0).sum(), make()(x).numpy().sum(), make().predict_on_batch(x).sum())
""", nothing=True),
    program("train_on_batch", """
model = make()
for k in range(4):
    print(model.train_on_batch(x[4 * k:4 * k + 4], y[4 * k:4 * k + 4]))
print(model.test_on_batch(x, y), model.predict_on_batch(x).sum())
""", options=["--count", "3"], check=batches(0, 1, 2)),
    program("two_on_batch", """
one, two = make(), make()
for k in range(3):
    print(one.train_on_batch(x, y), two.train_on_batch(x, y, sample_weight=np.ones(16)))
print(two.train_on_batch(x, y, return_dict=True))
""", options=["--count", "2"], check=batches(0, 0, 1, 1, models=2)),
    fit("fit_verbose", behind="", more=", epochs=2", check=batches(*[(0, k) for k in range(4)] + [(1, 0)])),
    program("fits", """
model = make()
for k in range(3):
    print(model.fit(x, y, batch_size=8, verbose=0).history)
""", check=batches(0, 1, 0, 1, 0, 1, fits=[1, 1, 2, 2, 3, 3])),
    program("models", """
for k in range(2):
    model = make()
    print(model.fit(x, y, batch_size=4, epochs=2, verbose=0).history)
""", options=["--count", "5"], check=batches(0, 1, 2, 3, 0, 0, 1, 2, 3, 0, models=2,
                                             fits=[1] * 5 + [2] * 5)),
    program("models_in_turn", """
one, two = make(), make()
for k in range(2):
    print(one.fit(x, y, batch_size=8, verbose=0).history, two.fit(x, y, batch_size=8, verbose=0).history)
print(one.evaluate(x, y, verbose=0), two.evaluate(x, y, verbose=0))
""", options=["--count", "1"], check=batches(0, 0, 0, 0, models=2, fits=[1, 2, 3, 4])),
    fit("positional_callbacks", model="model = make()\n"
        "print(sorted(model.fit(x, y, 4, 1, 0, [keras.callbacks.History()]).history))", check=batches(0, 1, 2, 3, 0, 1, 2, 3)),
    fit("callback_list", model="model = make()", more=", callbacks=keras.callbacks.CallbackList([], "
        "add_history=True, model=model, epochs=1, steps=4)", check=FIRST),
    program("callback_list_kept", """
model = make()
callbacks = keras.callbacks.CallbackList([], add_history=True, model=model, epochs=1, steps=4)
for k in range(2):
    print(model.fit(x, y, batch_size=4, verbose=0, callbacks=callbacks).history, len(callbacks.callbacks))
""", check=batches(0, 1, 2, 3, 0, 1, 2, 3, fits=[1] * 4 + [2] * 4)),
    callback("callback_in_list", """
model = make()
callbacks = keras.callbacks.CallbackList(callbacks, add_history=True, model=model, epochs=1, steps=4)
print(model.fit(x, y, batch_size=4, verbose=0, callbacks=callbacks).history)
""", check=FIRST),
    callback("callback_list_without_model", """
model = make()
callbacks = keras.callbacks.CallbackList(callbacks)
callbacks.on_train_begin()
callbacks.on_epoch_begin(0)
callbacks.on_train_batch_begin(0)
print(model.train_on_batch(x, y))
callbacks.on_train_batch_end(0)
callbacks.on_epoch_end(0)
callbacks.on_train_end()
""", nothing=True, left_out=["batches: on_train_begin was not called with a model"]),
    # kinds of models
    fit("functional", model="""
i = keras.Input((3,))
model = keras.Model(i, keras.layers.Dense(1)(keras.layers.Dense(2, activation="relu")(i)))
model.compile("adam", "mse")""", check=FIRST),
    fit("subclassed", model="""
class Mine(keras.Model):
    def __init__(self):
        super().__init__()
        self.d = keras.layers.Dense(1)
    def call(self, x):
        return self.d(x)
model = Mine()
model.compile("sgd", "mse")""", check=FIRST),
    fit("own_fit", model="""
class Mine(keras.Sequential):
    def fit(self, *arguments, **named):
        print("mine")
        return super().fit(*arguments, **named)
model = Mine([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")""", check=FIRST),
    fit("outputs", model="""
i = keras.Input((3,))
h = keras.layers.Dense(2)(i)
model = keras.Model(i, {"a": keras.layers.Dense(1, name="a")(h), "b": keras.layers.Dense(1, name="b")(h)})
model.compile("sgd", {"a": "mse", "b": "mae"}, loss_weights={"a": 1.0, "b": 0.5}, metrics={"a": ["mae"]})
y = {"a": y, "b": y}""", check=FIRST),
    fit("inputs", model="""
a, b = keras.Input((3,), name="a"), keras.Input((3,), name="b")
model = keras.Model([a, b], keras.layers.Dense(1)(keras.layers.Concatenate()([a, b])))
model.compile("sgd", "mse")
x = [x, x]""", check=FIRST),
    fit("dropout", model="model = make(keras.layers.Dropout(0.5))", more=", epochs=3",
        options=["--first", "2", "--count", "3"], check=batches((0, 2), (0, 3), (1, 0))),
    fit("noise", model="model = make(keras.layers.GaussianNoise(0.5), keras.layers.BatchNormalization())",
        more=", epochs=2", check=batches(0, 1, 2, 3, 0)),
    fit("lstm", model="""
x = np.random.rand(16, 5, 3).astype("float32")
model = keras.Sequential([keras.Input((5, 3)), keras.layers.LSTM(4), keras.layers.Dense(1)])
model.compile("sgd", "mse")""", check=FIRST),
    fit("bidirectional", model="""
x = np.random.rand(16, 5, 3).astype("float32")
model = keras.Sequential([keras.Input((5, 3)), keras.layers.Masking(),
                          keras.layers.Bidirectional(keras.layers.GRU(2, dropout=0.2)), keras.layers.Dense(1)])
model.compile("sgd", "mse")""", check=FIRST),
    fit("attention", model="""
x = np.random.randint(0, 9, (16, 6))
i = keras.Input((6,))
e = keras.layers.Embedding(10, 4)(i)
h = keras.layers.MultiHeadAttention(2, 2, dropout=0.1)(e, e)
model = keras.Model(i, keras.layers.Dense(1)(keras.layers.GlobalAveragePooling1D()(keras.layers.LayerNormalization()(h))))
model.compile("adam", "mse")""", check=FIRST),
    fit("convolution", model="""
x = np.random.rand(16, 8, 8, 1).astype("float32")
model = keras.Sequential([keras.Input((8, 8, 1)), keras.layers.Conv2D(2, 3), keras.layers.MaxPooling2D(),
                          keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("sgd", "mse")""", check=FIRST),
    fit("augmentation", model="""
x = np.random.rand(16, 8, 8, 1).astype("float32")
model = keras.Sequential([keras.Input((8, 8, 1)), keras.layers.RandomFlip("horizontal", seed=1),
                          keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("sgd", "mse")""", more=", epochs=2", check=batches(0, 1, 2, 3, 0)),
    program("strings", """
text = np.array([["a"], ["b"], ["c"], ["a"]] * 4)
look = keras.layers.StringLookup(vocabulary=["a", "b", "c"])
data = tf.data.Dataset.from_tensor_slices((text, y)).map(lambda x, y: (look(x), y)).batch(4)
model = keras.Sequential([keras.Input((1,)), keras.layers.Embedding(4, 2), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
print(model.fit(data, verbose=0).history)
""", check=FIRST),
    fit("text_in_model", model="""
x = tf.constant([["a b"], ["b c"], ["c"], ["a"]] * 4)
text = keras.layers.TextVectorization(output_mode="multi_hot", vocabulary=["a", "b", "c"])
model = keras.Sequential([keras.Input((1,), dtype="string"), text, keras.layers.Dense(1)])
model.compile("sgd", "mse")""", check=FIRST),
    program("ragged", """
r = tf.ragged.constant([[1, 2], [3], [4, 5, 6], [7]] * 4)
data = tf.data.Dataset.from_tensor_slices((r, y)).map(lambda r, y: (r, y)).padded_batch(4, ([4], [1]))
model = keras.Sequential([keras.Input((4,)), keras.layers.Embedding(9, 2), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
print(model.fit(data, verbose=0).history, tf.reduce_sum(r, axis=1).numpy())
""", check=FIRST),
    program("sparse", """
data = tf.data.Dataset.from_tensor_slices((tf.sparse.from_dense(x), y)).batch(4)
model = keras.Sequential([keras.Input((3,), sparse=True), keras.layers.Dense(1)])
model.compile("sgd", "mse")
print(model.fit(data, verbose=0).history)
""", check=FIRST),
    fit("custom_layer", model="""
class Scale(keras.layers.Layer):
    def build(self, shape):
        self.s = self.add_weight(shape=(shape[-1],), initializer="ones", name="s")
    def call(self, x):
        self.add_loss(tf.reduce_sum(self.s) * 0.01)
        return x * self.s
model = make(Scale())""", check=FIRST),
    fit("custom_loss", model="""
def own(y_true, y_pred):
    return tf.reduce_mean(tf.abs(y_true - y_pred), axis=-1)
class Worst(keras.metrics.Metric):
    def __init__(self):
        super().__init__(name="worst")
        self.w = self.add_weight(name="w", initializer="zeros")
    def update_state(self, y_true, y_pred, sample_weight=None):
        self.w.assign(tf.maximum(self.w, tf.reduce_max(tf.abs(y_true - y_pred))))
    def result(self):
        return self.w
model = make()
model.compile("sgd", own, metrics=[Worst(), "mae"])""", check=FIRST),
    fit("class_weight", model="""
y = np.arange(16) % 2
model = make(keras.layers.Dense(2, activation="softmax"))
model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, activation="softmax")])
model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])""",
        more=", class_weight={0: 1.0, 1: 2.0}", check=FIRST),
    fit("sample_weight", more=", sample_weight=np.arange(16) / 16.0", check=FIRST),
    fit("clipping", model="model = make()\nmodel.compile(keras.optimizers.Adam(0.01, clipnorm=0.5, global_clipnorm=None), 'mse')",
        check=FIRST),
    fit("schedule", model="model = make()\nmodel.compile(keras.optimizers.SGD(keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5), momentum=0.9), 'mse')",
        check=FIRST),
    fit("mixed_precision", model="keras.mixed_precision.set_global_policy('mixed_float16')\nmodel = make()",
        check=FIRST),
    fit("mixed_bfloat16", model="keras.mixed_precision.set_global_policy('mixed_bfloat16')\nmodel = make()",
        options=["--values", "1"], check=FIRST),
    fit("loss_scale", model="model = make()\nmodel.compile(keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.1)), 'mse')",
        check=FIRST),
    fit("float64", model="keras.backend.set_floatx('float64')\nmodel = make()", check=FIRST),
    fit("run_eagerly", model="model = make(run_eagerly=True)", check=FIRST),
    fit("eager_functions", model="tf.config.run_functions_eagerly(True)\nmodel = make()", check=FIRST),
    fit("steps_per_execution", model="model = make(steps_per_execution=2)", check=batches(0, 2)),
    fit("xla", model="model = make(jit_compile=True)", check=FIRST, left_out=["XLA compiles it"]),
    fit("nothing_to_train", model="model = make()\nmodel.trainable = False\nmodel.compile('sgd', 'mse')", check=FIRST),
    fit("regularizer", model="model = make(keras.layers.Dense(2, kernel_regularizer='l2', kernel_constraint='max_norm'))", check=FIRST),
    # data
    program("data", """
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(16, seed=1).batch(4).prefetch(2)
print(make().fit(data, epochs=2, verbose=0).history)
""", check=batches(0, 1, 2, 3, 0)),
    program("data_map", """
data = tf.data.Dataset.from_tensor_slices((x, y)).map(lambda x, y: (tf.square(x), y), num_parallel_calls=2)
model = make()
print(model.fit(data.batch(4).cache(), epochs=2, verbose=0, validation_data=data.batch(8)).history)
""", options=["--count", "100"], check=batches(0, 1, 2, 3, 0, 1, 2, 3)),
    program("data_infinite", """
data = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(4)
print(make().fit(data, epochs=2, steps_per_epoch=3, verbose=0).history)
""", options=["--count", "100"], check=batches(0, 1, 2, 0, 1, 2)),
    program("data_runs_out", """
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
print(make().fit(data, epochs=3, steps_per_epoch=3, verbose=0).history)
""", options=["--count", "100"], check=lambda directory: None),
    program("generator", """
def pairs():
    for k in range(4):
        yield x[4 * k:4 * k + 4], y[4 * k:4 * k + 4]
print(make().fit(pairs(), steps_per_epoch=4, verbose=0).history)
""", check=FIRST),
    program("from_generator", """
data = tf.data.Dataset.from_generator(lambda: ((x[k], y[k]) for k in range(16)),
    output_signature=(tf.TensorSpec((3,)), tf.TensorSpec((1,)))).batch(4)
print(make().fit(data, verbose=0).history)
""", check=FIRST),
    program("sequence", """
class Pairs(keras.utils.PyDataset):
    def __len__(self):
        return 4
    def __getitem__(self, k):
        return x[4 * k:4 * k + 4], y[4 * k:4 * k + 4]
print(make().fit(Pairs(), verbose=0, shuffle=False).history)
""", check=FIRST),
    program("partial_batch", 'print(make().fit(x[:10], y[:10], batch_size=4, epochs=2, verbose=0).history)\n',
            options=["--count", "4"], check=batches(0, 1, 2, 0)),
    # callbacks
    fit("early_stopping", more=", epochs=9, callbacks=[keras.callbacks.EarlyStopping('loss', patience=0, min_delta=9)]",
        options=["--count", "100"], check=lambda directory: None),
    fit("checkpoint", more=", epochs=2, callbacks=[keras.callbacks.ModelCheckpoint('m.keras', save_freq=2)]",
        behind="print(keras.models.load_model('m.keras').predict(x, verbose=0).sum())\n", check=batches(0, 1, 2, 3, 0)),
    fit("tensorboard", more=", callbacks=[keras.callbacks.TensorBoard('logs', histogram_freq=1)]", check=FIRST, needs=HAS_BOARD),
    fit("tensorboard_profile", more=", callbacks=[keras.callbacks.TensorBoard('logs', profile_batch=2)]", check=FIRST, needs=HAS_BOARD),
    fit("lambda_callback", more=", callbacks=[keras.callbacks.LambdaCallback(on_train_batch_begin=lambda b, logs: "
        "print(b, type(model.train_function).__name__), on_train_batch_end=lambda b, logs: print(sorted(logs)))]", check=FIRST),
    program("callback_predicts", """
model = make()
class Look(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        print(self.model.predict(x, verbose=0).sum(), self.model.evaluate(x, y, verbose=0))
print(model.fit(x, y, batch_size=4, verbose=0, callbacks=[Look()]).history)
""", check=FIRST),
    program("stops_training", """
model = make()
class Stop(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        self.model.stop_training = batch == 1
print(model.fit(x, y, batch_size=4, epochs=3, verbose=0, callbacks=[Stop()]).history)
""", check=batches(0, 1)),
    fit("terminate_on_nan", model="x[5] = np.nan\nmodel = make()", more=", shuffle=False, callbacks=[keras.callbacks.TerminateOnNaN()]",
        behind="", check=batches(0, 1)),
    fit("reduce_lr", more=", epochs=3, callbacks=[keras.callbacks.ReduceLROnPlateau('loss', patience=0, min_delta=9), "
        "keras.callbacks.LearningRateScheduler(lambda e, lr: lr * 0.5), keras.callbacks.CSVLogger('log.csv')]", check=batches(0, 1, 2, 3, 0)),
    # custom steps and loops
    program("train_step", TRAIN_STEP.format(noise="0.0") + FIT.format(", epochs=2"), check=batches(0, 1, 2, 3, 0)),
    program("train_step_auto", TRAIN_STEP.format(noise="0.0") + AUTO, options=["--count", "100"],
            check=batches(0, 1, 2, 3, 0, 1, 2, 3)),
    program("train_step_auto_part", TRAIN_STEP.format(noise="0.0") + AUTO, options=["--count", "2"],
            check=batches(0, 1, 0, 1)),
    program("train_step_later", TRAIN_STEP.format(noise="0.0") + FIT.format(", epochs=2"),
            options=["--first", "2", "--count", "2"], check=batches(2, 3)),
    program("train_step_random", TRAIN_STEP.format(noise="tf.random.normal((3,))") + FIT.format(", epochs=2"),
            options=["--count", "2"], left_out=["would draw other random numbers"]),
    program("train_step_random_later", TRAIN_STEP.format(noise="tf.random.normal((3,))") + FIT.format(", epochs=2"),
            options=["--first", "2", "--count", "2"], nothing=True, left_out=["would draw other random numbers"]),
    program("gan", GAN + "print(gan.fit(x, batch_size=4, epochs=3, verbose=0).history)\n",
            left_out=["would draw other random numbers"]),
    program("gan_on_batch", """
g = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)])
d = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, activation="sigmoid")])
d.compile("adam", "binary_crossentropy")
i = keras.Input((2,))
both = keras.Model(i, d(g(i)))
both.compile("adam", "binary_crossentropy")
for k in range(3):
    noise = np.random.rand(4, 2)
    print(d.train_on_batch(g.predict(noise, verbose=0), np.ones((4, 1))), d.train_on_batch(x[:4], np.zeros((4, 1))))
    print(both.train_on_batch(noise, np.zeros((4, 1))))
""", options=["--count", "2"], check=batches(0, 1, 0, 1, models=2)),
    program("loop", LOOP.format(function=""), recorder="v2"),
    program("loop_function", LOOP.format(function="@tf.function"), recorder="v2", holds=["loss"],
            lines={"loss": "tf.reduce_mean"}),
    program("loop_in_keras_recorder", LOOP.format(function="@tf.function"), nothing=True),
    program("recompiled", """
model = make()
for loss in ("mse", "mae"):
    model.compile("adam", loss)
    print(model.fit(x, y, batch_size=8, verbose=0).history)
""", check=batches(0, 1, 0, 1)),
    program("cloned", """
model = make()
print(model.fit(x, y, batch_size=8, verbose=0).history)
other = keras.models.clone_model(model)
other.set_weights(model.get_weights())
other.compile("sgd", "mse")
print(other.fit(x, y, batch_size=8, verbose=0).history)
model.save("m.keras")
model.save_weights("m.weights.h5")
again = keras.models.load_model("m.keras")
print(again.fit(x, y, batch_size=8, verbose=0).history, again.count_params())
model.export("exported", verbose=False)
""", check=batches(0, 1, 0, 1, 0, 1, fits=[1, 1, 2, 2, 3, 3])),
    program("mirrored", """
devices = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(devices[0], [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    model = make()
print(model.fit(x, y, batch_size=4, epochs=2, verbose=0).history)
print(model.evaluate(x, y, verbose=0))
""", check=batches(0, 1, 2, 3, 0), process=True),
    program("one_device_strategy", """
strategy = tf.distribute.OneDeviceStrategy("CPU:0")
with strategy.scope():
    model = make()
print(model.fit(x, y, batch_size=4, verbose=0).history)
""", check=FIRST),
    program("nested_fit", """
inner, outer = make(), make()
class Inner(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        print(inner.fit(x, y, batch_size=8, verbose=0).history)
print(outer.fit(x, y, batch_size=8, verbose=0, callbacks=[Inner()]).history)
""", check=lambda directory: None),
    # ends
    program("exit", "model = make()\n" + FIT.format("") + "import sys\nsys.exit(3)\n", status=3, check=FIRST),
    program("exit_in_fit", """
import sys
class Exit(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if batch == 2:
            sys.exit("enough")
make().fit(x, y, batch_size=4, verbose=0, callbacks=[Exit()])
""", status=1, stderr="enough", check=batches(0, 1, 2)),
    program("raises_in_callback", """
class Fail(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        raise ValueError("mine")
model = make()
try:
    model.fit(x, y, batch_size=4, verbose=0, callbacks=[Fail()])
except ValueError as why:
    print(why)
print(model.fit(x, y, batch_size=8, verbose=0).history)
""", check=batches(0, 0, 1)),
    program("interrupted", """
class Interrupt(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        raise KeyboardInterrupt
try:
    make().fit(x, y, batch_size=4, verbose=0, callbacks=[Interrupt()])
except KeyboardInterrupt:
    print("interrupted")
""", check=batches(0)),
    program("wrong_shape", """
model = make()
for bad in (x[:, :2], x[:8]):
    try:
        model.fit(bad, y, batch_size=4, verbose=0)
    except ValueError as why:
        print(str(why)[:40])
print(model.fit(x, y, batch_size=8, verbose=0).history)
""", left_out=["after the failure"], check=batches(0, 1)),
    program("not_compiled", """
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
for name in ("fit", "train_on_batch", "evaluate"):
    try:
        getattr(model, name)(x, y)
    except (ValueError, AttributeError) as why:
        print(type(why).__name__, str(why)[:40])
""", nothing=True),
    program("op_fails", """
class Check(keras.layers.Layer):
    def call(self, x):
        return tf.debugging.check_numerics(x, "bad x")
x[5] = np.inf
model = make(Check())
try:
    model.fit(x, y, batch_size=4, shuffle=False, verbose=0)
except tf.errors.InvalidArgumentError as why:
    print("bad x" in why.message)
""", left_out=["after the failure"], lost=True),
    # the callback
    callback("callback", "model = make()\n" + FIT.format(", callbacks=callbacks") + LINES, check=FIRST),
    callback("callback_values", "model = make()\n" + FIT.format(", epochs=2, callbacks=callbacks") + LINES,
             ", first=5, count=2, values=True", check=batches((1, 1), (1, 2))),
    callback("callback_fits", """
model = make()
for k in range(2):
    print(model.fit(x, y, batch_size=8, verbose=0, callbacks=callbacks).history)
print(model.evaluate(x, y, verbose=0, callbacks=callbacks), model.predict(x, verbose=0, callbacks=callbacks).sum())
""", check=batches(0, 1, 0, 1, fits=[1, 1, 2, 2])),
    callback("callback_copied", """
import copy
model = make()
print(model.fit(x, y, batch_size=8, verbose=0, callbacks=copy.deepcopy(callbacks)).history)
""", check=batches(0, 1)),
    callback("callback_bad_options", "model = make()\n" + FIT.format(", callbacks=callbacks"), ", colour=3",
             nothing=True, left_out=["unexpected keyword argument 'colour'"]),
    program("unwritable", """
callbacks = []
#: import record_keras
#: callbacks.append(record_keras.Recorder("/proc/nothing/here", values=True))
model = make()
print(model.fit(x, y, batch_size=4, verbose=0, callbacks=callbacks).history)
""", api=True, nothing=True),
    program("full_disk", """
import resource
callbacks = []
#: import record_keras
#: callbacks.append(record_keras.Recorder("$OUT", values=True))
model = make()
#: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
print(model.fit(x, y, batch_size=4, verbose=0, callbacks=callbacks).history)
#: resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
""", api=True, nothing=True, process=True),
    # TensorFlow 1.15
    one("fit", FIT.format(", epochs=2"), check=batches(0, 1, 2, 3, 0), runs=5),
    one("fits", """
for k in range(2):
    print(model.fit(x, y, batch_size=8, verbose=0, validation_data=(x, y)).history)
    print(model.evaluate(x, y, verbose=0), model.predict(x).sum())
""", check=batches(0, 1, 0, 1, fits=[1, 1, 2, 2]), runs=4),
    one("models", """
other = make(keras.layers.Dropout(0.5))
print(model.fit(x, y, batch_size=8, verbose=0).history, other.fit(x, y, batch_size=8, verbose=0).history)
model.save("m.h5")
print(keras.models.load_model("m.h5").fit(x, y, batch_size=8, verbose=0).history)
""", check=batches(0, 1, 0, 1, 0, 1)),
    one("train_on_batch", """
for k in range(3):
    print(model.train_on_batch(x, y))
print(model.test_on_batch(x, y))
""", options=["--count", "2"], check=batches(0, 1), runs=2),
    one("data", """
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
print(model.fit(data, epochs=2, verbose=0).history)
""", options=["--count", "100"], runs=8),
    one("generator", """
def pairs():
    while True:
        for k in range(4):
            yield x[4 * k:4 * k + 4], y[4 * k:4 * k + 4]
print(model.fit_generator(pairs(), steps_per_epoch=4, epochs=2, verbose=0).history)
""", check=batches(0, 1, 2, 3, 0), runs=5),
    one("eager", FIT.format(""), nothing=True, left_out=["has no attribute"],
        head=HEAD_ONE.replace("np.random.seed", "tf.enable_eager_execution()\nnp.random.seed")),
    one("session", """
print(keras.backend.get_session().run(model.weights[0]).shape, model.fit(x, y, verbose=0).history)
print(type(keras.backend.get_session()) is tf.Session, keras.backend.get_value(model.weights[0]).shape)
""", check=batches(0)),
]
