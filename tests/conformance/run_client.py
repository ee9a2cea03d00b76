"""Lets the official conformance suite drive `conformance-client` and judges every check of it.

    run_client.py PROGRAM REVISION RESULTS_DIRECTORY
"""

import os
import sys

import suite


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, revision, results = sys.argv[1:]
    results = os.path.abspath(results)
    exit_code = suite.run("client", ["--command", os.path.abspath(program)], revision, results)
    return 0 if suite.report("client", revision, exit_code, results) else 1


if __name__ == "__main__":
    sys.exit(main())
