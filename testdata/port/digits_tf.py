import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
given = np.load("weights.npz")


def conv(name, x, stride):
    w = tf.constant(given[name + "_w"], name=name + "/kernel")
    b = tf.constant(given[name + "_b"], name=name + "/bias")
    y = tf.nn.conv2d(x, w, stride, "SAME", name=name + "/Conv2D")
    return tf.nn.relu(tf.nn.bias_add(y, b, name=name + "/BiasAdd"), name=name + "/Relu")


images = tf.placeholder(tf.float32, [None, 8, 8, 1], name="images")
hidden = conv("conv2", conv("conv1", images, 1), 2)
pooled = tf.reduce_mean(hidden, [1, 2], name="pool")
w = tf.constant(given["fc_w"], name="fc/kernel")
b = tf.constant(given["fc_b"], name="fc/bias")
logits = tf.nn.bias_add(tf.matmul(pooled, w, name="fc/MatMul"), b, name="fc/BiasAdd")

with tf.Session() as session:
    print(session.run(logits, {images: given["images"]})[0])
