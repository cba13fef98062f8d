"""Records the files beside it, with TensorFlow 1.15.5: python record.py

AccumulateNV2 frees memory that others took, so its bytes are negative; Neg's inputs have twenty shapes."""
import tensorflow as tf
from tensorflow.python.profiler import model_analyzer
from tensorflow.python.profiler import tfprof_logger

x = tf.compat.v1.placeholder(tf.float32, [16, 16], name="x")
terms = [tf.tanh(x * float(i + 1), name="term") for i in range(3)]
total = tf.accumulate_n(terms, name="total")
out = tf.reduce_sum(total, name="out")
shapes = [(1 + i // 7, 1 + i % 7) for i in range(20)] + [(1, 1), (2, 3)]
negated = [tf.negative(x[:rows, :columns], name="negated") for rows, columns in shapes]

with tf.compat.v1.Session() as session:
  profiler = model_analyzer.Profiler(session.graph)
  for step in range(2):
    run = tf.compat.v1.RunMetadata()
    session.run([out] + negated, {x: [[1.] * 16] * 16}, run_metadata=run,
                options=tf.compat.v1.RunOptions(trace_level=3))
    profiler.add_step(step, run)
  with open("profile.context", "wb") as f:
    f.write(profiler.serialize_to_string())
