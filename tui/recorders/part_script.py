def run_script(record, **defaults):
    """python THIS_FILE --out DIRECTORY [--count N...] SCRIPT ARGUMENTS: calls `record` with the
    directory and the numbers, then runs the script as if it had been started itself."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", metavar="DIRECTORY", required=True, help="is made if needed")
    for name, default in defaults.items():
        parser.add_argument("--" + name, metavar="N", type=int, default=default,
                            help="default: %(default)s")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = vars(parser.parse_args())
    script, arguments = options.pop("script"), options.pop("arguments")
    record(options.pop("out"), **options)
    sys.argv = [script] + arguments
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    runpy.run_path(script, run_name="__main__")
