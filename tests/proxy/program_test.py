"""Drives `squall proxy` as a user does, in front of our own servers.

    program_test.py SQUALL EVERYTHING
"""

import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

SQUALL, EVERYTHING = "", ""
SECONDS_MAX = 60

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}


def request(number, method, params=None):
    params = dict(params or {}, _meta=META)
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"


def call(number, tool, arguments=None):
    return request(number, "tools/call", {"name": tool, "arguments": arguments or {}})


def run(words, stdin="", **more):
    return subprocess.run(words, input=stdin, capture_output=True, text=True,
                          timeout=SECONDS_MAX, check=False, **more)


def proxied(options, server, stdin, **more):
    return run([SQUALL, "proxy", *options, "--", *server], stdin, **more)


def answers(ran):
    """The responses on stdout by their ids."""
    messages = [json.loads(line) for line in ran.stdout.splitlines()]
    return {message["id"]: message for message in messages if "id" in message}


class Stdio(unittest.TestCase):
    def test_nothing_changes_when_nothing_strikes(self):
        for server in ([EVERYTHING], [SQUALL, "serve", "--quiet"]):
            lines = "".join([request(1, "server/discover"), request(2, "tools/list"),
                             call(3, "echo", {"text": "h\u00e9"}), call(4, "nothing"),
                             request("5", "prompts/list"), request(6, "no/such/method")])
            # One call after the other, so that answers come in one order.
            direct = run(server, lines)
            through = proxied([], server, lines)
            self.assertEqual(sorted(through.stdout.splitlines()),
                             sorted(direct.stdout.splitlines()))
            self.assertEqual(through.returncode, 0, through.stderr)

    def test_a_run_is_recorded_verified_and_repeated(self):
        with tempfile.TemporaryDirectory() as folder:
            profile = os.path.join(folder, "p.yaml")
            with open(profile, "w", encoding="utf-8") as file:
                file.write("squall: 1\nname: p\nrules:\n"
                           "  - {id: lost, fault: lost, probability: 0.3}\n"
                           "  - {id: no, fault: error, message: broken, probability: 0.3}\n")
            lines = "".join(call(i, "echo", {"text": str(i)}) for i in range(60))
            options = ["--profile", profile, "--seed", "0x2a", "--record", folder]
            first = proxied(options, [EVERYTHING], lines)
            self.assertIn("seed=42 (0x", first.stderr)
            again = proxied(options, [EVERYTHING], lines)
            self.assertEqual(answers(first), answers(again))
            self.assertLess(len(answers(first)), 60)
            broken = [m for m in answers(first).values() if m["result"].get("isError")]
            self.assertGreater(len(broken), 3)
            cases = sorted(glob.glob(os.path.join(folder, "*.case")))
            self.assertEqual(len(cases), 2)
            for case in cases:
                verified = run([SQUALL, "verify", case])
                self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
                with open(os.path.join(case, "case.json"), encoding="utf-8") as file:
                    header = json.load(file)
                self.assertIn("squall proxy --profile", header["repeat"])
            explained = run([SQUALL, "explain", cases[0]])
            self.assertIn("lost", explained.stdout)

    def test_secrets_of_the_environment_stay_out_of_the_case(self):
        with tempfile.TemporaryDirectory() as folder:
            secret = "s3cr3t-value-of-a-token"
            ran = proxied(["--record", folder], [EVERYTHING], call(1, "echo", {"text": secret}),
                          env=dict(os.environ, MY_TOKEN=secret))
            self.assertIn(secret, ran.stdout)
            for path in glob.glob(os.path.join(folder, "*.case", "*")):
                if os.path.isfile(path):
                    with open(path, encoding="utf-8") as file:
                        self.assertNotIn(secret, file.read())

    def test_names_and_schemas(self):
        ran = proxied(["--prefix", "x_", "--hide-output-schema"], [EVERYTHING],
                      request(1, "tools/list") + call(2, "x_echo", {"message": "m"}) +
                      call(3, "echo", {"text": "m"}))
        seen = answers(ran)
        tools = seen[1]["result"]["tools"]
        self.assertTrue(all(tool["name"].startswith("x_") for tool in tools))
        self.assertFalse(any("outputSchema" in tool for tool in tools))
        self.assertIn("m", json.dumps(seen[2]["result"]["content"]))
        self.assertEqual(seen[3]["error"]["code"], -32602)

    def test_it_ends_as_its_server_does(self):
        self.assertEqual(proxied([], ["sh", "-c", "exit 9"], "").returncode, 9)
        self.assertEqual(proxied([], ["/no/such/program"], "").returncode, 1)

    def test_signals_end_it_and_finish_its_case(self):
        with tempfile.TemporaryDirectory() as folder:
            proxy = subprocess.Popen([SQUALL, "proxy", "--record", folder, "--", EVERYTHING],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True)
            proxy.stdin.write(call(1, "echo", {"text": "m"}))
            proxy.stdin.flush()
            self.assertIn("result", proxy.stdout.readline())
            proxy.send_signal(signal.SIGTERM)
            proxy.communicate(timeout=SECONDS_MAX)
            self.assertEqual(proxy.returncode, 0)
            case = glob.glob(os.path.join(folder, "*.case"))[0]
            with open(os.path.join(case, "events.jsonl"), encoding="utf-8") as file:
                self.assertIn("interrupted", file.read().splitlines()[-1])

    def test_the_kill_switch(self):
        options = ["--profile", "/dev/stdin"]
        with tempfile.TemporaryDirectory() as folder:
            profile = os.path.join(folder, "p.yaml")
            with open(profile, "w", encoding="utf-8") as file:
                file.write("squall: 1\nname: p\nrules:\n"
                           "  - {id: no, fault: error, message: broken, execute: before}\n")
            options = ["--profile", profile]
            with subprocess.Popen([SQUALL, "proxy", *options, "--", EVERYTHING],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as proxy:
                def ask(number):
                    proxy.stdin.write(call(number, "echo", {"text": "m"}))
                    proxy.stdin.flush()
                    return json.loads(proxy.stdout.readline())["result"].get("isError", False)

                self.assertIn("proxy on stdio", proxy.stderr.readline())
                self.assertTrue(ask(1))
                for state, struck in (("off", False), ("on", True)):
                    proxy.send_signal(signal.SIGUSR1)
                    self.assertIn("faults are " + state, proxy.stderr.readline())
                    self.assertEqual(ask(state), struck)
                proxy.stdin.close()
                self.assertEqual(proxy.wait(SECONDS_MAX), 0)

    def test_kinds_without_a_meaning_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            profile = os.path.join(folder, "p.yaml")
            with open(profile, "w", encoding="utf-8") as file:
                file.write("squall: 1\nname: p\nrules:\n  - {id: r, fault: refuse}\n")
            ran = proxied(["--profile", profile], [EVERYTHING], "")
            self.assertEqual(ran.returncode, 1)
            self.assertIn("refuse has no meaning on stdio", ran.stderr)


if __name__ == "__main__":
    SQUALL, EVERYTHING = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1], verbosity=2)
