"""What clients see of the fault tools, on real pipes and sockets."""

import http.client
import json
import unittest

import program
from program import Http, Stdio, call, initialize

EVERYWHERE = ["ping", "protocol_ping_liveness", "delay", "hang", "disconnect",
              "malformed_message", "duplicate_response"]


def names(answer):
    return [tool["name"] for tool in answer["result"]["tools"]]


def text(answer):
    return answer["result"]["content"][0]["text"]


def events(response):
    """The data of each event of a stream that ends."""
    return [json.loads(line[len(b"data: "):]) for line in response.read().splitlines()
            if line.startswith(b"data: ")]


class OverStdio(unittest.TestCase):
    def test_tools_offered(self):
        with Stdio() as server:
            server.send(program.request(1, "tools/list"))
            self.assertEqual(names(server.answer()), [*EVERYWHERE, "response_after_cancellation"])

    def test_disconnect_closes_stdout_and_the_process_exits_0(self):
        with Stdio() as server:
            server.send(initialize(0), call(1, "hang", modern=False),
                        call(2, "disconnect", modern=False))
            self.assertEqual(server.answer()["id"], 0)
            self.assertIsNone(server.line())
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)

    def test_disconnect_by_exit_has_the_code_asked_for(self):
        with Stdio() as server:
            server.send(call(1, "disconnect", {"how": "exit", "code": 7}))
            self.assertIsNone(server.line())
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 7)

    def test_half_close_ends_stdout_alone(self):
        with Stdio() as server:
            server.send(call(1, "disconnect", {"how": "half_close"}))
            self.assertIsNone(server.line())
            server.send(call(2, "ping"))
            self.assertIsNone(server.process.poll())
            server.process.stdin.close()
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)

    def test_split_and_broken_lines_are_followed_by_whole_ones(self):
        with Stdio() as server:
            server.send(call(1, "malformed_message", {"variant": "split"}), call(2, "ping"))
            first, second = server.line(), server.line()
            self.assertEqual(json.loads(first + second)["id"], 1)
            self.assertEqual(server.answer()["id"], 2)
            server.send(call(3, "malformed_message", {"variant": "invalid-utf8"}), call(4, "ping"))
            with self.assertRaises(UnicodeDecodeError):
                server.line().decode()
            self.assertEqual(server.answer()["id"], 4)

    def test_an_answer_after_the_cancellation(self):
        with Stdio() as server:
            server.send(initialize(0), call(1, "response_after_cancellation", modern=False))
            server.answer()
            server.send({"jsonrpc": "2.0", "method": "notifications/cancelled",
                         "params": {"requestId": 1}})
            self.assertEqual(text(server.answer()), "response sent after cancellation")

    def test_liveness_reaches_standard_error(self):
        with Stdio("--log-level", "error") as server:
            server.send(call(1, "protocol_ping_liveness",
                             {"pingAfterMs": 0, "livenessTimeoutMs": 50}))
            self.assertIn("unsupported", text(server.answer()))
            server.end()
            self.assertEqual(json.loads(server.process.stderr.readline()), {
                "event": "protocol_ping_liveness", "requestId": 1,
                "protocolPing": {"outcome": "unsupported"}, "transport": {"outcome": "retained"}})


class OverHttp(unittest.TestCase):
    def ping(self, server, headers=None, modern=True):
        answer = server.post(call(99, "ping", modern=modern), headers).getresponse().read()
        self.assertIn(b"ok", answer)

    def test_tools_offered_by_leg(self):
        with Http() as server:
            listing = program.request(1, "tools/list")
            modern = json.load(server.post(listing).getresponse())
            self.assertEqual(names(modern), EVERYWHERE)
            listing = program.request(1, "tools/list", modern=False)
            stateless = json.load(server.post(listing).getresponse())
            self.assertEqual(names(stateless), EVERYWHERE)
            session = {"Mcp-Session-Id": server.session()}
            answer = json.load(server.post(listing, session).getresponse())
            self.assertEqual(names(answer),
                             [*EVERYWHERE, "response_after_cancellation", "session_loss"])

    def test_disconnect_gives_an_empty_reply_and_the_listener_stays(self):
        with Http() as server:
            for how, error in (("close", http.client.RemoteDisconnected),
                               ("half_close", http.client.RemoteDisconnected),
                               ("reset", ConnectionResetError)):
                with self.assertRaises(error):
                    server.post(call(1, "disconnect", {"how": how})).getresponse()
                self.ping(server)

    def test_disconnect_within_the_reply(self):
        with Http() as server:
            response = server.post(call(1, "disconnect", {"after": 20})).getresponse()
            self.assertEqual(response.status, 200)
            with self.assertRaises(http.client.IncompleteRead) as caught:
                response.read()
            self.assertEqual(len(caught.exception.partial), 20)
            self.ping(server)

    def test_a_duplicate_makes_the_reply_a_stream(self):
        with Http() as server:
            response = server.post(call(1, "duplicate_response")).getresponse()
            self.assertEqual(response.headers["Content-Type"], "text/event-stream")
            first, second = events(response)
            self.assertEqual(first, second)
            self.assertEqual(first["id"], 1)

    def test_malformed_replies(self):
        with Http() as server:
            for variant in ("missing-jsonrpc", "invalid-jsonrpc-version", "result-with-error",
                            "wrong-id", "null-id"):
                body = json.load(server.post(
                    call(1, "malformed_message", {"variant": variant})).getresponse())
                if variant == "missing-jsonrpc":
                    self.assertNotIn("jsonrpc", body)
                elif variant == "invalid-jsonrpc-version":
                    self.assertEqual(body["jsonrpc"], "1.0")
                elif variant == "result-with-error":
                    self.assertLessEqual({"result", "error"}, body.keys())
                else:
                    self.assertEqual(body["id"], 1001 if variant == "wrong-id" else None)
                self.ping(server)
            for variant in ("truncated", "not-json", "invalid-utf8"):
                response = server.post(
                    call(1, "malformed_message", {"variant": variant})).getresponse()
                self.assertEqual(response.status, 200)
                with self.assertRaises(ValueError):
                    json.loads(response.read())
                self.ping(server)

    def test_an_answer_after_the_cancellation_of_a_session_call(self):
        with Http() as server:
            session = {"Mcp-Session-Id": server.session()}
            waiting = server.post(call(5, "response_after_cancellation", modern=False), session)
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled",
                      "params": {"requestId": 5}}
            # The call may still be on its way when the cancellation arrives: ask again.
            waiting.sock.settimeout(0.2)
            for _ in range(50):
                server.post(cancel, session, modern=False).getresponse().read()
                try:
                    response = waiting.getresponse()
                    break
                except TimeoutError:
                    continue
            self.assertIn(b"response sent after cancellation", response.read())

    def test_session_loss_behind_the_response(self):
        with Http() as server:
            lost = {"Mcp-Session-Id": server.session()}
            kept = {"Mcp-Session-Id": server.session()}
            stream = server.get_stream(lost["Mcp-Session-Id"])
            answer = server.post(call(1, "session_loss", {"activation": "after_response"},
                                      modern=False), lost).getresponse().read()
            self.assertIn(b"session loss activated after_response", answer)
            self.assertEqual(stream.read(), b"")
            gone = server.post(call(2, "ping", modern=False), lost).getresponse()
            self.assertEqual(gone.status, 404)
            self.assertEqual(json.load(gone)["error"]["code"], -32001)
            self.ping(server, kept, modern=False)

    def test_session_loss_during_the_request(self):
        with Http() as server:
            lost = {"Mcp-Session-Id": server.session()}
            other = server.post(call(1, "hang", modern=False), lost)
            with self.assertRaises((http.client.RemoteDisconnected, ConnectionResetError)):
                server.post(call(2, "session_loss", {"activation": "during_request"},
                                 modern=False), lost).getresponse()
            gone = server.post(call(3, "ping", modern=False), lost).getresponse()
            self.assertEqual(gone.status, 404)
            gone.read()
            self.assertEqual(other.getresponse().read(), b"", "what else was under way ends too")

    def test_liveness_without_a_session_is_a_timeout_and_may_close_the_stream(self):
        with Http("--log-level", "error") as server:
            arguments = {"pingAfterMs": 0, "livenessTimeoutMs": 50}
            response = server.post(call(1, "protocol_ping_liveness", arguments, modern=False))
            ping, cancelled, result = events(response.getresponse())
            self.assertEqual(ping["method"], "ping")
            self.assertEqual(cancelled["params"]["requestId"], ping["id"])
            self.assertIn('"timeout"', text(result))
            arguments["closeOnFailure"] = True
            response = server.post(call(2, "protocol_ping_liveness", arguments, modern=False))
            with self.assertRaises(http.client.IncompleteRead):
                response.getresponse().read()
            server.terminate()
            found = [json.loads(line)["transport"]["outcome"]
                     for line in server.errors().splitlines()]
            self.assertEqual(found, ["retained", "closure_requested", "closed"])


if __name__ == "__main__":
    program.main()
