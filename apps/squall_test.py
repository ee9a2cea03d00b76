"""Drives the program `squall` as a user does.

    squall_test.py PROGRAM VERSION
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.request

PROGRAM, VERSION = "", ""
SECONDS_MAX = 60

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}


def run(*words, stdin="", **more):
    return subprocess.run([PROGRAM, *words], input=stdin, capture_output=True, text=True,
                          timeout=SECONDS_MAX, check=False, **more)


def call(number, tool, arguments=None):
    """A line that calls a tool."""
    params = {"name": tool, "arguments": arguments or {}, "_meta": META}
    return json.dumps(
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}) + "\n"


class Words(unittest.TestCase):
    def test_version_is_the_projects(self):
        ran = run("--version")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, f"squall {VERSION}\n", ""))

    def test_unknown_option_names_the_nearest(self):
        ran = run("serve", "--tranport", "http")
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertEqual(ran.stderr,
                         "squall: unknown option '--tranport'; did you mean --transport?\n")

    def test_unknown_command_names_the_nearest(self):
        ran = run("dmeo")
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(ran.stderr, "squall: unknown command 'dmeo'; did you mean demo?\n")


class Demo(unittest.TestCase):
    def test_passes_without_colours_in_a_pipe(self):
        ran = run("demo")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
        self.assertIn("\nOutcome: success\n", ran.stdout)
        self.assertIn("\nAssertions: passed\n", ran.stdout)
        self.assertRegex(ran.stdout, r"\nDuration: \d+\.\d\d ms\n")
        self.assertNotIn("\x1b", ran.stdout)

    def test_colours_a_terminal_unless_no_color_is_set(self):
        self.assertIn(b"\x1b[", self.on_a_terminal(NO_COLOR=""))
        self.assertNotIn(b"\x1b[", self.on_a_terminal(NO_COLOR="1"))

    def on_a_terminal(self, **environment):
        ours, theirs = os.openpty()
        with subprocess.Popen([PROGRAM, "demo"], stdout=theirs,
                              env={**os.environ, **environment}) as process:
            os.close(theirs)
            shown = b""
            try:
                while piece := os.read(ours, 4096):
                    shown += piece
            except OSError:  # the terminal hangs up once the program has ended
                pass
            self.assertEqual(process.wait(SECONDS_MAX), 0)
        os.close(ours)
        return shown

    def test_gives_one_json_document(self):
        ran = run("demo", "--json")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        document = json.loads(ran.stdout)
        self.assertTrue(document["passed"])
        self.assertEqual(document["failures"], [])
        self.assertEqual(document["outcome"], "success")


class ServeStdio(unittest.TestCase):
    def test_answers_a_line_and_ends_with_stdin(self):
        ran = run("serve", stdin=call(1, "ping"))
        self.assertEqual(ran.returncode, 0)
        answer = json.loads(ran.stdout)
        text = json.loads(answer["result"]["content"][0]["text"])
        self.assertEqual(text["status"], "ok")
        self.assertRegex(text["timestamp"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        said = json.loads(ran.stderr.splitlines()[0])
        self.assertEqual((said["event"], said["url"], said["version"]),
                         ("listening", "stdio", VERSION))

    def test_logs_as_text_when_told(self):
        ran = run("serve", "--log-format", "text", stdin=call(1, "ping"))
        self.assertEqual(ran.stderr.splitlines()[0],
                         f"squall {VERSION} listening on stdio "
                         "transport=stdio legacy=both resume=off threads=1")

    def test_refuses_calls_before_the_handshake_when_strict(self):
        early = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
        hello = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}}) + "\n"
        ping = '{"jsonrpc":"2.0","id":9,"method":"ping"}\n'
        stdin = early + ping + call(3, "ping") + hello + early
        for words, code in ((["--strict"], -32600), ([], None)):
            ran = run("serve", "--quiet", *words, stdin=stdin)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            answers = [json.loads(line) for line in ran.stdout.splitlines()]
            self.assertEqual([answer["id"] for answer in answers], [1, 9, 3, 2, 1])
            self.assertEqual(answers[0].get("error", {}).get("code"), code)
            for answer in answers[1:]:  # ping, a call of 2026-07-28, the handshake, and after it
                self.assertIn("result", answer)

    def test_finishes_what_is_under_way_but_not_what_hangs(self):
        ran = run("serve", "--quiet", stdin=call(1, "hang") + call(2, "delay", {"delayMs": 50}))
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        answers = [json.loads(line) for line in ran.stdout.splitlines()]
        delayed = [answer for answer in answers if answer["id"] == 2]
        self.assertEqual(delayed[0]["result"]["content"][0]["text"],
                         '{"status":"delayed","delayMs":50}')

    def test_verbose_tells_each_call(self):
        ran = run("serve", "-v", "--log-format", "text", stdin=call(1, "ping"))
        self.assertRegex(ran.stderr, r"\n\S+Z debug call tool=ping ms=\d+\.\d\d outcome=ok\n")


class Server:
    """`squall serve` with --ready-fd: `ready` is the line that it got."""

    def __init__(self, *words, stdin=subprocess.DEVNULL):
        ours, theirs = os.pipe()
        self.process = subprocess.Popen(
            [PROGRAM, "serve", *words, "--ready-fd", str(theirs)], pass_fds=[theirs], stdin=stdin,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.close(theirs)
        with os.fdopen(ours, encoding="ascii") as pipe:
            self.ready = pipe.read()  # to its end: the server closes it

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.stdout, self.stderr = self.process.communicate(timeout=SECONDS_MAX)
        return self.process.returncode


class ServeHttp(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.port_file = os.path.join(self.folder.name, "port")

    def test_tells_where_it_listens_and_serves_there(self):
        server = Server("--transport", "http", "--port", "0", "--port-file", self.port_file)
        with open(self.port_file, encoding="ascii") as file:
            port = file.read()
        self.assertRegex(port, r"^\d+\n$")
        url = f"http://127.0.0.1:{port.strip()}/mcp"
        self.assertEqual(server.ready, f"ready {url}\n")
        self.assertEqual(os.listdir(self.folder.name), ["port"])

        request = urllib.request.Request(url, call(1, "ping").encode(), {
            "Content-Type": "application/json", "Mcp-Method": "tools/call", "Mcp-Name": "ping",
            "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28"})
        with urllib.request.urlopen(request, timeout=SECONDS_MAX) as reply:
            self.assertIn('\\"status\\":\\"ok\\"', reply.read().decode())

        self.assertEqual(server.end(), 0)
        self.assertEqual(server.stdout, "")
        self.assertEqual(server.stderr.splitlines()[0],
                         f"squall {VERSION} listening on {url} "
                         "transport=http legacy=both resume=off threads=1")

    def test_ends_well_at_once_after_being_ready(self):
        for words in (["--transport", "http", "--port", "0", "--threads", "2"], []):
            ours, theirs = os.pipe()  # a stdin that stays open
            server = Server(*words, "--quiet", stdin=ours)
            os.close(ours)
            self.assertEqual(server.end(signal.SIGINT), 0, words)
            self.assertEqual((server.stdout, server.stderr), ("", ""))
            os.close(theirs)

    def test_fails_when_the_port_cannot_be_told(self):
        ran = run("serve", "--transport", "http", "--port", "0", "--port-file",
                  os.path.join(self.folder.name, "no", "port"))
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertRegex(ran.stderr,
                         r"(^|\n)squall: cannot write the port file '[^\n]*/no/port': [^\n]*\n$")

    def test_opens_every_interface_only_with_an_allow_list(self):
        ran = run("serve", "--transport", "http", "--port", "0", "--host", "0.0.0.0")
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertIn("--allow-host", ran.stderr)


class OtherServers(unittest.TestCase):
    """The commands that look at a server: ours, as a child and over HTTP."""

    def child(self, *words):
        return run(*words, "--", PROGRAM, "serve", "--quiet")

    def test_inspect_shows_what_there_is(self):
        for protocol in ("auto", "2025-11-25", "2026-07-28"):
            ran = self.child("inspect", "--protocol", protocol)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), protocol)
            self.assertIn(f"squall {VERSION}\n", ran.stdout)
            self.assertIn("delayMs  integer", ran.stdout)

    def test_inspect_gives_one_json_document(self):
        document = json.loads(self.child("inspect", "--json").stdout)
        self.assertIn("delay", [tool["name"] for tool in document["tools"]])
        self.assertEqual(document["serverInfo"]["version"], VERSION)

    def test_call_gives_a_result(self):
        ran = self.child("call", "delay", "delayMs=1")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn('"delayed"', ran.stdout)
        document = json.loads(self.child("call", "delay", "delayMs=1", "--json").stdout)
        self.assertEqual(document["outcome"], "success")
        self.assertIn('"delayMs":1', document["result"]["content"][0]["text"])

    def test_call_refuses_what_the_schema_refuses_before_it_is_sent(self):
        for words, why in (["delay", "delayMs=x"], "/delayMs"), (["delay"], "delayMs"), (
                ["dealy"], "did you mean 'delay'?"), (["delay", "delayms=1"], "'delayMs'?"):
            ran = self.child("call", *words, "--raw")
            self.assertEqual((ran.returncode, ran.stdout), (1, ""), words)
            self.assertIn(why, ran.stderr)
            self.assertNotIn("tools/call", ran.stderr)

    def test_call_times_out(self):
        ran = self.child("call", "delay", "delayMs=30000", "--timeout", "200ms", "--json")
        self.assertEqual(ran.returncode, 4, ran.stderr)
        self.assertEqual(json.loads(ran.stdout)["outcome"], "timeout")

    def test_call_over_http(self):
        server = Server("--transport", "http", "--port", "0", "--quiet")
        url = server.ready.split()[1]
        ran = run("call", url, "ping", "--header", "X-Key: hunter2", "--raw")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn('"ok"', ran.stdout)
        self.assertIn("tools/call", ran.stderr)
        self.assertNotIn("hunter2", ran.stderr)
        self.assertEqual(server.end(), 0)
        gone = run("call", url, "ping")
        self.assertEqual((gone.returncode, gone.stdout), (1, ""))

    def test_secrets_of_a_child_are_not_shown(self):
        script = "import os, sys; print(os.environ['KEY'], file=sys.stderr)"
        ran = run("inspect", "--env", "KEY=hunter2", "--", sys.executable, "-c", script)
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertIn("[redacted:KEY]", ran.stderr)
        self.assertNotIn("hunter2", ran.stderr)

    def test_entries_of_a_configuration(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "config.json")
            entry = {"command": "${PROGRAM}", "args": ["serve", "--quiet"]}
            with open(file, "w", encoding="ascii") as config:
                json.dump({"mcpServers": {"ours": entry}}, config)
            ran = run("call", "--config", file, "ours", "ping",
                      env={**os.environ, "PROGRAM": PROGRAM})
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            self.assertIn('did you mean "ours"?',
                          run("inspect", "--config", file, "our").stderr)


class Completion(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def script(self, shell):
        path = os.path.join(self.folder.name, "completion." + shell)
        with open(path, "w", encoding="ascii") as file:
            file.write(run("completion", shell).stdout)
        return path

    def complete(self, *words):
        """What bash would offer for the last of the words."""
        ran = subprocess.run(
            ["bash", "--norc", "-c", 'source "$1"; shift; COMP_WORDS=("$@"); '
             'COMP_CWORD=$(($# - 1)); _squall; printf "%s\\n" "${COMPREPLY[@]}"', "bash",
             self.script("bash"), "squall", *words],
            capture_output=True, text=True, timeout=SECONDS_MAX, check=True, cwd=self.folder.name)
        self.assertEqual(ran.stderr, "")
        return ran.stdout.split()

    def test_bash_completes(self):
        subprocess.run(["bash", "-n", self.script("bash")], check=True)
        self.assertEqual(self.complete("ser"), ["serve"])
        self.assertEqual(self.complete("serve", "--trans"), ["--transport"])
        self.assertEqual(self.complete("serve", "--transport", ""), ["stdio", "http"])
        self.assertEqual(self.complete("serve", "--port-file", "comp"), ["completion.bash"])
        self.assertEqual(self.complete("serve", "--transport", "="), ["stdio", "http"])
        self.assertEqual(self.complete("serve", "--transport", "=", "ht"), ["http"])
        self.assertEqual(self.complete("serve", "--host", ""), [])
        self.assertEqual(self.complete("completion", "z"), ["zsh"])
        self.assertEqual(self.complete("help", "de"), ["demo"])
        self.assertEqual(self.complete("demo", "--trans"), [])

    def test_other_shells_can_read_theirs(self):
        for shell in ("zsh", "fish"):
            script = self.script(shell)
            with open(script, encoding="ascii") as file:
                text = file.read()
            self.assertEqual(text.replace("\\'", "").count("'") % 2, 0, "quotes are in pairs")
            self.assertGreater(len(text.splitlines()), 20)
            if shutil.which(shell):  # what a container without the shell cannot tell, CI tells
                subprocess.run([shell, "-n", script], check=True)


if __name__ == "__main__":
    PROGRAM, VERSION = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
