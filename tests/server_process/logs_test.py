"""What `squall serve` tells on stderr."""

import http.client
import json
import os
import signal
import unittest

import program
from program import Http, Stdio, call, initialize

SECRET = "swordfish-4711"


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


class Logs(unittest.TestCase):
    def test_json_is_an_object_a_line(self):
        with Stdio("--log-format", "json", "--log-level", "debug") as server:
            server.send(initialize(0), call(1, "ping", modern=False))
            server.write(b"\x1b[31mnot json\n")
            server.end()
            entries = lines(server.process.stderr.read().decode())
        for entry in entries:
            self.assertRegex(entry["ts"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
            self.assertIn(entry["level"], ("debug", "info", "warning", "error"))
        events = [entry["event"] for entry in entries]
        for event in ("listening", "session_opened", "request", "response", "call", "bad_message",
                      "session_ended", "stopped"):
            self.assertIn(event, events)
        bad = entries[events.index("bad_message")]
        self.assertEqual((bad["bytes"], bad["begins"]), (13, "\\x1b[31mnot json"))

    def test_level_chooses(self):
        for level, first in (("info", "listening"), ("warning", "bad_message")):
            with Stdio("--log-format", "json", "--log-level", level) as server:
                server.write(b"garbage\n")
                server.end()
                entries = lines(server.process.stderr.read().decode())
            self.assertEqual(entries[0]["event"], first)
            self.assertNotIn("request", [entry["event"] for entry in entries])
        with Stdio("--quiet") as server:
            server.write(b"garbage\n")
            server.end()
            self.assertEqual(server.process.stderr.read(), b"")

    def test_end_by_signal_is_told(self):
        with Http("--log-format", "json") as server:
            self.assertEqual(server.terminate()[0], 0)
            entries = lines(server.errors())
        self.assertEqual([entry["event"] for entry in entries],
                         ["listening", "stopping", "stopped"])
        self.assertEqual(entries[0]["url"], server.url)
        self.assertEqual(entries[1]["signal"], signal.SIGTERM)

    def test_refusals_are_told_and_secrets_are_not(self):
        with Http("--log-format", "json", "--log-level", "debug") as server:
            session = server.session()
            secret = {"Authorization": f"Bearer {SECRET}", "Cookie": SECRET}
            message = call(1, "ping", {"password": SECRET}, modern=False)
            server.post(message, {**secret, "Mcp-Session-Id": session}).getresponse().read()
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            connection.request("GET", f"/mcp?key={SECRET}", headers={"Host": "evil.example",
                                                                     **secret})
            self.assertEqual(connection.getresponse().status, 403)
            connection.close()
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            connection.request("GET", "/mcp", headers={"Origin": "http://evil.example"})
            self.assertEqual(connection.getresponse().status, 403)
            connection.close()
            server.terminate()
            text = server.errors()
        refused = [(entry["why"], entry["value"]) for entry in lines(text)
                   if entry["event"] == "refused"]
        self.assertEqual(refused, [("host", "evil.example"), ("origin", "http://evil.example")])
        self.assertNotIn(SECRET, text)
        self.assertNotIn(session, text)
        self.assertIn(session[:8], text)


class LostLines(unittest.TestCase):
    PINGS = 2000

    def pings(self, server):
        for number in range(self.PINGS):
            server.send({"jsonrpc": "2.0", "id": number, "method": "ping"})
            self.assertEqual(server.answer()["id"], number)

    def check_all(self, entries, rounds):
        """Each ping is two lines, all of which are there or counted as lost."""
        there = sum(entry["event"] in ("request", "response") for entry in entries)
        lost = sum(entry["count"] for entry in entries if entry["event"] == "log_lines_lost")
        others = sum(entry["event"] not in ("request", "response", "log_lines_lost")
                     for entry in entries)
        self.assertLess(there, rounds * 2 * self.PINGS)
        self.assertLessEqual(others, 2)  # listening and stopped, where they weren't lost
        self.assertEqual(there + others + lost, rounds * 2 * self.PINGS + 2)

    def test_are_all_counted_for_a_reader_who_comes_by_seldom(self):
        for rounds in (1, 3):
            with Stdio("-v") as server:
                text = b""
                errors = server.process.stderr
                for _ in range(rounds):
                    self.pings(server)
                    os.set_blocking(errors.fileno(), False)
                    while piece := errors.read():
                        text += piece
                    os.set_blocking(errors.fileno(), True)
                server.process.stdin.close()
                text += errors.read()
            self.check_all(lines(text.decode()), rounds)


if __name__ == "__main__":
    program.main()
