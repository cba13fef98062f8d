import numpy as np

import kit

tf = kit.need("tensorflow", lambda tf: hasattr(tf, "function") and tf.executing_eagerly(),
              "no TensorFlow 2")
import record_v2                                                  # noqa: E402

random = np.random.RandomState(0)
images = tf.constant(random.rand(64, 784), tf.float32)
digits = tf.constant(random.randint(0, 10, 64))
weights = [tf.Variable(random.uniform(-0.1, 0.1, shape).astype(np.float32))
           for shape in ((784, 256), (256, 128), (128, 10))]


def make_step():
    @tf.function
    def train(images):
        with tf.GradientTape() as tape:
            h = images
            for w in weights[:2]:
                h = tf.nn.relu(tf.matmul(h, w))
            p = tf.nn.softmax(tf.matmul(h, weights[2]), name="p")
            loss = -tf.reduce_mean(tf.gather(tf.math.log(p), digits, batch_dims=1))
        for w, gradient in zip(weights, tape.gradient(loss, weights)):
            w.assign_sub(0.01 * gradient)
        return p
    return lambda: train(images)


with record_v2.Recording(kit.RECORDING, values=True):
    step = make_step()
    step()
    kit.keep(step().numpy())
plain, counted = make_step(), make_step()
plain()
with record_v2.Recording(kit.OUT + "/counted"):
    counted()
    kit.tell_cost(plain, counted)
print("with values:")
with record_v2.Recording(kit.OUT + "/valued", values=True):
    kit.tell_cost(plain, make_step())
