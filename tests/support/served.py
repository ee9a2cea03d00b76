"""Starts a server of ours over HTTP on a free port and ends it again."""

import os
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULES = os.path.join(ROOT, "build/node/node_modules")
NODE = os.path.join(MODULES, "node/bin/node")

START_SECONDS_MAX = 30
STOP_SECONDS_MAX = 10


class Served:
    """`with Served("build/dev/bin/squall", "serve") as server:` gives `server.url`."""

    def __init__(self, *command):
        self.folder = tempfile.TemporaryDirectory()
        port_file = os.path.join(self.folder.name, "port")
        self.process = subprocess.Popen(
            [*command, "--transport", "http", "--host", "127.0.0.1", "--port", "0",
             "--path", "/mcp", "--port-file", port_file],
            stdin=subprocess.DEVNULL, stdout=sys.stderr)
        self.exit_code = None
        port = self.wait_for_port(port_file)
        self.url = f"http://127.0.0.1:{port}/mcp"

    def wait_for_port(self, port_file):
        deadline = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < deadline and self.is_running():
            if os.path.exists(port_file):
                with open(port_file, encoding="ascii") as file:
                    text = file.read().strip()
                if text:
                    return int(text)
            time.sleep(0.01)
        self.stop()
        sys.exit(f"the server told no port; exit code {self.exit_code}")

    def is_running(self):
        return self.process.poll() is None

    def stop(self):
        if self.is_running():
            self.process.send_signal(signal.SIGTERM)
        try:
            self.exit_code = self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.exit_code = "none: it had to be killed"
        self.folder.cleanup()

    def ended_well(self):
        """After the `with`: a sanitizer report at the end, or a hang, is a failure too."""
        if self.exit_code != 0:
            print(f"the server ended with {self.exit_code}")
            return False
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
