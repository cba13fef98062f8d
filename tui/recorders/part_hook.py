class Hook(tf.compat.v1.train.SessionRunHook):
    """A hook that records some of the runs of its session: those that it announces, not what
    another hook runs between."""

    def __init__(self, directory, **steps):
        self.runs = Runs(directory, **steps)
        self.runs.unused = None            # as one of three of an Estimator it may well be

    def __deepcopy__(self, memo):
        return self                        # a copy of what holds the hook shares it

    def before_run(self, run_context):
        session, asked = run_context.session, run_context.original_args
        plain = session.run
        if getattr(plain, "hook", None) is self:       # the run before was not begun
            return

        def run(fetches, feed_dict=None, options=None, run_metadata=None):
            if not isinstance(fetches, dict) or "caller" not in fetches:
                return plain(fetches, feed_dict, options, run_metadata)
            session.__dict__.pop("run", None)
            begun = self.runs.begin(plain, session.graph, asked.fetches, asked.feed_dict, options,
                                    run_metadata)
            if not begun:
                return plain(fetches, feed_dict, options, run_metadata)
            with begun:
                return plain(fetches, feed_dict, begun.options, begun.run_metadata)

        run.hook = self
        session.run = run
