"""faults_test.py SQUALL: which fault tool is offered where, what it takes and what it answers."""

import http.client
import json
import os
import random
import sys
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../server_process")]
import program  # noqa: E402
from program import Http, Stdio, call, initialize, request  # noqa: E402

SEED = 6
MIXED_CALLS = 60
CONNECTIONS = 6

TIME = {"type": "integer", "minimum": 0, "maximum": 30_000}
EMPTY = ({}, [])
# Properties that users of the other tool rely on, with what they may be; and the required ones.
INPUTS = {
    "ping": EMPTY, "hang": EMPTY, "duplicate_response": EMPTY, "response_after_cancellation": EMPTY,
    "delay": ({"delayMs": TIME}, ["delayMs"]),
    "disconnect": ({"how": {"enum": ["close", "reset", "half_close", "exit"], "default": "close"},
                    "code": {"default": 0}, "after": {"default": 0}}, []),
    "malformed_message": ({"variant": {"enum": [
        "missing-jsonrpc", "invalid-jsonrpc-version", "result-with-error", "truncated", "not-json",
        "wrong-id", "null-id", "invalid-utf8", "split"]}}, ["variant"]),
    "session_loss": ({"activation": {"enum": ["during_request", "after_response"]}},
                     ["activation"]),
    "protocol_ping_liveness": ({
        "pingAfterMs": TIME, "livenessTimeoutMs": {**TIME, "minimum": 1},
        "completionDelayMs": {**TIME, "default": 0},
        "closeOnFailure": {"type": "boolean", "default": False}},
        ["pingAfterMs", "livenessTimeoutMs"]),
}

EVERYWHERE = ["ping", "protocol_ping_liveness", "delay", "hang", "disconnect", "malformed_message",
              "duplicate_response"]
LATE = "response_after_cancellation"
OFFERED = {
    "stdio, 2026-07-28": [*EVERYWHERE, LATE],
    "stdio, 2025-11-25": [*EVERYWHERE, LATE],
    "stdio, before any handshake": [*EVERYWHERE, LATE],
    "HTTP, 2026-07-28": EVERYWHERE,
    "HTTP, 2025-11-25 session": [*EVERYWHERE, LATE, "session_loss"],
    "HTTP, 2025-11-25 without session": EVERYWHERE,
}


def text(answer):
    return answer["result"]["content"][0]["text"]


class StdioLeg:
    def __init__(self, name):
        self.server = Stdio("--quiet")
        self.modern = "2026" in name
        if "2025" in name:
            self.server.send(initialize(0))
            self.server.answer()

    def ask(self, message):
        self.server.send(message)
        return self.server.answer()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.server.__exit__(*error)


class HttpLeg:
    def __init__(self, name):
        self.server = Http("--quiet")
        self.modern = "2026" in name
        self.headers = {"Mcp-Session-Id": self.server.session()} if name.endswith("25 session") \
            else {}

    def ask(self, message):
        body = self.server.post(message, self.headers).getresponse().read()
        if body.startswith(b"{"):
            return json.loads(body)
        return [json.loads(line[6:]) for line in body.splitlines()
                if line.startswith(b"data: {")][-1]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.server.__exit__(*error)


def leg(name):
    return StdioLeg(name) if name.startswith("stdio") else HttpLeg(name)


class Registration(unittest.TestCase):
    def test_offers_each_tool_where_the_matrix_says(self):
        for name, offered in OFFERED.items():
            with leg(name) as server:
                answer = server.ask(request(1, "tools/list", modern=server.modern))
                tools = answer["result"]["tools"]
                self.assertEqual([tool["name"] for tool in tools], offered, name)
                for tool in tools:
                    self.check_input(tool)

    def check_input(self, tool):
        properties, required = INPUTS[tool["name"]]
        schema = tool["inputSchema"]
        self.assertEqual(schema.get("required", []), required)
        self.assertEqual(list(schema.get("properties", {})), list(properties))
        for name, wanted in properties.items():
            self.assertLessEqual(wanted.items(), schema["properties"][name].items(), name)
        self.assertEqual({"annotations", "outputSchema"} & tool.keys(), set())

    def test_knows_no_tool_where_it_is_not_offered(self):
        for name, offered in OFFERED.items():
            with leg(name) as server:
                for tool in INPUTS.keys() - set(offered):
                    answer = server.ask(call(1, tool, {"activation": "during_request"},
                                             server.modern))
                    self.assertEqual(answer["error"]["code"], -32602, (name, tool))

    def test_answers_what_the_contract_says_and_ignores_extra_arguments(self):
        extra = {"extra": [1, {"deep": None}]}
        for name in OFFERED:
            with leg(name) as server:
                def ask(tool, **arguments):
                    return server.ask(call(7, tool, {**arguments, **extra}, server.modern))
                status = json.loads(text(ask("ping")))
                self.assertEqual(status["status"], "ok")
                self.assertRegex(status["timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
                self.assertEqual(text(ask("delay", delayMs=5)), '{"status":"delayed","delayMs":5}')
                broken = ask("malformed_message", variant="missing-jsonrpc")
                self.assertNotIn("jsonrpc", broken)
                self.assertEqual(text(broken),
                                 '{"status":"fault-activated","variant":"missing-jsonrpc"}')
                if name == "HTTP, 2025-11-25 session":
                    self.assertEqual(text(ask("session_loss", activation="after_response")),
                                     "session loss activated after_response")

    def test_refuses_what_is_out_of_bounds_as_a_tool_error(self):
        wrong = [("delay", {}), ("delay", {"delayMs": -1}), ("delay", {"delayMs": 30_001}),
                 ("delay", {"delayMs": 1.5}), ("malformed_message", {"variant": "other"}),
                 ("malformed_message", {}), ("disconnect", {"how": "slowly"}),
                 ("disconnect", {"after": -1}),
                 ("protocol_ping_liveness", {"pingAfterMs": 0, "livenessTimeoutMs": 0}),
                 ("protocol_ping_liveness", {"pingAfterMs": 0})]
        for name in OFFERED:
            with leg(name) as server:
                for tool, arguments in wrong:
                    answer = server.ask(call(1, tool, arguments, server.modern))
                    self.assertTrue(answer["result"]["isError"], (name, tool, arguments))

    def test_modern_liveness_is_unsupported(self):
        for name in ("stdio, 2026-07-28", "HTTP, 2026-07-28"):
            with leg(name) as server:
                answer = server.ask(call(1, "protocol_ping_liveness",
                                         {"pingAfterMs": 0, "livenessTimeoutMs": 50}))
                self.assertTrue(answer["result"]["isError"])
                self.assertEqual(json.loads(text(answer)), {
                    "status": "protocol_ping_failed", "protocolPing": {"outcome": "unsupported"},
                    "transport": {"outcome": "retained"}})

    def test_a_thousand_delays_at_once_all_return(self):
        with Stdio("--quiet") as server:
            server.send(*[call(n, "delay", {"delayMs": 200}) for n in range(1000)])
            answers = [server.answer() for _ in range(1000)]
            self.assertEqual(sorted(answer["id"] for answer in answers), list(range(1000)))
            self.assertEqual({text(answer) for answer in answers},
                             {'{"status":"delayed","delayMs":200}'})


class HealthyCalls(unittest.TestCase):
    """Random mixes of faulty and healthy calls, on real connections."""

    FAULTS = [("disconnect", {}), ("disconnect", {"how": "reset"}), ("disconnect", {"after": 30}),
              ("disconnect", {"how": "half_close"}), ("duplicate_response", {}),
              ("malformed_message", {"variant": "truncated"}),
              ("malformed_message", {"variant": "not-json"}),
              ("malformed_message", {"variant": "wrong-id"}),
              ("malformed_message", {"variant": "invalid-utf8"}),
              ("malformed_message", {"variant": "split"})]

    def test_are_right_on_other_connections_of_one_http_server(self):
        with Http("--quiet", "--threads", "2") as server:
            wrong = []
            threads = [threading.Thread(target=self.mix, args=(server, seed, wrong))
                       for seed in range(CONNECTIONS)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(wrong, [])
            self.assertEqual(server.terminate()[0], 0)

    def mix(self, server, seed, wrong):
        """One client's calls, in order; half of them, and half of the clients', break."""
        chance = random.Random(SEED * 1000 + seed)
        modern = seed % 2 == 0
        headers = {} if modern or seed % 3 == 0 else {"Mcp-Session-Id": server.session()}
        for number in range(MIXED_CALLS):
            if chance.random() < 0.5:
                tool, arguments = chance.choice(self.FAULTS)
                try:
                    server.post(call(number, tool, arguments, modern), headers).getresponse().read()
                except (http.client.HTTPException, ConnectionError):
                    pass  # that is what it is for
                continue
            delay = chance.randrange(20)
            reply = server.post(call(number, "delay", {"delayMs": delay}, modern), headers)
            body = reply.getresponse().read()
            expected = json.dumps(f'{{"status":"delayed","delayMs":{delay}}}').encode()
            if expected not in body or f'"id":{number}'.encode() not in body:
                wrong.append((seed, number, body))

    def test_are_right_on_the_same_pipe(self):
        faults = [fault for fault in self.FAULTS if fault[0] != "disconnect"]
        for seed in range(CONNECTIONS):
            chance = random.Random(SEED * 2000 + seed)
            with Stdio("--quiet") as server:
                expected = {}
                for number in range(MIXED_CALLS):
                    if chance.random() < 0.5:
                        server.send(call(f"broken {number}", *chance.choice(faults)))
                        continue
                    delay = chance.randrange(20)
                    expected[number] = f'{{"status":"delayed","delayMs":{delay}}}'
                    server.send(call(number, "delay", {"delayMs": delay}))
                server.process.stdin.close()
                while (line := server.line()) is not None:
                    try:
                        answer = json.loads(line)
                    except ValueError:
                        continue
                    if answer.get("id") in expected:
                        self.assertEqual(text(answer), expected.pop(answer["id"]))
                self.assertEqual(expected, {})


if __name__ == "__main__":
    program.main()
