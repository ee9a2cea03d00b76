"""Speed over stdio, and how long the program takes to its first answer."""

import cells
import floors
from table import Row

ECHO = [str(floors.ECHO_SERVER)]


def rows(count: int):
    line = [floors.program("lineecho")]
    ratio, a, b = cells.median_ratio(lambda: cells.pipe(ECHO, "modern", 1)["p50us"],
                                     lambda: cells.pipe(line, "line", 1)["p50us"], count)
    yield Row("stdio, depth 1: p50 / lineecho", ratio, "<=", 1.5, f"{a:.1f} us / {b:.1f} us")


def peer_rows(count: int):
    script = floors.peer()
    if script is None:
        return
    theirs = ["node", script, "stdio"]
    cells.pipe(theirs, "modern", 16)
    ratio, a, b = cells.median_ratio(lambda: cells.pipe(ECHO, "modern", 16)["rps"],
                                     lambda: cells.pipe(theirs, "modern", 16, secs=8)["rps"],
                                     count)
    yield Row("stdio, depth 16: throughput / TypeScript SDK v2 modern", ratio, ">=", 20,
              f"{a:.0f}/s / {b:.0f}/s")


def cold_rows(count: int):
    squall = [str(floors.SQUALL), "serve", "--quiet"]
    memory = 0.0

    def ours() -> float:
        nonlocal memory
        figures = cells.cold(squall, 20)
        memory = figures["rss_after_first_MB"]
        return figures["p50_ms"]

    ratio, a, b = cells.median_ratio(ours, lambda: cells.cold(["/bin/true"], 20, True)["p50_ms"],
                                     count)
    yield Row("cold start of squall serve: first answer / exit of /bin/true", ratio, "<=", 2.0,
              f"{a:.2f} ms / {b:.2f} ms")
    yield Row("resident memory then, MB", memory, "<=", 5.0, "")
