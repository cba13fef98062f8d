def run_script(record, **defaults):
    """python THIS_FILE --out DIRECTORY [--count N...] SCRIPT ARGUMENTS: calls `record` with the
    directory and the options, then runs the script as if it had been started itself."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", metavar="DIRECTORY", required=True, help="is made if needed")
    for name, default in defaults.items():
        if isinstance(default, bool):
            parser.add_argument("--" + name, action="store_true", default=default)
        else:
            parser.add_argument("--" + name, metavar="N", type=int, default=default,
                                help="default: %(default)s")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = vars(parser.parse_args())
    script, arguments = options.pop("script"), options.pop("arguments")
    name = os.path.splitext(os.path.basename(__file__))[0]
    try:
        record(options.pop("out"), **options)
    except Exception as why:               # the program runs nevertheless
        sys.stderr.write("%s: nothing is recorded: %s: %s\n" % (name, type(why).__name__, why))
    sys.argv = [script] + arguments
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.path.dirname(os.path.abspath(script))
    if not os.path.isfile(script) or not script.endswith(".py"):
        runpy.run_path(script, run_name="__main__")
        return
    from importlib.machinery import SourceFileLoader
    # not runpy: its frames would be the program's, and its __main__ is gone when a thread, a
    # pickle or an exit function needs it
    sys.modules[name] = sys.modules["__main__"]
    main = sys.modules["__main__"] = type(sys)("__main__")
    path = os.path.abspath(script) if sys.version_info >= (3, 9) else script
    main.__dict__.update(__file__=path, __builtins__=__builtins__, __cached__=None, __spec__=None,
                         __loader__=SourceFileLoader("__main__", path))
    with open(script, "rb") as source:
        code = compile(source.read(), path, "exec", dont_inherit=True)
    exec(code, main.__dict__)
