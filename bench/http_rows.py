"""Speed over HTTP, against the epoll floor, against ourselves, and against the TypeScript SDK."""

import statistics

import cells
import floors
from table import Row

CPU = "cpu_us/req"


def per_core(figures: dict[str, float]) -> float:
    """What a core that does nothing else serves in a second; throughput itself depends on what
    else the machine does."""
    return 1e6 / figures[CPU]


def rows(count: int):
    with cells.echo() as ours, cells.epoll() as floor:
        ratio, a, b = cells.median_ratio(lambda: cells.load(ours)[CPU],
                                         lambda: cells.load(floor)[CPU], count)
        yield Row("modern tools/call, c=16: CPU per request / epoll_srv sj", ratio, "<=", 1.4,
                  f"{a:.1f} us / {b:.1f} us")

        ratio, a, b = cells.median_ratio(lambda: cells.load(ours, conns=1)["p50us"],
                                         lambda: cells.load(floor, conns=1)["p50us"], count)
        yield Row("c=1: p50 / epoll_srv sj", ratio, "<=", 1.3, f"{a:.0f} us / {b:.0f} us")
        yield Row("c=1: p50 in ms", a / 1000, "<=", 1.0, "")

        for conns, bound in ((64, 0.95), (1024, 0.85)):
            ratio, a, b = cells.median_ratio(lambda: per_core(cells.load(ours, conns=conns)),
                                             lambda: per_core(cells.load(ours)), count)
            yield Row(f"c={conns}: throughput of a core / c=16", ratio, ">=", bound,
                      f"{a:.0f}/s / {b:.0f}/s")

        ratio, a, b = cells.median_ratio(lambda: cells.load(ours, "legacy")[CPU],
                                         lambda: cells.load(ours)[CPU], count)
        yield Row("legacy session call: CPU per request / modern", ratio, "<=", 1.15,
                  f"{a:.1f} us / {b:.1f} us")

        # A session whose streams can be resumed is answered with SSE: id, event, end.
        with cells.echo("--resume", "1") as framed:
            ratio, a, b = cells.median_ratio(lambda: cells.load(framed, "legacy")[CPU],
                                             lambda: cells.load(ours, "legacy")[CPU], count)
        yield Row("SSE-framed reply: CPU per request / JSON reply", ratio, "<=", 1.3,
                  f"{a:.1f} us / {b:.1f} us")


def client_rows(count: int):
    secs = 2
    with cells.echo() as server:
        ours = [str(floors.CLIENT_LOAD), str(server.port), "16", str(secs)]
        floor = [floors.program("ldgen"), "--port", str(server.port), "--mode", "modern", "--conns",
                 "16", "--secs", str(secs), "--warm", "0", "--text", "5", "--pid", str(server.pid),
                 "--name", "cell"]
        ratio, a, b = cells.median_ratio(lambda: cells.own_cost(ours, secs),
                                         lambda: cells.own_cost(floor, secs), count)
    yield Row("client: modern tools/call, c=16: CPU per request / ldgen", ratio, "<=", 2.0,
              f"{a:.1f} us / {b:.1f} us")


def peer_rows(count: int):
    script = floors.peer()
    if script is None:
        return
    with cells.echo() as ours, cells.typescript(script) as theirs:
        cells.load(theirs, secs=8)  # its JIT
        ratio, a, b = cells.median_ratio(lambda: per_core(cells.load(ours)),
                                         lambda: per_core(cells.load(theirs, secs=2)), count)
        yield Row("modern tools/call, c=16: throughput of a core / TypeScript SDK v2 (hoisted)",
                  ratio, ">=", 40, f"{a:.0f}/s / {b:.0f}/s")


def payload_rows(count: int):
    sizes = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
    with cells.echo("--body", "16000000") as ours:
        cost = {}
        for size in sizes:
            runs = [cells.load(ours, conns=1, text=size, secs=1.0)[CPU] for _ in range(count)]
            cost[size] = statistics.median(runs)
        per_byte = {size: cost[size] / size * 1000 for size in sizes}
        large = per_byte[10_000_000] / per_byte[100_000]
        yield Row("payloads: CPU per byte at 10 MB / at 100 KB", large, "<=", 1.5,
                  ", ".join(f"{size}: {per_byte[size]:.2f} ns/B" for size in sizes))
    with cells.echo("--body", "16000000") as ours:
        cells.load(ours, conns=1, secs=0.3)
        before = ours.memory("VmRSS")
        cells.load(ours, conns=1, text=10_000_000, secs=1.0)
        peak = ours.memory("VmHWM") - before
    yield Row("payload of 10 MB: peak memory / payload", peak / 10_000_000, "<=", 3.0,
              f"{peak / 1e6:.1f} MB")
