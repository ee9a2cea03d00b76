"""Drives servers of ours as a bad day does, and says whether they came through it.

    soak.py [--seconds N] [--seed N] SQUALL EVERYTHING

Both programs serve over HTTP, and `squall serve` over stdio beside them, for N seconds (default
20): clients of both eras, sessions that come and go, streams, cancellations, aborts, peers that
read or write slowly, and garbage. At the end: every answer has come, to whoever asked, and says
what was asked; resident memory is flat over the second half; SIGTERM ends with 0.
"""

import argparse
import os
import random
import sys
import tempfile
import threading
import time

from clients import WORKERS
from servers import HttpServer, StdioServer

# Pages come and go; this much growth over the second half of the time is no leak. Sanitizers keep
# freed memory in quarantine, which grows to its limit whatever we do.
GROWTH_KIB_MAX = 4096
GROWTH_KIB_MAX_SANITIZED = 128 * 1024
SAMPLE_SECONDS = 0.5


class Tally:
    """What happened, from all threads: counts by name, and the complaints."""

    COMPLAINTS_MAX = 20

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = {}
        self.complaints = []

    def count(self, name):
        with self.lock:
            self.counts[name] = self.counts.get(name, 0) + 1

    def complain(self, text):
        with self.lock:
            self.counts["complaints"] = self.counts.get("complaints", 0) + 1
            if len(self.complaints) < self.COMPLAINTS_MAX:
                self.complaints.append(text)


def work(worker, server, tally, chance, until):
    """Repeats one kind of client until the time is over."""
    while time.monotonic() < until:
        try:
            worker(server, tally, chance)
        except Exception as error:  # pylint: disable=broad-except
            if not server.is_running():
                tally.complain(f"{server.name}: gone during {worker.__name__}")
                return
            tally.complain(f"{server.name}: {worker.__name__}: {type(error).__name__}: {error}")
            time.sleep(0.2)


def watch_memory(servers, until):
    """Resident KiB of each server over the time."""
    samples = {server.name: [] for server in servers}
    while time.monotonic() < until:
        for server in servers:
            if server.is_running():
                samples[server.name].append(server.resident_kib())
        time.sleep(SAMPLE_SECONDS)
    return samples


def growth(samples):
    """How much the memory rose in the second half, by the medians of its quarters."""
    half = samples[len(samples) // 2:]
    if len(half) < 4:
        return 0
    first, last = half[:len(half) // 2], half[len(half) // 2:]
    return sorted(last)[len(last) // 2] - sorted(first)[len(first) // 2]


def soak(servers, seconds, seed):
    tally = Tally()
    until = time.monotonic() + seconds
    threads = []
    for server in servers:
        for number, worker in enumerate(WORKERS[server.kind]):
            chance = random.Random(f"{seed}/{server.name}/{number}")
            threads.append(threading.Thread(target=work, daemon=True,
                                            args=(worker, server, tally, chance, until)))
    for thread in threads:
        thread.start()
    samples = watch_memory(servers, until)
    for thread in threads:
        thread.join(60)
        if thread.is_alive():
            tally.complain("a client still waits for its answer: it was lost")
    return tally, samples


def report(servers, tally, samples):
    """Prints what came of it; whether it was good."""
    for name in sorted(tally.counts):
        print(f"  {name:32} {tally.counts[name]:9}")
    for server in servers:
        rise, held = growth(samples[server.name]), samples[server.name]
        bound = GROWTH_KIB_MAX_SANITIZED if server.is_sanitized() else GROWTH_KIB_MAX
        print(f"  {server.name}: resident {held[0]} to {held[-1]} KiB, peak {max(held)}, "
              f"{rise:+} in the second half")
        if rise > bound:
            tally.complain(f"{server.name}: memory grows")
    for server in servers:
        code, said = server.stop()
        if code != 0:
            tally.complain(f"{server.name}: ended with {code}: {said[-2000:]}")
        if "ERROR: " in said or "runtime error" in said:
            tally.complain(f"{server.name}: {said[-4000:]}")
    for complaint in tally.complaints:
        print("soak: " + complaint)
    print("soak: " + ("FAILED" if tally.complaints else "ok"))
    return not tally.complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("squall")
    parser.add_argument("everything")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        squall, everything = map(os.path.abspath, (options.squall, options.everything))
        limits = ["--max-sessions", "64", "--header-timeout", "2s", "--body-timeout", "2s",
                  "--idle-timeout", "5s", "--resume"]
        servers = [HttpServer("squall", folder, [squall, "serve", *limits]),
                   HttpServer("everything", folder, [everything, "--threads", "2"]),
                   StdioServer("stdio", folder, [squall, "serve"])]
        print(f"soak: {options.seconds:.0f} s, seed {options.seed}", flush=True)
        tally, samples = soak(servers, options.seconds, options.seed)
        return 0 if report(servers, tally, samples) else 1


if __name__ == "__main__":
    sys.exit(main())
