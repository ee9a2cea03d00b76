"""What the engine costs in process: calls, errors, many tools, and putting them together."""

import re
import statistics
import subprocess

import cells
import floors
from table import Row

BENCH = str(floors.BUILD / "bin" / "engine_bench")


def ours(row: str) -> float:
    """Nanoseconds of the CPU that one of the row's takes."""
    command = ["taskset", "-c", str(cells.SERVER_CORE), BENCH, row]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return cells.read_figures(done.stdout)["ns"]


def floor() -> float:
    """Nanoseconds that the floor takes for a round trip: no schema, no presenter, one thread."""
    command = ["taskset", "-c", str(cells.SERVER_CORE), "stdbuf", "-oL", floors.program("inproc")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        process.kill()  # what it would measure next is nothing of ours
    return float(re.search(r"([\d.]+) ns", line).group(1))


def per_second(nanoseconds: float) -> str:
    return f"{1e9 / nanoseconds / 1000:.0f}k/s"


def ratio_row(what: str, a: str, b: str, bound: float, count: int) -> Row:
    ratio, first, second = cells.median_ratio(lambda: ours(a), lambda: ours(b), count)
    return Row(what, ratio, "<=", bound, f"{first / 1000:.2f} us / {second / 1000:.2f} us")


def rows(count: int):
    pairs = [(ours("call"), floor()) for _ in range(count)]
    call = statistics.median(a for a, _ in pairs)
    base = statistics.median(b for _, b in pairs)
    yield Row("in process, two checks, validation, presenter: thousand calls a second of a core",
              1e6 / call, ">=", 500, f"{call / 1000:.2f} us a call")
    yield Row("the same: throughput / inproc", statistics.median(b / a for a, b in pairs), ">=",
              1 / 3, f"{per_second(call)} / {per_second(base)}")
    yield ratio_row("a call with invalid arguments / a good one", "invalid", "call", 3, count)
    yield ratio_row("a call among 10,000 tools / among 10", "among_10000", "among_10", 1.1, count)
    yield ratio_row("a page of 1,000 tools out of 10,000 / out of 1,000", "list_10000",
                    "list_1000", 1.1, count)
    took = statistics.median(ours("compile_10000") for _ in range(count)) / 1e6
    yield Row("declaring and compiling 10,000 tools, ms", took, "<=", 200, "")
