#!/usr/bin/env python3
"""A server behind `squall proxy`, with the options of the server alone, for tests that start one.

    SQUALL=... SERVER=... BEHIND=same|command behind.py --transport stdio|http ...

Over HTTP the server is one on HTTP too (`same`), or a command behind the proxy (`command`).
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

SQUALL, SERVER = os.environ["SQUALL"], os.environ["SERVER"]
PROFILE = ["--profile", os.environ["FAULTS"], "--seed", "7"] if os.environ.get("FAULTS") else []
SECONDS_MAX = 30


def wait_for(path):
    deadline = time.monotonic() + SECONDS_MAX
    while time.monotonic() < deadline:
        try:
            with open(path, encoding="ascii") as file:
                text = file.read().strip()
            if text:
                return text
        except FileNotFoundError:
            pass
        time.sleep(0.01)
    raise SystemExit("the server told no port")


def main():
    words = sys.argv[1:]
    if words[words.index("--transport") + 1] == "stdio":
        os.execv(SQUALL, [SQUALL, "proxy", "--quiet", *PROFILE, "--", SERVER, *words])
    if os.environ.get("BEHIND") == "command":
        os.execv(SQUALL, [SQUALL, "proxy", "--quiet", *PROFILE, *words, "--", SERVER])
    with tempfile.TemporaryDirectory() as folder:
        port_file = os.path.join(folder, "port")
        with subprocess.Popen([SERVER, "--transport", "http", "--port", "0", "--path", "/mcp",
                               "--port-file", port_file]) as server:
            url = f"http://127.0.0.1:{wait_for(port_file)}/mcp"
            with subprocess.Popen([SQUALL, "proxy", "--quiet", *PROFILE, *words,
                                   "--upstream-url", url]) as proxy:
                signal.signal(signal.SIGTERM, lambda *_: proxy.send_signal(signal.SIGTERM))
                code = proxy.wait()
            server.terminate()
            server.wait()
    return code


if __name__ == "__main__":
    sys.exit(main())
