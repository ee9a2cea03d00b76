"""What the proxy costs, against haproxy in HTTP mode in front of the same server."""

import contextlib
import pathlib
import shutil
import tempfile

import cells
import floors
from table import Row

CPU = "cpu_us/req"

HAPROXY = """
global
  nbthread 1
  maxconn 4000
defaults
  mode http
  option http-keep-alive
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend clients
  bind 127.0.0.1:{port}
  default_backend servers
backend servers
  server one 127.0.0.1:{upstream}
"""

# Four rules that every call is looked at with, and that strike one in a billion: armed, in effect
# idle.
RULE = """  - id: rule-{i}
    fault: latency
    delay: 1s
    probability: 0.000000001
"""
ARMED = "squall: 1\nname: armed\nrules:\n" + "".join(RULE.format(i=i) for i in range(4))


def ours(upstream: cells.Server, *options: str) -> cells.Server:
    port = cells.free_port()
    return cells.Server([str(floors.SQUALL), "proxy", "--quiet", "--transport", "http", "--port",
                         str(port), "--upstream-url", f"http://127.0.0.1:{upstream.port}/mcp",
                         *options], port)


@contextlib.contextmanager
def haproxy(upstream: cells.Server):
    with tempfile.TemporaryDirectory() as folder:
        port = cells.free_port()
        config = pathlib.Path(folder, "haproxy.cfg")
        config.write_text(HAPROXY.format(port=port, upstream=upstream.port), encoding="utf-8")
        with cells.Server(["haproxy", "-db", "-f", str(config)], port) as server:
            yield server


def rows(count: int):
    """The server behind shares the generator's core, so that each proxy has one to itself."""
    with cells.epoll(cells.GENERATOR_CORE) as upstream:
        with ours(upstream) as relay:
            if shutil.which("haproxy"):
                with haproxy(upstream) as peer:
                    ratio, a, b = cells.median_ratio(lambda: cells.load(relay)[CPU],
                                                     lambda: cells.load(peer)[CPU], count)
                    yield Row("proxy, c=16: CPU per request / haproxy in HTTP mode", ratio, "<=",
                              1.25, f"{a:.1f} us / {b:.1f} us")
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as profile:
                profile.write(ARMED)
                profile.flush()
                with ours(upstream, "--profile", profile.name, "--seed", "1") as armed:
                    ratio, a, b = cells.median_ratio(lambda: cells.load(armed)[CPU],
                                                     lambda: cells.load(relay)[CPU], count)
            yield Row("proxy, four rules armed that don't strike: CPU per request / none", ratio,
                      "<=", 1.05, f"{a:.1f} us / {b:.1f} us")
        with ours(upstream) as relay:
            growth, calls = cells.growth(relay)
            yield Row("proxy, a million calls: growth after the first 100,000, MB",
                      growth / (1 << 20), "<=", 1.0, f"{calls:.0f} calls")
