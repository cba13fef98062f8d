#ifndef TUI_RECORDER_TEXTS_H
#define TUI_RECORDER_TEXTS_H

/*
 * X(name, what it needs, how many times as long a step takes that is recorded, what it records).
 * The texts, recorder_NAME, are made of tui/recorders/NAME.py by tui/recorders/texts.awk; the times
 * are those of tests/recorders.sh, in CPU time.
 */
#define RECORDERS(X) \
	X(session, "TensorFlow 1.15 or newer", "20", \
	  "runs of a tf.compat.v1.Session: all tensors, the graph, lines of the program") \
	X(hook, "TensorFlow 1.15 or newer", "16", \
	  "runs of a MonitoredSession, as session has them, by a SessionRunHook") \
	X(estimator, "TensorFlow 1.15", "40", \
	  "runs of an Estimator's train, evaluate and predict, as session has them") \
	X(keras, "TensorFlow 1.15, 2.2 or newer", "2", \
	  "batches of a tf.keras model, by a callback: as v2 (with 1.15 as session, 15 times)") \
	X(v2, "TensorFlow 2.1 or newer", "1.5", \
	  "eager code and tf.functions: health (or, 3 times as long, values) of all tensors") \
	X(profile, "TensorFlow 1.15 or newer", "1.2", \
	  "times: RunMetadata of sessions and hooks, XSpace of TensorFlow 2") \
	X(pytorch, "PyTorch 1.10 or newer", "4", \
	  "outputs of all modules, parameters, gradients by step; or a trace") \
	X(jax, "JAX 0.4.6 or newer", "5", \
	  "arrays inside and outside compiled code, gradients by step; or a trace") \
	X(numpy, "NumPy", "3", "arrays by name and step, as .npy")

#define X(name, needs, slower, records) extern const char recorder_##name[];
RECORDERS(X)
#undef X

#endif
