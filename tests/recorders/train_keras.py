import time

import numpy as np

import kit

tf = kit.need("tensorflow")
import record_keras                                               # noqa: E402

random = np.random.RandomState(0)
images = random.rand(64 * 8, 784).astype(np.float32)
digits = random.randint(0, 10, 64 * 8)


def make():
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(256, activation="relu", name="one", input_shape=(784,)),
        tf.keras.layers.Dense(128, activation="relu", name="two"),
        tf.keras.layers.Dense(10, name="three")])
    model.compile(optimizer=tf.keras.optimizers.SGD(0.01),
                  loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


class Clock(tf.keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.times = []

    def on_train_batch_begin(self, batch, logs=None):
        self.began = time.process_time()

    def on_train_batch_end(self, batch, logs=None):
        self.times.append((time.process_time() - self.began) * 1000)


def fit(model, *callbacks, **more):
    model.fit(images, digits, batch_size=64, shuffle=False, verbose=0, callbacks=list(callbacks),
              **more)


model = make()
first_weights = model.get_weights()[2]
fit(model, record_keras.Recorder(kit.RECORDING, first=0, count=2, values=True))
kit.keep(first_weights)
plain, recorded, behind = Clock(), Clock(), Clock()
fit(make(), plain, epochs=2)
fit(make(), record_keras.Recorder(kit.OUT + "/every", count=16), recorded, epochs=2)
fit(make(), record_keras.Recorder(kit.OUT + "/few", count=2), behind, epochs=2)
times = [min(clock.times[4:]) for clock in (plain, recorded, behind)]
print("cost: a step takes %.2f ms of CPU, recorded %.2f ms, %.1f times as much, after it %.2f ms"
      % (times[0], times[1], times[1] / times[0], times[2]))
