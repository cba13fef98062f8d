import tensorflow as tf
import tensorflow.compat.v1 as tf1

assert tf1.Session is tf.compat.v1.Session
tf1.disable_eager_execution()
x = tf1.placeholder(tf.float32, [3], name="x")
y = tf.math.log(x * 2.0, name="y")
with tf1.Session() as session:
    for i in range(6):
        print(session.run(y, feed_dict={x: [i, 1, 2]}))
