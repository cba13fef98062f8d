class Runs:
    """A directory of runs, as tfdbg leaves them: run_TIME_NUMBER, each with what it fetched and
    was fed. It begins with the graph, and has it again where that has grown."""

    numbers = itertools.count()

    def __init__(self, directory, **steps):
        self.directory = os.path.abspath(os.path.expanduser(directory))
        self.steps = Steps(**steps)
        self.left_out = LeftOut(self.directory, self.steps)
        self.graph, self.unused = None, "no session was run"
        self.lock = threading.Lock()
        atexit.register(self.finish)

    def finish(self):
        self.left_out.note_missed(self.steps, self.steps.number + 1, self.unused)

    def begin(self, run, graph, fetches, feeds, options=None, run_metadata=None):
        """A Run, if the call that begins is to be recorded, or None. run: runs what is not."""
        with self.left_out.guard("run"), self.lock:
            if not self.steps.next():
                return None
            if options and options.debug_options.debug_tensor_watch_opts:
                self.left_out.add("run", "the program debugs it itself")
            elif options and options.output_partition_graphs:
                self.left_out.add("run", "the program asks for its partition graphs, to which "
                                  "recording adds nodes")
            else:
                return self.make_run(run, graph, fetches, feeds, options, run_metadata)
        self.left_out.write()
        return None

    def make_run(self, plain, graph, fetches, feeds, options, run_metadata):
        if self.graph != (graph, graph.version):
            self.graph = (graph, graph.version)
            with self.left_out.guard("graph.pb, stacks.json"):
                write_graph(self.directory, graph)
        self.left_out.note_older("run_*_*")
        directory = os.path.join(self.directory,
                                 "run_%d_%d" % (time.time() * 1e6, next(Runs.numbers)))
        run = Run(self, directory, options, run_metadata)
        try:
            os.makedirs(directory)
            for name, asked in (("fetches_info", fetches),
                                ("feed_keys_info", feeds.keys() if feeds else feeds)):
                event = event_pb2.Event()
                event.log_message.message = repr(asked)
                with open(os.path.join(directory, "_tfdbg_%s_" % name), "wb") as out:
                    out.write(event.SerializeToString())
            # not reset, nothing is written after 100 GB, kept or not
            debug_utils.watch_graph(run.options, graph, debug_urls=["file://" + directory],
                                    global_step=global_step(plain, graph),
                                    reset_disk_byte_usage=True)
        except Exception:
            shutil.rmtree(directory, ignore_errors=True)
            raise
        return run

    def end(self, run, why):
        """A run has ended, with an exception or without. The end of its input is no failure: what
        it had computed by then is nobody's, and goes."""
        with self.left_out.guard("run"), self.lock:
            name = os.path.basename(run.directory)
            if isinstance(why, tf.errors.OutOfRangeError):
                shutil.rmtree(run.directory, ignore_errors=True)
            elif len(os.listdir(run.directory)) <= 2:
                shutil.rmtree(run.directory, ignore_errors=True)
                self.left_out.add(name, why or "nothing of it was written")
            else:
                if isinstance(why, Exception):
                    self.left_out.add("%s, after the failure" % name, why)
                self.steps.add(run.directory)
        self.left_out.write()


def global_step(run, graph):
    """What the program counts its steps with, before the run; -1: it doesn't, or not yet."""
    try:
        found = graph.get_collection("global_step") or [graph.get_tensor_by_name("global_step:0")]
        return int(run(found[0]))
    except Exception:
        return -1


class Run:
    """A call that is recorded, from `with` on: what TensorFlow gets with it."""

    def __init__(self, runs, directory, options, run_metadata):
        self.runs, self.directory, self.run_metadata = runs, directory, run_metadata
        self.options = tf.compat.v1.RunOptions()
        if options:
            self.options.CopyFrom(options)

    def __enter__(self):
        return self

    def __exit__(self, kind, why, trace):
        self.runs.end(self, why)
        if self.run_metadata:              # that of the program: without the nodes that recorded it
            with self.runs.left_out.guard("run_metadata"):
                for device in self.run_metadata.step_stats.dev_stats:
                    own = [node for node in device.node_stats
                           if not node.node_name.startswith(("__copy_", "__dbg_"))]
                    del device.node_stats[:]
                    device.node_stats.extend(own)
            self.runs.left_out.write()
