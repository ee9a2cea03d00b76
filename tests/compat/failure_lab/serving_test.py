"""serving_test.py SQUALL: what stops, confuses or fills other servers of fault tools."""

import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../server_process")]
import hostile  # noqa: E402
import program  # noqa: E402
from program import Http, Stdio, call, initialize, request  # noqa: E402

STOP_WITHIN = 0.5
STOP_SECONDS_MAX = STOP_WITHIN + 5  # a busy machine is no reason to fail


def squall(*words, text="", environment=None):
    """Runs the program to its end."""
    return subprocess.run([program.PROGRAM, *words], input=text, capture_output=True, text=True,
                          check=False, timeout=program.SECONDS_MAX,
                          env=None if environment is None else {**os.environ, **environment})


def exchange(address, data):
    """Writes `data` on a connection of its own, and reads what comes at once."""
    with socket.create_connection(address, program.SECONDS_MAX) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            return b""  # refused before it was read
        heard = b""
        while select.select([connection], [], [], 0.5)[0]:
            try:
                piece = connection.recv(1 << 16)
            except ConnectionResetError:
                break
            if not piece:
                break
            heard += piece
        return heard


class NoRequestStopsTheServer(unittest.TestCase):
    def test_over_http(self):
        with Http() as server:
            for number, data in enumerate(hostile.http_requests()):
                reply = exchange(("127.0.0.1", server.port), data)
                if reply:
                    self.assertRegex(reply, rb"^HTTP/1\.1 [1-5]\d\d ", data[:80])
                self.assertIsNone(server.process.poll(), data[:200])
                if number % 50 == 0:
                    self.assert_serves(server)
            self.assert_serves(server)
            self.assertEqual(server.terminate()[0], 0)

    def test_get_of_two_slashes_alone(self):
        with Http() as server:
            reply = exchange(("127.0.0.1", server.port),
                             b"GET // HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertRegex(reply, rb"^HTTP/1\.1 404 ")
            self.assert_serves(server)

    def test_over_stdio(self):
        with Stdio("--log-level", "error") as server:
            for number, line in enumerate(hostile.lines()):
                server.write(line)
                server.send(call(f"alive {number}", "ping"))
                while server.answer().get("id") != f"alive {number}":
                    pass
            server.process.stdin.close()
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)

    def assert_serves(self, server):
        self.assertIn(b"ok", server.post(call(1, "ping")).getresponse().read())


class StopsWithinItsDeadline(unittest.TestCase):
    """Whatever hangs, over each transport and in each era."""

    HANGING = [("hang", {}), ("delay", {"delayMs": 30_000}), ("response_after_cancellation", {}),
               ("protocol_ping_liveness", {"pingAfterMs": 30_000, "livenessTimeoutMs": 30_000}),
               ("protocol_ping_liveness", {"pingAfterMs": 0, "livenessTimeoutMs": 30_000})]
    WORDS = ["--stop-within", f"{int(STOP_WITHIN * 1000)}ms"]

    def check(self, server, number=signal.SIGTERM):
        begun = time.monotonic()
        server.process.send_signal(number)
        self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)
        self.assertLess(time.monotonic() - begun, STOP_SECONDS_MAX)

    def test_over_stdio(self):
        for modern in (True, False):
            for number in (signal.SIGTERM, signal.SIGINT):
                with Stdio(*self.WORDS) as server:
                    if not modern:
                        server.send(initialize(0))
                        server.answer()
                    server.send(*[call(n, tool, arguments, modern)
                                  for n, (tool, arguments) in enumerate(self.HANGING, 1)])
                    if modern:
                        server.send(request(50, "subscriptions/listen", {"notifications": {}}))
                    server.send(call("sync", "ping", modern=modern))
                    while server.answer().get("id") != "sync":
                        pass
                    server.write(b'{"jsonrpc":')  # half a line
                    self.check(server, number)

    def test_over_http(self):
        for words in ([], ["--threads", "2"], ["--resume"]):
            for leg in ("modern", "session", "stateless", "all"):
                with Http(*self.WORDS, *words) as server:
                    for one in ("modern", "session", "stateless") if leg == "all" else (leg,):
                        self.hang(server, one)
                    server.post(call(99, "ping")).getresponse().read()
                    self.check(server)

    def hang(self, server, leg):
        headers = {"Mcp-Session-Id": server.session()} if leg == "session" else {}
        for number, (tool, arguments) in enumerate(self.HANGING, 1):
            server.post(call(number, tool, arguments, leg == "modern"), headers)
        if leg == "modern":
            server.post(request(50, "subscriptions/listen", {"notifications": {}}))
        if leg == "session":
            server.get_stream(headers["Mcp-Session-Id"])
        server.socket().sendall(b"POST /mcp HTT")  # half a request
        server.socket().sendall(hostile.WHOLE[:-10])  # and half a body
        server.socket()  # and nothing at all

    def test_with_a_reader_that_reads_nothing(self):
        with Http(*self.WORDS) as server:
            deaf = server.socket()
            deaf.settimeout(0.5)
            with self.assertRaises(TimeoutError):
                while True:  # until neither side takes any more
                    deaf.sendall(hostile.WHOLE)
            self.check(server)


class HostNames(unittest.TestCase):
    LOOPBACK = ["localhost", "LOCALHOST", "LocalHost", "127.0.0.1", "127.1", "0x7f.0.0.1",
                "0X7F000001", "2130706433", "017700000001", "127.0.0.2", "::1", "::0001",
                "0:0:0:0:0:0:0:1", "::FFFF:127.0.0.1"]

    def status(self, address, host, origin=None):
        connection = http.client.HTTPConnection(*address, timeout=program.SECONDS_MAX)
        connection.putrequest("GET", "/healthz", skip_host=True)
        connection.putheader("Host", host)
        if origin:
            connection.putheader("Origin", origin)
        connection.endheaders()
        status = connection.getresponse().status
        connection.close()
        return status

    def test_any_spelling_of_the_own_name_is_served(self):
        for bound in self.LOOPBACK:
            with Http("--host", bound) as server:
                address = (bound, server.port)
                bracketed = f"[{bound}]" if ":" in bound else bound
                self.assertIn(bracketed, server.url)
                for host in {bracketed, bracketed.lower(), bracketed.upper().replace("0X", "0x")}:
                    self.assertEqual(self.status(address, f"{host}:{server.port}"), 200, host)

    def test_every_name_of_loopback_is_served(self):
        with Http() as server:
            for name in [*self.LOOPBACK, "localhost.", "127.0.0.1."]:
                host = f"[{name}]" if ":" in name else name
                for port in ("", ":1", f":{server.port}"):
                    self.assertEqual(self.status(("127.0.0.1", server.port), host + port), 200)

    def test_no_other_name_is(self):
        with Http() as server:
            for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                         "0.0.0.0", "0", "[::]", "128.1", "10.0.0.1", "[fe80::1]", "localhost,evil",
                         "localhost@evil.example", "evil.example#localhost", "localhost:x", "[::1"):
                self.assertEqual(self.status(("127.0.0.1", server.port), host), 403, host)

    def test_a_wildcard_needs_an_allow_list_however_it_is_spelled(self):
        for host in ("0.0.0.0", "0", "0.0", "0.0.0.00", "0x0", "::", "::0", "0:0:0:0:0:0:0:0",
                     "::ffff:0.0.0.0"):
            refused = squall("serve", "--transport", "http", "--port", "0", "--host", host)
            self.assertEqual(refused.returncode, 1, host)
            self.assertIn("--allow-host", refused.stderr)

    def test_allow_lists_add_names_and_nothing_else(self):
        with Http("--host", "0.0.0.0", "--allow-host", "Lab.Example", "--allow-host",
                  "other.example:8443", "--allow-origin", "https://App.example") as server:
            address = ("127.0.0.1", server.port)
            expected = {"lab.example": 200, "LAB.EXAMPLE.:5": 200, "localhost": 200,
                        "other.example:8443": 200, "other.example": 403, "other.example:1": 403,
                        "x.lab.example": 403, "lab.example.evil": 403, "0.0.0.0": 403}
            self.assertEqual({host: self.status(address, host) for host in expected}, expected)
            origins = {"https://app.example": 200, "https://APP.example:443": 200,
                       "http://localhost:5173": 200, "http://127.1:5173": 200,
                       "http://app.example": 403, "https://evil.example": 403, "null": 403}
            self.assertEqual(
                {origin: self.status(address, "localhost", origin) for origin in origins}, origins)


class Sessions(unittest.TestCase):
    def test_time_alone_ends_an_idle_one(self):
        with Http("--session-idle", "300ms", "--log-format", "json") as server:
            server.session()
            for connection in server.open:  # one that is open counts as use
                connection.close()
            # Nobody asks for anything from here on.
            told = server.process.stderr
            while select.select([told], [], [], program.SECONDS_MAX)[0]:
                if json.loads(told.readline())["event"] == "session_ended":
                    return
            self.fail("the session stays")

    def test_one_in_use_stays(self):
        with Http("--session-idle", "300ms") as server:
            session = server.session()
            stream = server.get_stream(session)
            time.sleep(2.5)
            reply = server.post(request(1, "tools/list", modern=False),
                                {"Mcp-Session-Id": session}).getresponse()
            self.assertEqual(reply.status, 200)
            stream.close()


class Standards(unittest.TestCase):
    def test_a_line_that_is_no_json_gets_a_parse_error(self):
        with Stdio() as server:
            server.write(b"garbage\n")
            self.assertEqual(server.answer()["error"]["code"], -32700)

    def test_strict_refuses_a_call_before_the_handshake(self):
        with Stdio("--strict") as server:
            server.send(call(1, "ping", modern=False))
            self.assertEqual(server.answer()["error"]["code"], -32600)
            server.send(call(2, "ping"))
            self.assertIn("result", server.answer())


class CommandLine(unittest.TestCase):
    def test_demo_ignores_no_junk(self):
        for junk in ("junk", "--junk"):
            ran = squall("demo", junk)
            self.assertEqual((ran.returncode, ran.stdout), (1, ""))
            self.assertIn(junk, ran.stderr)

    def test_every_command_explains_itself(self):
        listed = re.search(r"Commands:\n(.*?)\n\n", squall("--help").stdout, re.S).group(1)
        names = [line.split()[0] for line in listed.splitlines()]
        self.assertIn("serve", names)
        for name in names:
            ran = squall(name, "--help")
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), name)
            self.assertIn("Usage: squall", ran.stdout)

    def test_errors_of_a_file_are_sentences_with_their_place(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "clients.json")
            for text in ('{"mcpServers": {"one": {"command": 7}}}', '{"mcpServers": ', "[]", ""):
                with open(path, "w", encoding="ascii") as file:
                    file.write(text)
                ran = squall("inspect", "one", "--config", path)
                self.assertEqual((ran.returncode, ran.stdout), (1, ""), text)
                self.assertRegex(ran.stderr, "clients.json|'one'")
                self.assertNotRegex(ran.stderr, r"[\[{]")

    def test_what_went_wrong_with_a_call_is_shown(self):
        with Http("--quiet") as server:
            cases = [(["read", "test://x"], 3, "not found|no such|unknown"),
                     (["call", "delay", "delayMs=31000"], 1, "/delayMs: 31000 .*30000"),
                     (["call", "malformed_message", "variant=result-with-error"], 3,
                      "both result and error"),
                     (["call", "disconnect"], 3, "closed|ended|lost")]
            for (command, *words), code, said in cases:
                ran = squall(command, server.url, *words, "--timeout", "500ms")
                self.assertEqual(ran.returncode, code, ran.stderr)
                self.assertRegex(ran.stderr, said)


class LostServers(unittest.TestCase):
    def test_a_child_that_dies_leaves_its_code_and_its_last_words(self):
        script = "read line; echo no such database >&2; exit 7"
        ran = squall("inspect", "--", "sh", "-c", script)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("7", ran.stderr)
        self.assertIn("no such database", ran.stderr)

    def test_a_child_that_is_killed_leaves_its_signal(self):
        ran = squall("inspect", "--", "sh", "-c", "read line; kill -9 $$")
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, "signal 9|SIGKILL")

    def test_a_server_that_nobody_reaches_is_named_with_the_reason(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        ran = squall("inspect", f"http://127.0.0.1:{port}/mcp")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("refused", ran.stderr.lower())

    def test_both_revisions_are_spoken_to_any_server(self):
        with Http() as server:
            for revision in ("2025-11-25", "2026-07-28"):
                ran = squall("inspect", server.url, "--protocol", revision, "--json")
                self.assertEqual(ran.returncode, 0)
                self.assertIn(revision, ran.stdout)


if __name__ == "__main__":
    program.main()
