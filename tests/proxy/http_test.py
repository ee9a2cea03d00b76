"""Drives `squall proxy --transport http` as a user does, in front of our own servers.

    http_test.py SQUALL EVERYTHING
"""

import glob
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SQUALL, EVERYTHING = "", ""
SECONDS_MAX = 60
MODERN = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {}}


class Running:
    """A program that tells its port in a file."""

    def __init__(self, words, **more):
        self.folder = tempfile.TemporaryDirectory()
        port_file = os.path.join(self.folder.name, "port")
        end = words.index("--") if "--" in words else len(words)
        words[end:end] = ["--port-file", port_file]
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, **more)
        deadline = time.monotonic() + SECONDS_MAX
        while not os.path.exists(port_file):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError("no port: " + self.process.stderr.read())
            time.sleep(0.01)
        with open(port_file, encoding="ascii") as file:
            self.port = int(file.read())

    def stop(self):
        """Its exit code, and what it wrote to stderr."""
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=SECONDS_MAX)
        self.folder.cleanup()
        return self.process.returncode, errors

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()


def everything():
    return Running([EVERYTHING, "--transport", "http", "--port", "0"])


def proxy(*words):
    return Running([SQUALL, "proxy", "--transport", "http", "--port", "0", *words])


def ask(port, body, headers=None, method="POST"):
    """Status, headers and body of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS_MAX)
    connection.request(method, "/mcp", body, {"Content-Type": "application/json",
                                              "Accept": "application/json, text/event-stream",
                                              **(headers or {})})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, dict(response.getheaders()), text


def call(port, number, tool, arguments):
    params = {"name": tool, "arguments": arguments, "_meta": META}
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    return ask(port, body, {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call",
                            "Mcp-Name": tool})


def message_of(text):
    """The last message of a response, JSON or a stream."""
    data = [line[6:] for line in text.splitlines() if line.startswith("data: ")]
    return json.loads(data[-1] if data else text)


class Http(unittest.TestCase):
    def test_nothing_changes_when_nothing_strikes(self):
        with everything() as server:
            with proxy("--upstream-url", f"http://127.0.0.1:{server.port}/mcp") as between:
                for number, (tool, arguments) in enumerate([
                        ("echo", {"text": "h\u00e9"}), ("nothing", {}), ("test_simple_text", {})]):
                    direct = call(server.port, number, tool, arguments)
                    through = call(between.port, number, tool, arguments)
                    self.assertEqual(direct[0], through[0])
                    self.assertEqual(direct[2], through[2])
                    same = [{k: v for k, v in one[1].items() if k not in ("Date", "Connection")}
                            for one in (direct, through)]
                    self.assertEqual(*same)
                code, errors = between.stop()
                self.assertEqual(code, 0, errors)

    def test_a_run_is_recorded_and_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            profile = os.path.join(folder, "p.yaml")
            with open(profile, "w", encoding="utf-8") as file:
                file.write("squall: 1\nname: p\nrules:\n"
                           "  - {id: no, fault: error, message: broken, probability: 0.4}\n"
                           "  - {id: down, fault: http-status, status: 503, probability: 0.3}\n")
            with everything() as server:
                url = f"http://127.0.0.1:{server.port}/mcp"
                with proxy("--upstream-url", url, "--profile", profile, "--seed", "3",
                           "--record", folder) as between:
                    seen = [call(between.port, n, "echo", {"text": str(n)}) for n in range(40)]
                    code, errors = between.stop()
            self.assertEqual(code, 0, errors)
            self.assertGreater(sum(status == 503 for status, _, _ in seen), 3)
            self.assertGreater(sum("broken" in text for _, _, text in seen), 3)
            self.assertIn("struck: down", errors)
            case = glob.glob(os.path.join(folder, "*.case"))[0]
            verified = subprocess.run([SQUALL, "verify", case], capture_output=True, text=True,
                                      check=False)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)

    def test_a_command_serves_sessions_and_clients_without(self):
        with proxy("--", EVERYTHING) as between:
            status, _, text = call(between.port, "a", "echo", {"text": "m"})
            self.assertEqual(status, 200, text)
            self.assertEqual(message_of(text)["id"], "a")
            begin = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": {"name": "c", "version": "1"}}}, indent=1)
            sessions = []
            for _ in range(2):
                status, headers, text = ask(between.port, begin)
                self.assertEqual((status, message_of(text)["id"]), (200, 0))
                sessions.append(headers["Mcp-Session-Id"])
            self.assertNotEqual(*sessions)
            told = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
            listed = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
            for session in sessions:
                headers = {"Mcp-Session-Id": session}
                self.assertEqual(ask(between.port, told, headers)[0], 202)
                status, _, text = ask(between.port, listed, headers)
                self.assertEqual((status, message_of(text)["id"]), (200, 1))
            self.assertEqual(ask(between.port, None, {"Mcp-Session-Id": sessions[0]}, "DELETE")[0],
                             200)
            self.assertEqual(ask(between.port, listed, {"Mcp-Session-Id": sessions[0]})[0], 404)
            self.assertEqual(ask(between.port, listed, {"Mcp-Session-Id": sessions[1]})[0], 200)


if __name__ == "__main__":
    SQUALL, EVERYTHING = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1], verbosity=2)
