class Session(framework.NonInteractiveDebugWrapperSession):
    """A session that records some of its runs, and else does what the one in it does."""

    def __init__(self, session, directory, **steps):
        super().__init__(session, pass_through_operrors=True)
        self._runs = Runs(directory, **steps)
        self._called = None                # what a callable that is recorded fetches, is fed

    def is_wanted(self):
        return self._runs.steps.next()

    def _is_disk_usage_reset_each_run(self):
        return True                        # or nothing is written after 100 GB, kept or not

    def on_run_start(self, request):
        if self._called or self.is_wanted():
            return super().on_run_start(request)
        return framework.OnRunStartResponse(framework.OnRunStartAction.NON_DEBUG_RUN, [])

    def prepare_run_debug_urls(self, fetches, feed_dict):
        fetches, feed_dict = self._called or (fetches, feed_dict)
        return [self._runs.add(self.graph, fetches, feed_dict)]

    def _make_callable_from_options(self, callable_options):
        """Keras runs these. One that is recorded is made for its run: it knows the directory."""
        plain = self._sess._make_callable_from_options(callable_options)
        recorded = super()._make_callable_from_options(callable_options)
        names = list(callable_options.fetch), dict.fromkeys(callable_options.feed)

        def run(*values, **more):
            if not self.is_wanted():
                return plain(*values, **more)
            self._called = names
            self._cached_callables_from_options.clear()
            try:
                return recorded(*values, **more)
            finally:
                self._called = None

        return run
