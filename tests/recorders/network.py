"""A network of three layers as a graph of TensorFlow 1, and batches for it."""
import numpy as np

import kit

tf = kit.need("tensorflow")
tf1 = tf.compat.v1
tf1.disable_eager_execution()


def batches(n=10 ** 9):
    random = np.random.RandomState(0)
    for _ in range(n):
        yield random.rand(64, 784), random.randint(0, 10, 64)


def build():
    """What is fed, the loss, and what trains."""
    x = tf1.placeholder(tf.float32, [None, 784], name="x")
    labels = tf1.placeholder(tf.int64, [None], name="labels")
    h = x
    for i, width in enumerate((256, 128, 10)):
        w = tf1.get_variable("w%d" % i, [h.shape[1], width],
                             initializer=tf1.random_uniform_initializer(-0.1, 0.1, seed=i))
        h = tf.matmul(h, w, name="h%d" % i)
        h = tf.nn.relu(h, name="relu%d" % i) if i < 2 else h
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=h), name="loss")
    step = tf1.train.get_or_create_global_step()
    train = tf1.train.GradientDescentOptimizer(0.01).minimize(loss, global_step=step)
    return x, labels, loss, train
