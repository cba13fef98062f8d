def new_callback(recording):
    """TensorFlow's own, which never breaks the program and gives other callbacks their tensors."""
    from tensorflow.core.protobuf import debug_event_pb2
    from tensorflow.python.debug.lib import dumping_callback
    from tensorflow.python.eager import context
    from tensorflow.python.framework import op_callbacks, ops
    from tensorflow.python.ops import control_flow_util
    from tensorflow.python.util import tf_stack
    try:
        from tensorflow.python.eager import record as tape
        tape.stop_recording
    except (ImportError, AttributeError):  # older than 2.12
        from tensorflow.python.eager import tape

    left_out, values = recording.left_out, recording.mode == "FULL_TENSOR"
    created = dumping_callback.function_lib.CONCRETE_FUNCTION_CALLBACKS

    class Stack:
        """Stands for tf_stack where executions and ops get their lines."""

        def extract_stack(self):
            return [frame for frame in tf_stack.extract_stack() if not is_ours(frame[0])]

        def __getattr__(self, name):
            return getattr(tf_stack, name)

    class Callback(dumping_callback._DumpingCallback):
        executions, called = 0, False

        def add(self):
            op_callbacks.add_op_callback(self.callback)
            created.append(self.function_callback)

        def remove(self):
            created.remove(self.function_callback)
            op_callbacks.remove_op_callback(self.callback)

        def callback(self, op_type, inputs, attrs, outputs, op_name=None, graph=None):
            if outputs is None:            # another callback's answer
                return None
            self.called = True
            data = context.context()._thread_local_data
            callbacks = data.op_callbacks  # not called for what this one computes
            try:
                with left_out.guard(str(op_type)), tape.stop_recording():
                    data.op_callbacks = []
                    if graph and not ops.executing_eagerly_outside_functions():
                        left_out.add("a graph", "a session runs it: record_session")
                    elif graph and control_flow_util.GraphOrParentsInXlaContext(graph):
                        left_out.add("function %s" % getattr(graph, "name", ""), "XLA compiles it")
                    else:
                        super().callback(op_type, inputs, attrs, outputs, op_name, graph)
            finally:                       # also when Ctrl-C ends it
                data.op_callbacks = callbacks
            return list(outputs) if graph and len(callbacks) > 1 else None

        def _should_dump_tensor(self, op_type, dtype):
            is_asked = dtype.is_floating or values and dtype.is_numpy_compatible
            if not is_asked or dtype.base_dtype in KNOWN:
                return super()._should_dump_tensor(op_type, dtype)
            left_out.add(dtype.name, "TensorFlow can't record this type")
            return False

        def _write_source_file_content(self, file_path):
            try:
                return super()._write_source_file_content(file_path)
            except Exception:              # it is no UTF-8, say
                with self._source_file_paths_lock:
                    self.get_writer().WriteSourceFile(debug_event_pb2.SourceFile(
                        file_path=file_path, host_name=self._hostname))
                    self._source_file_paths.append(file_path)
                    return len(self._source_file_paths) - 1

        def _dump_eager_tensors(self, *arguments, **named):
            execution = super()._dump_eager_tensors(*arguments, **named)
            self.executions += 1
            return execution

    dumping_callback.tf_stack = Stack()
    os.makedirs(recording.directory, exist_ok=True)
    callback = Callback(recording.directory, debug_event_pb2.TensorDebugMode.Value(recording.mode),
                        recording.most or -1, None, None)
    callback.get_writer()
    return callback


KNOWN = (tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.int8, tf.int16, tf.int32, tf.int64,
         tf.uint8, tf.uint16, tf.uint32, tf.uint64, tf.bool, tf.complex64, tf.complex128, tf.string)


class Recording:
    """Records from its begin to its end: with Recording(DIRECTORY), or start() and stop(), which
    may be repeated."""

    def __init__(self, directory, values=False, most=0, left_out=None):
        self.directory = os.path.abspath(os.path.expanduser(directory))
        self.mode = "FULL_TENSOR" if values else "CONCISE_HEALTH"
        self.most = most
        self.left_out = left_out or LeftOut(self.directory)
        self.places = Places(self.directory, self.left_out, most)
        self.callback, self.is_on, self.failed = None, False, False

    def start(self):
        with self.left_out.guard("the recording"):
            if not self.callback:
                self.left_out.note_older("*.metadata")
                self.callback = new_callback(self)
                self.places.run_id = self.callback.tfdbg_run_id
                atexit.register(self.finish)
            if self.places.ended:
                self.places.write(False)
            self.callback.add()
            self.is_on = True
        return self

    def pause(self):
        """The writer stays open: functions that were traced meanwhile go on to write, and a closed
        one ends the program."""
        if not self.is_on:
            return
        self.is_on = False
        with self.left_out.guard("the recording"):
            try:
                self.callback.remove()
            finally:
                self.flush()

    def flush(self):
        writer = self.callback.get_writer()
        writer.FlushNonExecutionFiles()
        writer.FlushExecutionFiles()

    def stop(self):
        self.pause()
        if self.callback:
            self.places.write(not self.failed)

    def finish(self):
        """The program ends."""
        self.failed = self.failed or hasattr(sys, "last_type")
        if not self.places.ended:
            self.stop()
        with self.left_out.guard("the recording"):
            self.flush()
        if not self.callback.called and not self.left_out.entries:
            self.left_out.note("nothing was recorded: TensorFlow computed nothing")
        self.left_out.write()

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, why, trace):
        self.failed = bool(kind) and not issubclass(kind, SystemExit)
        self.stop()
