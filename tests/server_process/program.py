"""The program `squall serve` as a child of a test, over stdio or HTTP."""

import http.client
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
import unittest

SECONDS_MAX = 30
MODERN = "2026-07-28"
LEGACY = "2025-11-25"
META = {"io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {}}
PROGRAM = ""


def main():
    """Runs the tests of the calling script: `x_test.py PROGRAM`."""
    global PROGRAM  # pylint: disable=global-statement
    PROGRAM = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])


def request(number, method, params=None, modern=True):
    params = dict(params or {})
    if modern:
        params["_meta"] = META
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(number, tool, arguments=None, modern=True):
    return request(number, "tools/call", {"name": tool, "arguments": arguments or {}}, modern)


def initialize(number=0, version=LEGACY):
    return request(number, "initialize", {
        "protocolVersion": version, "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}, modern=False)


class Stdio:
    """One `squall serve` over pipes. What it writes is read by hand, as a client would."""

    def __init__(self, *words, **more):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=more.pop("stderr", subprocess.PIPE), bufsize=0, **more)
        self.held = b""

    def write(self, data):
        self.process.stdin.write(data)

    def send(self, *messages):
        self.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def line(self, seconds=SECONDS_MAX):
        """The next line of stdout, or None at its end. Fails when it takes too long."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.held:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise AssertionError(f"no line within {seconds} s; held {self.held[:200]!r}")
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                return None
            self.held += piece
        line, self.held = self.held.split(b"\n", 1)
        return line

    def answer(self, seconds=SECONDS_MAX):
        line = self.line(seconds)
        return None if line is None else json.loads(line)

    def end(self):
        """Closes stdin and gives the answers still to come and the exit code."""
        self.process.stdin.close()
        answers = []
        while (answer := self.answer()) is not None:
            answers.append(answer)
        return answers, self.process.wait(SECONDS_MAX)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()


class Http:
    """One `squall serve --transport http` on a free port."""

    def __init__(self, *words, stderr=subprocess.PIPE):
        ours, theirs = os.pipe()
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--transport", "http", "--port", "0", "--ready-fd", str(theirs),
             *words], pass_fds=[theirs], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=stderr)
        os.close(theirs)
        with os.fdopen(ours, encoding="ascii") as pipe:
            self.url = pipe.read().removeprefix("ready ").strip()
        if not self.url:
            raise AssertionError(f"it did not start: {self.process.communicate()[1]}")
        self.port = int(self.url.rsplit(":", 1)[1].split("/")[0])
        self.open = []

    def socket(self):
        connection = socket.create_connection(("127.0.0.1", self.port), SECONDS_MAX)
        self.open.append(connection)
        return connection

    def post(self, message, headers=None, modern=None):
        """Sends a message on a connection of its own; gives the response, its body unread."""
        if modern is None:
            modern = "_meta" in message.get("params", {})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_MAX)
        self.open.append(connection)
        sent = {"Content-Type": "application/json",
                "Accept": "application/json, text/event-stream"}
        if modern:
            sent["MCP-Protocol-Version"] = MODERN
            sent["Mcp-Method"] = message["method"]
            if "name" in message["params"]:
                sent["Mcp-Name"] = message["params"]["name"]
        connection.request("POST", "/mcp", json.dumps(message), {**sent, **(headers or {})})
        return connection

    def get_stream(self, session):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_MAX)
        self.open.append(connection)
        connection.request("GET", "/mcp", headers={
            "Accept": "text/event-stream", "Mcp-Session-Id": session})
        return connection.getresponse()

    def session(self):
        """Shakes hands; gives the session's id."""
        response = self.post(initialize()).getresponse()
        response.read()
        session = response.headers["Mcp-Session-Id"]
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"},
                  {"Mcp-Session-Id": session}, modern=False).getresponse().read()
        return session

    def terminate(self, number=signal.SIGTERM):
        """Sends the signal; gives the exit code and how long the end took."""
        begun = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(SECONDS_MAX)
        return code, time.monotonic() - begun

    def errors(self):
        return self.process.stderr.read().decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for connection in self.open:
            connection.close()
        if self.process.stderr:
            self.process.stderr.close()
