#!/usr/bin/env python3
"""Measures what is claimed of speed, side by side with floors and peers, and prints the table.

  bench/run.py [--cells N] [--lock FILE] [http] [client] [peers] [stdio] [cold] [payload] [memory]
               [engine] [proxy]

Without names everything is measured. With --lock each group is measured while FILE is locked, so
that builds that take the same lock keep away. The exit status is 1 when a row falls short."""

import argparse
import contextlib
import fcntl
import itertools

import engine_rows
import http_rows
import memory_rows
import proxy_rows
import stdio_rows
import table

GROUPS = {
    "http": lambda n: http_rows.rows(n),
    "client": lambda n: http_rows.client_rows(n),
    "peers": lambda n: itertools.chain(http_rows.peer_rows(n), stdio_rows.peer_rows(n)),
    "stdio": lambda n: stdio_rows.rows(n),
    "cold": lambda n: stdio_rows.cold_rows(n),
    "payload": lambda n: http_rows.payload_rows(n),
    "memory": lambda n: itertools.chain(memory_rows.stream_rows(), memory_rows.session_rows(n),
                                        memory_rows.growth_rows()),
    "engine": lambda n: engine_rows.rows(n),
    "proxy": lambda n: proxy_rows.rows(n),
}


@contextlib.contextmanager
def locked(path: str | None):
    if path is None:
        yield
        return
    with open(path, "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cells", type=int, default=5)
    arguments.add_argument("--lock")
    arguments.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    chosen = arguments.parse_args()
    if unknown := set(chosen.groups) - set(GROUPS):
        arguments.error("unknown: " + ", ".join(sorted(unknown)))
    print(table.HEAD)
    short = 0
    for name in chosen.groups or GROUPS:
        rows = iter(GROUPS[name](chosen.cells))
        while True:
            with locked(chosen.lock):  # row by row: nobody waits for long
                row = next(rows, None)
            if row is None:
                break
            print(row.text(), flush=True)
            short += not row.holds()
    return 1 if short else 0


if __name__ == "__main__":
    raise SystemExit(main())
