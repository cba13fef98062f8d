import kit

tf = kit.need("tensorflow")
import record_profile                                             # noqa: E402

if hasattr(tf, "executing_eagerly") and tf.executing_eagerly():
    w = tf.Variable(tf.random.uniform([784, 256]))

    @tf.function
    def train(images):
        return tf.reduce_sum(tf.nn.relu(tf.matmul(images, w)))

    images = tf.random.uniform([64, 784])
    train(images)
    with record_profile.Recording(kit.OUT + "/xspace") as recording:
        for i in range(3):
            with recording.step(i):
                train(images).numpy()

import network                                                    # noqa: E402

tf1 = network.tf1
x, labels, loss, train_op = network.build()
plain = tf1.Session()
session = record_profile.Session(plain, kit.RECORDING, first=3, every=2, count=3, keep=2)
batches = network.batches()


def step(session):
    pixels, digits = next(batches)
    session.run([train_op, loss], feed_dict={x: pixels, labels: digits})


session.run(tf1.global_variables_initializer())
for i in range(9):
    step(session)
every = record_profile.Session(plain, kit.OUT + "/every", count=None, keep=2)
kit.tell_cost(lambda: step(plain), lambda: step(every))
hook = record_profile.Hook(kit.OUT + "/hook", count=2)
with tf1.train.MonitoredTrainingSession(hooks=[hook]) as monitored:
    for i in range(6):
        step(monitored)
