import numpy as np

import kit

tf = kit.need("tensorflow", lambda tf: hasattr(tf, "estimator") and hasattr(tf, "Session"),
              "no tf.estimator")
import record_estimator                                           # noqa: E402


def model_fn(features, labels, mode):
    w = tf.compat.v1.get_variable("w", [784, 10], initializer=tf.zeros_initializer())
    logits = tf.matmul(features["x"], w, name="logits")
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train = tf.compat.v1.train.GradientDescentOptimizer(0.01).minimize(
        loss, global_step=tf.compat.v1.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


def input_fn():
    random = np.random.RandomState(0)
    data = {"x": random.rand(640, 784).astype(np.float32)}, random.randint(0, 10, 640)
    return tf.data.Dataset.from_tensor_slices(data).batch(64)


class Values(tf.compat.v1.train.SessionRunHook):
    def __init__(self):
        self.all = []

    def before_run(self, run_context):
        return tf.compat.v1.train.SessionRunArgs("logits:0")

    def after_run(self, run_context, run_values):
        self.all.append(run_values.results)


values = Values()
estimator = tf.estimator.Estimator(model_fn, model_dir=kit.OUT + "/model")
record_estimator.attach(estimator, kit.RECORDING, first=4, count=2)
estimator.train(input_fn, hooks=[values])
estimator.evaluate(input_fn)
kit.keep(values.all[5])
