"""One short measurement each: a server on core 0, its generator on core 1."""

import contextlib
import os
import re
import resource
import socket
import statistics
import subprocess
import time

import floors

SERVER_CORE = 0
GENERATOR_CORE = 1


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server's process and its port; use it with `with`."""

    def __init__(self, command: list[str], port: int, env: dict[str, str] | None = None,
                 core: int = SERVER_CORE):
        self.port = port
        self.process = subprocess.Popen(["taskset", "-c", str(core), *command],
                                        env={**os.environ, **(env or {})},
                                        stdout=subprocess.DEVNULL)
        self.pid = self.process.pid  # taskset becomes the command
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit(f"{command[0]} doesn't answer on port {port}")
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def memory(self, field: str) -> int:
        """A field of /proc/PID/status in bytes: VmRSS, RssAnon, VmHWM."""
        with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith(field + ":"):
                    return int(line.split()[1]) * 1024
        raise SystemExit(f"no {field} of process {self.pid}")

    def forget_peak(self) -> None:
        with open(f"/proc/{self.pid}/clear_refs", "w", encoding="ascii") as control:
            control.write("5")


def echo(*options: str) -> Server:
    port = free_port()
    return Server([str(floors.ECHO_SERVER), "--port", str(port), *options], port)


def epoll(core: int = SERVER_CORE) -> Server:
    port = free_port()
    return Server([floors.program("epoll_srv"), str(port), "sj"], port, core=core)


def typescript(script: str) -> Server:
    port = free_port()
    return Server(["node", script, "http-modern", str(port)], port, {"HOIST": "1"})


def read_figures(line: str) -> dict[str, float]:
    return {name: float(value)
            for name, value in re.findall(r"([\w/]+)=\s*(-?[\d.]+)%?(?=\s|$)", line)}


def run_generator(command: list[str]) -> dict[str, float]:
    done = subprocess.run(["taskset", "-c", str(GENERATOR_CORE), *command], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0 or not done.stdout:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    figures = read_figures(done.stdout)
    if figures.get("err", 0) != 0:
        raise SystemExit(f"{' '.join(command)}: {int(figures['err'])} wrong answers: {done.stderr}")
    return figures


def load(server: Server, mode: str = "modern", conns: int = 16, secs: float = 1.0, text: int = 5,
         warm: float = 0.3) -> dict[str, float]:
    """ldgen's figures: rps, p50us, cpu_us/req and more."""
    return run_generator([floors.program("ldgen"), "--port", str(server.port), "--mode", mode,
                          "--conns", str(conns), "--secs", str(secs), "--warm", str(warm),
                          "--text", str(text), "--pid", str(server.pid), "--name", "cell"])


def growth(server: Server) -> tuple[int, float]:
    """The bytes that a million calls add to what it had resident after the first 100,000; calls."""
    served = 0.0
    first = None
    while served < 1_000_000:
        served += load(server, secs=1.0, warm=0)["rps"]  # of one second
        if first is None and served >= 100_000:
            first = server.memory("VmRSS")
    return server.memory("VmRSS") - first, served


def pipe(command: list[str], mode: str, depth: int, secs: float = 1.0) -> dict[str, float]:
    """stdiobench's figures for a server on pipes."""
    return run_generator([floors.program("stdiobench"), "--mode", mode, "--depth", str(depth),
                          "--secs", str(secs), "--core", str(SERVER_CORE), "--name", "cell", "--",
                          *command])


def cold(command: list[str], starts: int, only_exit: bool = False) -> dict[str, float]:
    """The time from spawn to the first answer, or to the exit."""
    options = ["--exit"] if only_exit else ["--mode", "modern"]
    return run_generator([floors.program("stdiobench"), "--cold", str(starts), *options, "--core",
                          str(SERVER_CORE), "--name", "cell", "--", *command])


def own_cost(command: list[str], secs: float) -> float:
    """The CPU that a generator itself takes for a request, in microseconds, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures = run_generator(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return spent * 1e6 / (figures["rps"] * secs)


def median_ratio(ours, theirs, cells: int) -> tuple[float, float, float]:
    """Runs the two in turn; the median of the ratios of what they give, and both medians."""
    pairs = [(ours(), theirs()) for _ in range(cells)]
    return (statistics.median(a / b for a, b in pairs),
            statistics.median(a for a, _ in pairs),
            statistics.median(b for _, b in pairs))
