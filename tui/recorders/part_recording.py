def flush(writer):
    writer.FlushNonExecutionFiles()
    writer.FlushExecutionFiles()


class Recording:
    """Records from its begin to its end: with Recording(DIRECTORY), or start() and stop()."""

    def __init__(self, directory, values=False, most=0):
        self.directory = os.path.abspath(os.path.expanduser(directory))
        self.mode = "FULL_TENSOR" if values else "CONCISE_HEALTH"
        self.most = most
        self.writer = None

    def start(self):
        os.makedirs(self.directory, exist_ok=True)
        self.writer = tf.debugging.experimental.enable_dump_debug_info(
            self.directory, tensor_debug_mode=self.mode,
            circular_buffer_size=self.most or -1)
        atexit.register(flush, self.writer)
        return self

    def stop(self):
        """The writer stays open: functions that were traced meanwhile go on to write, and a closed
        one ends the program."""
        writer = type(self.writer)
        close, writer.Close = writer.Close, lambda self: None
        try:
            tf.debugging.experimental.disable_dump_debug_info()
        finally:
            writer.Close = close
        flush(self.writer)
        self.writer = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *why):
        self.stop()
