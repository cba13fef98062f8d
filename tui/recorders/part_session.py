def recording_methods(kind, runs):
    """Methods for a kind of session: some of its runs are recorded, and else it is as before.
    Queue runners fill queues with runs of their own: those are not counted."""

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        begun = is_counted() and runs.begin(functools.partial(plain["run"], self), self.graph,
                                            fetches, feed_dict, options, run_metadata)
        if not begun:
            return plain["run"](self, fetches, feed_dict, options, run_metadata)
        with begun:
            return plain["run"](self, fetches, feed_dict, begun.options, begun.run_metadata)

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        made = plain["make_callable"](self, fetches, feed_list, accept_options)
        if feed_list is not None:          # which is run()
            return made

        def call(**more):
            begun = is_counted() and runs.begin(functools.partial(plain["run"], self), self.graph,
                                                fetches, None, **more)
            if not begun:
                return made(**more)
            with begun:
                return plain["run"](self, fetches, None, begun.options, begun.run_metadata)

        return call

    def _make_callable_from_options(self, callable_options):
        """Keras runs these. One that is recorded is made for its run: it knows the directory."""
        make = plain["_make_callable_from_options"]
        made = make(self, callable_options)

        def call(*values, **more):
            options = callable_options.run_options
            begun = runs.begin(functools.partial(plain["run"], self), self.graph,
                               list(callable_options.fetch),
                               dict.fromkeys(callable_options.feed), options, **more)
            if not begun:
                return made(*values, **more)
            with begun:
                recorded = type(callable_options)()
                recorded.CopyFrom(callable_options)
                recorded.run_options.CopyFrom(begun.options)
                return make(self, recorded)(*values, run_metadata=begun.run_metadata)

        return call

    def partial_run_setup(self, fetches, feeds=None):
        runs.left_out.add("partial_run", "a run in parts can't be watched")
        runs.left_out.write()
        return plain["partial_run_setup"](self, fetches, feeds)

    def is_counted():
        return not threading.current_thread().name.startswith("QueueRunnerThread")

    methods = (run, make_callable, _make_callable_from_options, partial_run_setup)
    plain = {method.__name__: getattr(kind, method.__name__) for method in methods
             if hasattr(kind, method.__name__)}
    return {method.__name__: functools.wraps(plain[method.__name__])(method)
            for method in methods if method.__name__ in plain}


def recorded_session(session, runs, only=""):
    """The session once more, with the same state: its runs are recorded, those of the other one
    are not. only: those by this method."""
    kind = type(session)
    methods = {name: method for name, method in recording_methods(kind, runs).items()
               if only in ("", name)}
    both = type(kind.__name__, (kind,), dict(methods, session=session, __del__=lambda self: None))
    recorded = object.__new__(both)
    recorded.__dict__ = session.__dict__
    return recorded


def record_sessions(runs):
    """The runs of every session of the program."""
    for name, method in recording_methods(client.BaseSession, runs).items():
        setattr(client.BaseSession, name, method)
