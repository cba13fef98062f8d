#ifndef TUI_RECORDER_TEXTS_H
#define TUI_RECORDER_TEXTS_H

/*
 * X(name, what it records, what it needs). The texts, recorder_NAME, are made of
 * tui/recorders/NAME.py by tui/recorders/texts.awk.
 */
#define RECORDERS(X) \
	X(session, "runs of a tf.compat.v1.Session: all tensors, the graph, lines of the program", \
	  "TensorFlow 1.15 to 2.21") \
	X(hook, "the same of a MonitoredSession, by a SessionRunHook", "TensorFlow 1.15 to 2.21") \
	X(v2, "eager code and tf.functions: health or values of all tensors", \
	  "TensorFlow 2.1 to 2.21") \
	X(pytorch, "outputs of all modules, parameters, gradients by step; or a trace", \
	  "PyTorch 1.8 to 2.15") \
	X(jax, "arrays within and without compiled code, gradients by step; or a trace", \
	  "JAX 0.4.6 to 0.10") \
	X(numpy, "arrays by name and step, as .npy", "NumPy")

#define X(name, records, needs) extern const char recorder_##name[];
RECORDERS(X)
#undef X

#endif
