"""`squall serve --transport http` against peers that the probes do not play."""

import base64
import http.client
import json
import os
import resource
import select
import socket
import struct
import subprocess
import time
import unittest

import program
from program import Http, call, initialize, request


def closes_within(connection, seconds):
    """What the peer still says before it closes, or None when it does not."""
    heard = b""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not select.select([connection], [], [], 0.05)[0]:
            continue
        try:
            piece = connection.recv(1 << 16)
        except ConnectionResetError:
            return heard
        if not piece:
            return heard
        heard += piece
    return None


class Limits(unittest.TestCase):
    def test_a_large_body_is_refused_before_it_is_read(self):
        with Http("--max-body", "64kib") as server:
            raw = server.socket()
            raw.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
                        b"\r\nContent-Length: 65537\r\n\r\n")
            reply = closes_within(raw, 10)
            self.assertIn(b" 413 ", reply.split(b"\r\n")[0])
            self.assertIn("error", json.loads(reply.split(b"\r\n\r\n", 1)[1]))

    def test_a_slow_header_is_ended_in_time(self):
        with Http("--header-timeout", "500ms") as server:
            raw = server.socket()
            raw.sendall(b"POST /mcp HTTP/1.1\r\n")
            begun = time.monotonic()
            heard = None
            while heard is None and time.monotonic() - begun < 10:  # a byte now and then
                try:
                    raw.sendall(b"x")
                except OSError:
                    heard = b""
                    break
                heard = closes_within(raw, 0.2)
            self.assertIsNotNone(heard)
            self.assertLess(time.monotonic() - begun, 3)

    def test_a_page_of_an_allowed_origin_may_read_every_reply(self):
        with Http("--allow-origin", "https://app.example") as server:
            for origin in ("http://localhost:5173", "https://app.example"):
                for message in (request(1, "tools/list"), request(2, "nothing/known")):
                    reply = server.post(message, {"Origin": origin}).getresponse()
                    reply.read()
                    self.assertEqual(reply.headers["Access-Control-Allow-Origin"], origin)
                    self.assertIn("mcp-session-id", reply.headers["Access-Control-Expose-Headers"])
            plain = server.post(request(3, "tools/list")).getresponse()
            self.assertIsNone(plain.headers["Access-Control-Allow-Origin"])

    def test_abandoned_calls_keep_no_session(self):
        with Http("--max-sessions", "2") as server:
            for number in range(4):
                session = server.session()
                call = request(number, "tools/call", {"name": "hang"}, modern=False)
                server.post(call, {"Mcp-Session-Id": session})
                for connection in server.open:
                    connection.close()
                time.sleep(0.1)
            self.assertTrue(server.session())

    def test_a_body_that_stops_is_ended_in_time(self):
        with Http("--body-timeout", "300ms") as server:
            raw = server.socket()
            raw.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
                        b"\r\nContent-Length: 100\r\n\r\n{")
            self.assertIn(b" 408 ", closes_within(raw, 5))

    def test_an_idle_connection_is_ended_in_time(self):
        with Http("--idle-timeout", "300ms") as server:
            self.assertEqual(closes_within(server.socket(), 5), b"")

    def test_connections_beyond_the_limit_wait(self):
        with Http("--max-connections", "2") as server:
            first, second = server.socket(), server.socket()
            for raw in (first, second):
                raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                self.assertIn(b"200 OK", raw.recv(4096))
            third = server.socket()
            third.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertEqual(select.select([third], [], [], 0.5)[0], [])
            first.close()
            self.assertIn(b"200 OK", third.recv(4096))

    def test_the_longest_idle_session_makes_room(self):
        with Http("--max-sessions", "2") as server:
            sessions = [server.session() for _ in range(3)]
            codes = [server.post(request(1, "tools/list", modern=False),
                                 {"Mcp-Session-Id": session}).getresponse().status
                     for session in sessions]
            self.assertEqual(codes, [404, 200, 200])

    def test_an_idle_session_ends(self):
        with Http("--session-idle", "200ms") as server:
            session = server.session()
            for connection in server.open:  # one that is open counts as use
                connection.close()
            time.sleep(1.5)  # they are looked for once a second
            reply = server.post(request(1, "tools/list", modern=False),
                                {"Mcp-Session-Id": session}).getresponse()
            self.assertEqual(reply.status, 404)

    def test_subscriptions_beyond_the_limit_are_refused(self):
        with Http("--max-streams", "1") as server:
            listen = {"notifications": {"toolsListChanged": True}}
            first = server.post(request(1, "subscriptions/listen", listen)).getresponse()
            self.assertTrue(first.headers["Content-Type"].startswith("text/event-stream"))
            second = server.post(request(2, "subscriptions/listen", listen)).getresponse()
            self.assertIn("error", json.loads(second.read()))

    def test_every_interface_needs_an_allow_list(self):
        for host in ("0.0.0.0", "::", "0", "::ffff:0.0.0.0"):
            ran = subprocess.run(
                [program.PROGRAM, "serve", "--transport", "http", "--port", "0", "--host", host],
                capture_output=True, text=True, check=False, timeout=program.SECONDS_MAX)
            self.assertEqual(ran.returncode, 1, host)
            self.assertIn("--allow-host", ran.stderr)


class Sessions(unittest.TestCase):
    def check_alive(self, server, session):
        reply = server.post(call(9, "ping", modern=False),
                            {"Mcp-Session-Id": session}).getresponse()
        self.assertEqual(reply.status, 200)
        self.assertIn('\\"status\\":\\"ok\\"', reply.read().decode())

    def test_streams_that_come_again_replace_the_old_one(self):  # H8
        with Http() as server:
            session = server.session()
            old = None
            for _ in range(5):
                stream = server.get_stream(session)
                self.assertEqual(stream.status, 200)
                if old is not None:
                    self.assertEqual(old.read(), b"")
                old = stream
                self.check_alive(server, session)

    def test_an_unknown_last_event_id_neither_hangs_nor_shows_foreign_events(self):  # I10
        with Http("--resume") as server:
            mine, other = server.session(), server.session()
            reply = server.post(call(1, "ping", modern=False),
                                {"Mcp-Session-Id": other}).getresponse().read().decode()
            foreign = next(line[3:].strip() for line in reply.splitlines()
                           if line.startswith("id:"))
            for last in ("nope", "", foreign, "9" * 10_000, "-1", "1_2_3", "\x7f"):
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
                connection.request("GET", "/mcp", headers={
                    "Accept": "text/event-stream", "Mcp-Session-Id": mine, "Last-Event-ID": last})
                reply = connection.getresponse()
                if reply.status == 200:  # a fresh stream: silent, and open
                    raw = connection.sock or reply.fp.raw._sock
                    readable = select.select([raw], [], [], 0.1)[0]
                    self.assertNotIn(b"status", raw.recv(4096) if readable else b"")
                else:
                    self.assertIn(reply.status, (400, 404))
                connection.close()
                self.check_alive(server, mine)

    def test_strays_do_not_disturb_two_clients(self):  # H9
        with Http() as server:
            first, second = server.session(), server.session()
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            connection.request("POST", "/mcp", b"", {
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream"})
            self.assertEqual(connection.getresponse().status, 400)
            connection.close()
            for session in (first, second):
                self.check_alive(server, session)

    def test_initialized_may_be_overtaken(self):  # O4
        with Http() as server:
            sessions = []
            for _ in range(32):
                reply = server.post(initialize()).getresponse()
                reply.read()
                sessions.append(reply.headers["Mcp-Session-Id"])
            listed = [server.post(request(1, "tools/list", modern=False),
                                  {"Mcp-Session-Id": session}) for session in sessions]
            told = [server.post({"jsonrpc": "2.0", "method": "notifications/initialized"},
                                {"Mcp-Session-Id": session}, modern=False)
                    for session in sessions]
            self.assertEqual({one.getresponse().status for one in listed}, {200})
            self.assertEqual({one.getresponse().status for one in told}, {202})


class Peers(unittest.TestCase):
    def test_resets_at_any_point_end_that_exchange_alone(self):  # E4
        with Http() as server:
            message = json.dumps(call(1, "delay", {"delayMs": 50})).encode()
            head = (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    b"Accept: application/json, text/event-stream\r\nMcp-Method: tools/call\r\n"
                    b"Mcp-Name: delay\r\nMCP-Protocol-Version: 2026-07-28\r\n"
                    b"Content-Length: %d\r\n\r\n" % len(message))
            whole = head + message
            for at in range(1, len(whole) + 1, 16):
                for reset in (False, True):
                    raw = server.socket()
                    raw.sendall(whole[:at])
                    if reset:
                        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                       struct.pack("ii", 1, 0))
                    raw.close()
            reply = server.post(call(1, "ping")).getresponse()
            self.assertEqual(reply.status, 200)
            self.assertEqual(server.terminate()[0], 0)

    def test_names_that_differ_by_normal_form_are_told_apart(self):  # B12
        with Http() as server:
            for name in ("caf\u00e9", "cafe\u0301"):
                encoded = f"=?base64?{base64.b64encode(name.encode()).decode()}?="
                reply = server.post(call(1, name), {"Mcp-Name": encoded}).getresponse()
                answer = json.loads(reply.read())
                self.assertEqual(answer["error"]["code"], -32602)
                shown = name.replace("\u00e9", "\\u{e9}").replace("\u0301", "\\u{301}")
                self.assertIn(shown, answer["error"]["message"])

    def test_descriptors_come_back(self):
        with Http() as server:
            folder = f"/proc/{server.process.pid}/fd"
            before = len(os.listdir(folder))
            for _ in range(50):
                raw = server.socket()
                raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                raw.recv(4096)
                raw.close()
            deadline = time.monotonic() + 10
            while len(os.listdir(folder)) > before and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertLessEqual(len(os.listdir(folder)), before)


class Starts(unittest.TestCase):
    def refused(self, *words, **more):
        """What it says when it does not start."""
        ran = subprocess.run([program.PROGRAM, "serve", "--transport", "http", *words],
                             capture_output=True, text=True, check=False,
                             timeout=program.SECONDS_MAX, **more)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        return ran.stderr

    def test_not_on_a_port_that_is_taken(self):
        for before, after, host in ((1, 1, "127.0.0.1"), (2, 2, "127.0.0.1"), (1, 2, "127.0.0.1"),
                                    (2, 1, "127.0.0.1"), (2, 2, "localhost")):
            with Http("--threads", str(before)) as server:
                said = self.refused("--port", str(server.port), "--threads", str(after),
                                    "--host", host)
                self.assertIn("address already in use", said)
                self.assertEqual(said.count("\n"), 1)
                self.assertEqual(server.post(call(1, "ping")).getresponse().status, 200)

    def test_not_when_nobody_can_be_told(self):
        said = self.refused("--port", "0", "--port-file", "/no/such/folder/port")
        self.assertIn("/no/such/folder/port", said)
        ours, theirs = os.pipe()
        os.close(ours)
        self.addCleanup(os.close, theirs)
        told = self.refused("--port", "0", "--ready-fd", str(theirs), pass_fds=[theirs])
        self.assertIn("cannot write to descriptor", told)
        for text in (said, told):
            self.assertNotIn("stopping", text)

    def test_not_with_names_that_nothing_can_match(self):
        for words in (["--allow-host", "*"], ["--allow-host", "https://mcp.example"],
                      ["--allow-origin", "https://app.example/x"], ["--allow-origin", "*"]):
            self.assertIn(words[1], self.refused("--host", "0.0.0.0", "--port", "0", *words))


class Descriptors(unittest.TestCase):
    def test_running_out_is_told_once_and_survived(self):
        with Http("--log-format", "json") as server:
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (24, 24))
            crowd = [server.socket() for _ in range(40)]
            time.sleep(1)
            for connection in crowd:
                connection.close()
            self.assertEqual(server.post(call(1, "ping")).getresponse().status, 200)
            server.terminate()
            entries = [json.loads(line) for line in server.errors().splitlines()]
        told = [entry for entry in entries if entry["event"] == "cannot_accept"]
        self.assertEqual([(entry["level"], entry["why"]) for entry in told],
                         [("warning", "too many open files")])


if __name__ == "__main__":
    program.main()
