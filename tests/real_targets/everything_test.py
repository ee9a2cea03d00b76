"""everything_test.py SQUALL: the scenarios of scenarios/everything against the official server
@modelcontextprotocol/server-everything, over stdio and over HTTP."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests/support"))
from served import MODULES, NODE  # noqa: E402

SCENARIOS = os.path.join(ROOT, "scenarios/everything")
SERVER = os.path.join(MODULES, "@modelcontextprotocol/server-everything/dist/index.js")
SECONDS_MAX = 60
PROGRAM = ""

# What users of MCP Failure Lab ran, as they named it, and the exit code over stdio and over HTTP.
ROWS = {
    "baseline": ("baseline.json", 0, 0),
    "500 ms long operation": ("long-operation.json", 0, 0),
    "400 ms bound on a 2 s operation": ("bounded.json", 0, 0),
    "recovery on the same session": ("recovery.json", 0, 0),
    "invalid input": ("invalid-input.json", 0, 0),
    "recovery behind invalid input": ("invalid-input-recovery.json", 0, 0),
    "setup and cleanup": ("setup-and-cleanup.yaml", 0, 0),
    # Over stdio the server ends only when its operation does, which takes longer.
    "cleanup right after the timed-out operation": ("cleanup-after-timeout.yaml", 2, 0),
}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Everything(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def stdio_target(self):
        return {"transport": "stdio", "command": NODE, "args": [SERVER, "stdio"]}

    def http_target(self):
        port = free_port()
        server = subprocess.Popen([NODE, SERVER, "streamableHttp"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env={**os.environ, "PORT": str(port)})
        self.addCleanup(server.wait, SECONDS_MAX)
        self.addCleanup(server.kill)
        deadline = time.monotonic() + SECONDS_MAX
        while time.monotonic() < deadline and server.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return {"transport": "http", "url": f"http://127.0.0.1:{port}/mcp"}
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server did not start")

    def run_one(self, scenario, target):
        path = os.path.join(self.folder, "target.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"squall": 1, "target": target}, file)
        ran = subprocess.run(
            [PROGRAM, "run", os.path.join(SCENARIOS, scenario), "--target", path, "--report",
             "json"], cwd=self.folder, capture_output=True, text=True, timeout=SECONDS_MAX,
            check=False)
        self.assertTrue(ran.stdout.startswith("{"), ran.stdout + ran.stderr)
        return ran.returncode, json.loads(ran.stdout)

    def run_all(self, target, column):
        reports = {}
        for row, (scenario, *codes) in ROWS.items():
            with self.subTest(row):
                code, reports[row] = self.run_one(scenario, target)
                self.assertEqual(code, codes[column], json.dumps(reports[row], indent=1))
        return reports

    def test_over_stdio(self):
        reports = self.run_all(self.stdio_target(), 0)
        self.assertIn("cleanup", json.dumps(
            reports["cleanup right after the timed-out operation"]))

    def test_over_http(self):
        self.run_all(self.http_target(), 1)

    def test_every_row_is_a_scenario_and_every_scenario_a_row(self):
        self.assertEqual(sorted(scenario for scenario, *_ in ROWS.values()),
                         sorted(os.listdir(SCENARIOS)))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
