import kit
import network
import record_session

tf1 = network.tf1
x, labels, loss, train = network.build()
hidden = tf1.get_default_graph().get_tensor_by_name("relu1:0")
plain = tf1.Session()
session = record_session.Session(plain, kit.RECORDING, first=1, every=2, count=3)
batches = network.batches()


def step(session):
    images, digits = next(batches)
    return session.run([train, loss, hidden], feed_dict={x: images, labels: digits})


session.run(tf1.global_variables_initializer())
for i in range(7):
    value = step(session)[2]
    if i == 2:                         # the second that is recorded
        kit.keep(value)

every = record_session.Session(plain, kit.OUT + "/every", count=None, keep=2)
kit.tell_cost(lambda: step(plain), lambda: step(every))

# What tfdbg's own wrapper leaves of the same runs.
from tensorflow.python import debug as tf_debug                   # noqa: E402

theirs = tf_debug.DumpingDebugWrapperSession(plain, kit.OUT + "/theirs")
ours = record_session.Session(plain, kit.OUT + "/ours")
for i in range(2):
    step(theirs)
    step(ours)
