class Hook(tf.compat.v1.train.SessionRunHook):
    """A hook that records some of the runs of its session."""

    def __init__(self, directory, **steps):
        self.runs = Runs(directory, **steps)

    def before_run(self, run_context):
        if not self.runs.steps.next():
            return None
        asked, graph = run_context.original_args, run_context.session.graph
        options = tf.compat.v1.RunOptions()
        url = self.runs.add(graph, asked.fetches, asked.feed_dict)
        # not reset, nothing is written after 100 GB, kept or not
        debug_utils.watch_graph(options, graph, debug_urls=[url], reset_disk_byte_usage=True)
        return tf.compat.v1.train.SessionRunArgs(None, options=options)
