"""SIGTERM, with every kind of open request and stream."""

import json
import os
import signal
import time
import unittest

import program
from program import Http, Stdio, call, initialize, request

AT_ONCE = 2.0  # an open `hang` must not cost the 5 s that calls get to finish


def last_event(text):
    """The last message of an event stream."""
    data = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")]
    return json.loads([one for one in data if one][-1])


class StdioStops(unittest.TestCase):
    def stop(self, *messages, answers):
        """The answers to `messages` that come before and after the signal, by id."""
        with Stdio() as server:
            server.send(*messages, call("sync", "ping"))
            got = {}
            while "sync" not in got:
                answer = server.answer()
                got[answer.get("id", "none")] = answer
            begun = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            while (answer := server.answer()) is not None:
                got[answer.get("id", "none")] = answer
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)
            self.assertLess(time.monotonic() - begun, AT_ONCE)
            self.assertEqual(set(answers) - set(got), set())
            return got

    def test_with_nothing_under_way(self):
        self.stop(answers=[])

    def test_with_a_modern_hang(self):
        got = self.stop(call(1, "hang"), answers=[1])
        self.assertIn("stopping", got[1]["error"]["message"])

    def test_with_a_legacy_hang(self):
        got = self.stop(initialize(0), call(1, "hang", modern=False), answers=[0, 1])
        self.assertIn("stopping", got[1]["error"]["message"])

    def test_with_an_open_listen(self):
        listen = request(1, "subscriptions/listen", {"notifications": {"toolsListChanged": True}})
        got = self.stop(listen, answers=[1])
        self.assertEqual(got[1]["result"]["resultType"], "complete")

    def test_with_a_call_that_can_finish(self):
        got = self.stop(call(1, "delay", {"delayMs": 500}), answers=[1])
        self.assertIn("delayed", got[1]["result"]["content"][0]["text"])

    def test_a_call_that_takes_too_long_is_ended(self):
        with Stdio("--stop-within", "300ms") as server:
            server.send(call(1, "delay", {"delayMs": 20000}), call(2, "ping"))
            self.assertEqual(server.answer()["id"], 2)
            begun = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            self.assertIn("stopping", server.answer()["error"]["message"])
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)
            self.assertLess(time.monotonic() - begun, AT_ONCE)

    def test_a_second_signal_ends_at_once(self):
        with Stdio("--stop-within", "20s") as server:
            server.send(call(1, "delay", {"delayMs": 20000}), call(2, "ping"))
            self.assertEqual(server.answer()["id"], 2)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            self.assertIsNone(server.process.poll())
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(AT_ONCE), 1)

    def test_with_a_full_stdout(self):
        with Stdio("--stop-within", "500ms") as server:
            server.send(call(0, "ping"))
            server.answer()
            os.set_blocking(server.process.stdin.fileno(), False)
            message = json.dumps(request(1, "tools/list")).encode() + b"\n"
            while server.process.stdin.write(message):
                pass
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)


class HttpStops(unittest.TestCase):
    def check_stop(self, server):
        code, seconds = server.terminate()
        self.assertEqual(code, 0)
        self.assertLess(seconds, AT_ONCE)

    def test_with_idle_and_half_connections(self):
        for words in ([], ["--threads", "2"]):
            with Http(*words, "--stop-within", "1s") as server:
                server.socket()
                server.post(call(1, "ping")).getresponse().read()
                server.socket().send(b"POST /mcp HTT")
                self.check_stop(server)

    def test_with_a_modern_hang(self):
        with Http() as server:
            connection = server.post(call(1, "hang"))
            server.post(call(2, "ping")).getresponse().read()
            self.check_stop(server)
            answer = json.loads(connection.getresponse().read())
            self.assertEqual(answer["id"], 1)
            self.assertIn("stopping", answer["error"]["message"])

    def test_with_a_legacy_hang_of_a_session(self):
        for words in ([], ["--resume"], ["--threads", "2"]):
            with Http(*words) as server:
                session = {"Mcp-Session-Id": server.session()}
                connection = server.post(call(1, "hang", modern=False), session)
                server.post(call(2, "ping", modern=False), session).getresponse().read()
                self.check_stop(server)
                response = connection.getresponse()
                text = response.read().decode()
                streamed = response.headers["Content-Type"].startswith("text/event-stream")
                self.assertEqual(streamed, "--resume" in words)
                answer = last_event(text) if streamed else json.loads(text)
                self.assertIn("stopping", answer["error"]["message"])

    def test_with_a_hang_whose_client_has_gone(self):
        with Http("--resume") as server:
            session = {"Mcp-Session-Id": server.session()}
            connection = server.post(call(1, "hang", modern=False), session)
            server.post(call(2, "ping", modern=False), session).getresponse().read()
            connection.close()
            self.check_stop(server)

    def test_with_a_stateless_legacy_hang(self):
        with Http() as server:
            connection = server.post(call(1, "hang", modern=False))
            server.post(call(2, "ping")).getresponse().read()
            self.check_stop(server)
            self.assertIn("stopping", connection.getresponse().read().decode())

    def test_with_an_open_listen(self):
        with Http() as server:
            listen = request(1, "subscriptions/listen",
                             {"notifications": {"toolsListChanged": True}})
            response = server.post(listen).getresponse()
            self.check_stop(server)
            answer = last_event(response.read().decode())
            self.assertEqual(answer["id"], 1)
            self.assertEqual(answer["result"]["resultType"], "complete")

    def test_with_an_open_get_stream(self):
        for words in ([], ["--resume"]):
            with Http(*words) as server:
                stream = server.get_stream(server.session())
                self.assertEqual(stream.status, 200)
                self.check_stop(server)
                stream.read()  # ends as HTTP says, else this would fail

    def test_a_call_that_can_finish_does(self):
        with Http() as server:
            connection = server.post(call(1, "delay", {"delayMs": 700}))
            server.post(call(2, "ping")).getresponse().read()
            self.check_stop(server)
            self.assertIn("delayed", connection.getresponse().read().decode())

    def test_accepts_nobody_while_it_stops(self):
        with Http() as server:
            connection = server.post(call(1, "delay", {"delayMs": 1000}))
            server.post(call(2, "ping")).getresponse().read()
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            with self.assertRaises(OSError):
                server.socket()
            self.assertIn("delayed", connection.getresponse().read().decode())
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)

    def test_a_call_that_takes_too_long_is_ended(self):
        with Http("--stop-within", "300ms") as server:
            connection = server.post(call(1, "delay", {"delayMs": 20000}))
            server.post(call(2, "ping")).getresponse().read()
            self.check_stop(server)
            self.assertIn("stopping", connection.getresponse().read().decode())

    def test_a_second_signal_ends_at_once(self):
        with Http("--stop-within", "20s") as server:
            server.post(call(1, "delay", {"delayMs": 20000}))
            server.post(call(2, "ping")).getresponse().read()
            server.process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            self.assertIsNone(server.process.poll())
            code, seconds = server.terminate(signal.SIGINT)
            self.assertEqual(code, 1)
            self.assertLess(seconds, AT_ONCE)


if __name__ == "__main__":
    program.main()
