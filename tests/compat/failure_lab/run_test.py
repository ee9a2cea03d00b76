"""`squall run` where users of MCP Failure Lab come from: files, exit codes, reports, outcomes.

    run_test.py PROGRAM
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import xml.etree.ElementTree
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
EXAMPLES = os.path.join(ROOT, "scenarios", "failure-lab")
STAND_IN = os.path.join(HERE, "stand_in.py")
SECONDS_MAX = 60
PROGRAM = ""
SECRET = "sk-5ecr3t-hunter22"


def example(name):
    return os.path.join(EXAMPLES, name + ".json")


BUILT_IN = ["delay-success", "delay-result", "delay-observe-ping", "hang-timeout",
            "malformed-message", "duplicate-response", "protocol-ping-liveness"]


class Lab(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_lab(self, *words, **variables):
        environment = {"PATH": os.environ["PATH"], **variables}
        return subprocess.run([PROGRAM, "run", *words], cwd=self.folder.name, env=environment,
                              capture_output=True, text=True, timeout=SECONDS_MAX, check=False)

    def report(self, *words, **variables):
        ran = self.run_lab(*words, "--report", "json", **variables)
        self.assertTrue(ran.stdout.startswith("{"), ran.stdout + ran.stderr)
        return ran.returncode, json.loads(ran.stdout)

    def write(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def scenario(self, tool, outcome, args=None, **more):
        return self.write("scenario.json", {
            "name": "s", "call": {"tool": tool, "args": args or {}},
            "expect": {"outcome": outcome}, **more})

    def stdio_target(self, *command, **more):
        return self.write("target.json", {"adapter": "mcp", "config": {
            "transport": "stdio", "command": command[0], "args": list(command[1:]), **more}})

    def stand_in(self, *words, **more):
        return self.stdio_target(sys.executable, STAND_IN, *words, **more)

    def served(self, *words):
        """A target file of our own server over HTTP."""
        port_file = os.path.join(self.folder.name, "port")
        ready, told = os.pipe()
        server = subprocess.Popen(
            [PROGRAM, "serve", "--transport", "http", "--port", "0", "--port-file", port_file,
             "--ready-fd", str(told), *words], pass_fds=[told], stderr=subprocess.DEVNULL)
        os.close(told)
        self.addCleanup(server.wait, SECONDS_MAX)
        self.addCleanup(server.terminate)
        os.read(ready, 1)
        os.close(ready)
        with open(port_file, encoding="utf-8") as file:
            port = file.read().strip()
        return self.write("http.json", {"adapter": "mcp", "config": {
            "transport": "http", "url": f"http://127.0.0.1:{port}/mcp"}})


class Examples(Lab):
    def test_run_in_process_unchanged(self):
        for name in BUILT_IN:
            ran = self.run_lab(example(name))
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), name + ran.stdout)

    def test_run_on_real_time_too(self):
        ran = self.run_lab(*map(example, BUILT_IN), "--real-time", "--jobs", "4")
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_pass_against_a_server_behind_http_in_both_revisions(self):
        target = self.served()
        for protocol in ("2025-11-25", "2026-07-28"):
            for name in BUILT_IN:
                if name == "protocol-ping-liveness" and protocol != "2025-11-25":
                    continue  # there is no ping in it
                code, report = self.report(example(name), "--target", target, "--protocol",
                                           protocol)
                self.assertEqual(code, 0, (protocol, name, report))
                self.assertEqual(report["scenarios"][0]["protocol"], protocol)
                self.assertTrue(report["execution"]["passed"])

    def test_pass_against_a_child_in_both_revisions(self):
        target = self.stdio_target(PROGRAM, "serve")
        for protocol in ("2025-11-25", "2026-07-28"):
            for name in BUILT_IN:
                if name == "protocol-ping-liveness" and protocol != "2025-11-25":
                    continue
                if name == "malformed-message":
                    continue  # a line that is no response is nobody's: see below
                code, report = self.report(example(name), "--target", target, "--protocol",
                                           protocol)
                self.assertEqual(code, 0, (protocol, name, report))

    def test_wait_on_stdio_for_an_answer_behind_the_malformed_one(self):
        target = self.stdio_target(PROGRAM, "serve")
        file = self.scenario("malformed_message", "timeout", {"variant": "missing-jsonrpc"},
                             timeoutMs=300)
        self.assertEqual(self.report(file, "--target", target)[0], 0)

    def test_reach_other_servers_by_their_targets(self):
        # The hosts' own servers need their own tokens; a stand-in has their tools.
        target = self.stand_in()
        for name in ("github-get-me", "gitlab-search-projects"):
            code, report = self.report(example(name), "--target", target)
            self.assertEqual(code, 0, report)

    def test_their_targets_ask_for_the_tokens_they_name(self):
        for host, variable in (("github", "GITHUB_MCP_AUTHORIZATION"),
                               ("gitlab", "GITLAB_MCP_AUTHORIZATION")):
            target = os.path.join(EXAMPLES, "targets", host + ".json")
            code, report = self.report(example("delay-success"), "--target", target)
            self.assertEqual(code, 1)
            self.assertEqual(report["error"], "adapter setup failed: environment variable "
                             f"{variable} is required for header Authorization")

    def test_full_scenarios_pass_and_negative_ones_fail(self):
        full = self.run_lab(os.path.join(ROOT, "scenarios", "full"))
        self.assertEqual(full.returncode, 0, full.stdout + full.stderr)
        for file in glob.glob(os.path.join(ROOT, "scenarios", "negative", "*")):
            self.assertEqual(self.run_lab(file).returncode, 2, file)


class Outcomes(Lab):
    def test_a_child_that_ends_is_a_loss_with_its_code_and_last_words(self):
        file = self.scenario("die", "error", {"code": 3})
        code, report = self.report(file, "--target", self.stand_in())
        self.assertEqual(code, 0, report)
        execute = report["execution"]["diagnostics"][1]
        self.assertEqual(execute["operationId"], "external-run:execute:1")
        self.assertEqual(execute["outcome"], "transport_loss")
        for part in ("exit code 3", "these were my last words"):
            self.assertIn(part, execute["message"])

    def test_a_child_that_is_killed_is_a_loss_with_its_signal(self):
        file = self.scenario("kill", "error")
        code, report = self.report(file, "--target", self.stand_in())
        self.assertEqual(code, 0, report)
        self.assertIn("SIGKILL", report["execution"]["diagnostics"][1]["message"])

    def test_a_server_that_is_not_there_could_not_be_judged(self):
        target = self.write("t.json", {"adapter": "mcp", "config": {
            "transport": "http", "url": "http://127.0.0.1:9/mcp"}})
        code, report = self.report(self.scenario("ping", "error"), "--target", target)
        self.assertEqual(code, 1)
        self.assertFalse(report["passed"])
        self.assertTrue(report["error"].startswith("adapter setup failed: "))
        operations = [one["operation"] for one in report["execution"]["diagnostics"]]
        self.assertEqual(operations, ["setup", "cleanup"])
        full = self.write("f.yaml", "squall: 1\nname: f\nsteps: [ { call: { tool: ping } } ]\n")
        self.assertEqual(self.report(full, "--target", target)[0], 3)

    def test_a_refusal_and_a_broken_answer_are_errors_that_may_be_expected(self):
        target = self.stand_in()
        for tool in ("refuse", "no_such_tool"):
            code, report = self.report(self.scenario(tool, "error"), "--target", target)
            self.assertEqual(code, 0, report)
            self.assertEqual(report["execution"]["diagnostics"][1]["outcome"], "error")

    def test_a_call_that_times_out_is_cancelled_and_the_connection_works_on(self):
        file = self.scenario("wait", "timeout", timeoutMs=200, observe={
            "call": {"tool": "cancelled", "args": {}},
            "expect": {"outcome": "success", "result": {"textContains": "execute timed out"}}})
        code, report = self.report(file, "--target", self.stand_in())
        self.assertEqual(code, 0, report)
        outcomes = [(one["operation"], one["outcome"])
                    for one in report["execution"]["diagnostics"]]
        self.assertEqual(outcomes, [("setup", "success"), ("execute", "timeout"),
                                    ("cancel", "success"), ("observe", "success"),
                                    ("cleanup", "success")])

    def test_an_observer_without_an_answer_fails_whatever_it_expects(self):
        file = self.scenario("ping", "success", observe={
            "call": {"tool": "wait", "args": {}}, "timeoutMs": 100,
            "expect": {"outcome": "timeout"}})
        code, report = self.report(file, "--target", self.stand_in())
        self.assertEqual(code, 2)
        self.assertEqual(report["failures"], ["observer: observer execution timed out"])
        self.assertEqual(report["observer"]["failures"], ["observer execution timed out"])

    def test_a_session_is_deleted_before_the_client_closes(self):
        seen = []

        class Sessions(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status, body=b"", headers=()):
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.answer(405)

            def do_DELETE(self):
                seen.append("DELETE " + self.headers["Mcp-Session-Id"])
                self.answer(200)

            def do_POST(self):
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                seen.append(message["method"])
                if "id" not in message:
                    return self.answer(202)
                result = {"content": [], "isError": False}
                if message["method"] == "initialize":
                    result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                              "serverInfo": {"name": "s", "version": "1"}}
                body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
                return self.answer(200, body.encode(), [("Content-Type", "application/json"),
                                                        ("Mcp-Session-Id", "one")])

        server = ThreadingHTTPServer(("127.0.0.1", 0), Sessions)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        target = self.write("t.json", {"adapter": "mcp", "config": {
            "transport": "http", "url": f"http://127.0.0.1:{server.server_port}/mcp"}})
        code, report = self.report(self.scenario("ping", "success"), "--target", target,
                                   "--protocol", "2025-11-25")
        self.assertEqual(code, 0, report)
        self.assertEqual(seen, ["initialize", "notifications/initialized", "tools/call",
                                "DELETE one"])


class Reports(Lab):
    def test_json_of_one_simple_scenario_begins_with_the_labs_keys(self):
        code, report = self.report(example("delay-observe-ping"), "--target",
                                   self.stdio_target(PROGRAM, "serve"))
        self.assertEqual(code, 0)
        self.assertEqual(list(report)[:8], ["name", "outcome", "durationMs", "passed", "failures",
                                            "execution", "result", "observer"])
        self.assertEqual(list(report["execution"]), ["mode", "adapter", "passed", "diagnostics"])
        self.assertEqual(report["execution"]["mode"], "external")
        self.assertEqual(list(report["observer"]), ["outcome", "durationMs", "passed", "failures",
                                                    "result"])

    def test_junit_has_a_suite_for_each_file_with_its_properties(self):
        ran = self.run_lab(example("delay-success"), example("hang-timeout"),
                           os.path.join(ROOT, "scenarios", "negative", "wrong-text.json"),
                           "--report", "junit")
        self.assertEqual(ran.returncode, 2)
        suites = xml.etree.ElementTree.fromstring(ran.stdout)
        self.assertEqual(suites.tag, "testsuites")
        self.assertEqual([suite.get("failures") for suite in suites], ["0", "0", "2"])
        for suite in suites:
            self.assertTrue(suite.get("name").endswith(".json"))
            names = [one.get("name") for one in suite.find("properties")]
            self.assertIn("protocol", names)
            self.assertIn("target", names)

    def test_errors_go_where_the_report_would(self):
        codes = {"invalid_arguments": ["--nope"], "scenario_load_failed": ["missing.json"],
                 "target_load_failed": [example("delay-success"), "--target", "missing.json"]}
        for code, words in codes.items():
            console = self.run_lab(*words)
            self.assertEqual((console.returncode, console.stdout), (1, ""))
            self.assertTrue(console.stderr.startswith("squall: "))
            as_json = self.run_lab(*words, "--report", "json")
            self.assertEqual((as_json.returncode, as_json.stderr), (1, ""))
            self.assertEqual(json.loads(as_json.stdout)["error"]["code"], code)
            as_junit = self.run_lab(*words, "--report", "junit")
            self.assertEqual((as_junit.returncode, as_junit.stderr), (1, ""))
            suite = xml.etree.ElementTree.fromstring(as_junit.stdout)[0]
            self.assertEqual((suite.get("name"), suite.get("errors")), (code, "1"))
            self.assertEqual(suite.find("testcase").get("name"), "execution")

    def test_scenario_mistakes_are_all_told(self):
        file = self.write("bad.json", {
            "name": "", "zzz": 1, "call": {"tool": "t"}, "timeoutMs": 0,
            "protocolVersion": "2024-11-05", "expect": {"outcome": "fine", "maxDurationMs": -1}})
        ran = self.run_lab(file)
        for place in ("/name", "/zzz", "args", "/timeoutMs", "/protocolVersion",
                      "/expect/outcome", "/expect/maxDurationMs"):
            self.assertIn(place, ran.stderr)

    def test_an_output_is_the_same_twice(self):
        # But for when it was begun.
        def outputs():
            code, report = self.report(example("delay-observe-ping"), example("hang-timeout"))
            self.assertEqual(code, 0)
            del report["started"]
            return report
        self.assertEqual(outputs(), outputs())


class Secrets(Lab):
    def test_no_secret_stands_in_any_output(self):
        target = self.stand_in(env={"LITERAL": SECRET + "-literal"},
                               envFrom={"TOKEN": "MY_TOKEN"})
        file = self.scenario("environment", "error")  # it succeeds, and says all it knows
        outputs = []
        for words in (["--report", "console"], ["--report", "json"], ["--report", "junit"],
                      ["--report", "html=page.html", "--record", "cases"]):
            ran = self.run_lab(file, "--target", target, *words, MY_TOKEN=SECRET)
            self.assertEqual(ran.returncode, 2, ran.stdout + ran.stderr)
            outputs += [ran.stdout, ran.stderr]
        for path in glob.glob(os.path.join(self.folder.name, "**"), recursive=True):
            if os.path.isfile(path) and os.path.basename(path) != "target.json":
                with open(path, encoding="utf-8") as text:
                    outputs.append(text.read())
        self.assertTrue(any("[redacted:MY_TOKEN]" in output for output in outputs))
        for output in outputs:
            self.assertNotIn(SECRET, output)


class Core(unittest.TestCase):
    def test_the_runner_knows_no_host_client_or_provider(self):
        names = re.compile(r"github|gitlab|claude|cursor|copilot|openai|anthropic|gemini|vscode|"
                           r"\bnpx\b|\bnode\b|inspector|everything", re.I)
        for name in ("runner", "lifecycle", "suite", "timed", "wire_log", "adapter"):
            with open(os.path.join(ROOT, "src", "lab", name + ".cc"), encoding="utf-8") as file:
                self.assertIsNone(names.search(file.read()), name)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
