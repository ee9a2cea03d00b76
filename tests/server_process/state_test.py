"""state_test.py INVOICES: what a server remembers outlives its process, killed or told to stop."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)


class Server:
    """One process on stdio."""

    def __init__(self, state):
        self.process = subprocess.Popen([PROGRAM, "--state", state], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def call(self, action, **arguments):
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                   "params": {"name": "billing", "arguments": {"action": action, **arguments}}}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["result"]

    def end(self, number):
        self.process.send_signal(number)
        code = self.process.wait(timeout=20)
        self.process.stdin.close()
        self.process.stdout.close()
        return code


class State(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = os.path.join(folder.name, "state.json")

    def workflow(self, number, code):
        """One call before and one behind the end of a process."""
        server = Server(self.state)
        paid = server.call("pay", id="INV-1", cents=125000)
        self.assertEqual(paid["structuredContent"]["status"], "paid")
        self.assertEqual(server.end(number), code)
        server = Server(self.state)
        again = server.call("pay", id="INV-1", cents=125000)
        self.assertIn("CONFLICT", again["content"][0]["text"])
        self.assertEqual(server.call("get", id="INV-1")["structuredContent"]["status"], "paid")
        self.assertEqual(server.end(signal.SIGTERM), 0)

    def test_outlives_a_kill(self):
        self.workflow(signal.SIGKILL, -signal.SIGKILL)

    def test_outlives_a_stop(self):
        self.workflow(signal.SIGTERM, 0)

    def test_refuses_to_begin_with_what_is_no_state(self):
        with open(self.state, "w", encoding="ascii") as file:
            file.write("{}")
        process = subprocess.run([PROGRAM, "--state", self.state], stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, check=False, timeout=20)
        self.assertEqual(process.returncode, 1)
        self.assertIn("no state", process.stderr)


if __name__ == "__main__":
    unittest.main()
