class Runs:
    """A directory of runs, as tfdbg leaves them: run_TIME_NUMBER, each with what it fetched and
    was fed. It begins with the graph, and has it again where that has grown."""

    numbers = itertools.count()

    def __init__(self, directory, **steps):
        self.directory = os.path.abspath(os.path.expanduser(directory))
        self.steps = Steps(**steps)
        self.graph = None

    def add(self, graph, fetches, feeds):
        """A new run's directory, as a URL for the debug ops."""
        if self.graph != (graph, graph.version):
            write_graph(self.directory, graph)
            self.graph = (graph, graph.version)
        run = os.path.join(self.directory,
                           "run_%d_%d" % (time.time() * 1e6, next(Runs.numbers)))
        os.makedirs(run)
        for name, text in (("fetches_info", repr(fetches)),
                           ("feed_keys_info", repr(feeds.keys() if feeds else feeds))):
            event = event_pb2.Event()
            event.log_message.message = text
            with open(os.path.join(run, "_tfdbg_%s_" % name), "wb") as out:
                out.write(event.SerializeToString())
        self.steps.add(run)
        return "file://" + run
