import kit
import network
import record_hook

tf1 = network.tf1
x, labels, loss, train = network.build()
hidden = tf1.get_default_graph().get_tensor_by_name("relu1:0")
batches = network.batches()


def step(session):
    images, digits = next(batches)
    return session.run({"train": train, "loss": loss, "hidden": hidden},
                       feed_dict={x: images, labels: digits})


hook = record_hook.Hook(kit.RECORDING, first=2, count=2)
with tf1.train.MonitoredTrainingSession(hooks=[hook]) as session:
    for i in range(6):
        value = step(session)["hidden"]
        if i == 3:
            kit.keep(value)

every = record_hook.Hook(kit.OUT + "/every", count=None, keep=2)
with tf1.train.MonitoredTrainingSession() as plain, \
        tf1.train.MonitoredTrainingSession(hooks=[every]) as recorded:
    kit.tell_cost(lambda: step(plain), lambda: step(recorded))
