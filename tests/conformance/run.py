"""Runs the official conformance suite against `everything` and judges every check of it.

    run.py PROGRAM REVISION RESULTS_DIRECTORY
"""

import os
import sys

import suite
from served import Served


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, revision, results = sys.argv[1:]
    results = os.path.abspath(results)
    with Served(program) as server:
        exit_code = suite.run("server", ["--url", server.url], revision, results)
        alive = server.is_running()
    good = suite.report("server", revision, exit_code, results)
    if not alive:
        print("the server was gone at the end")
    return 0 if good and alive and server.ended_well() else 1


if __name__ == "__main__":
    sys.exit(main())
