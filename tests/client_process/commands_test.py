"""`squall listen` and `call` as a script and a person at a terminal use them.

    commands_test.py SQUALL EVERYTHING
"""

import json
import os
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import terminal  # noqa: E402
from served import Served  # noqa: E402
from terminal import Listening, Terminal, run  # noqa: E402

WATCHED = "test://watched-resource"
ERAS = ("2025-11-25", "2026-07-28")


def http():
    """examples/everything over HTTP."""
    return Served(terminal.EVERYTHING)


class Listen(unittest.TestCase):
    def test_prints_changes_as_they_come_and_ends_well_when_interrupted(self):
        for era in ERAS:
            with http() as server, Listening("listen", "--protocol", era, server.url,
                                             WATCHED) as ear:
                ear.err.until("listening to changes of tools, prompts, resources, " + WATCHED)
                for tool, line in (("test_trigger_tool_change", "tools changed\n"),
                                   ("test_trigger_prompt_change", "prompts changed\n"),
                                   ("test_trigger_resource_update",
                                    f"resource changed: {WATCHED}\n")):
                    self.assertEqual(run("call", server.url, tool).returncode, 0)
                    ear.out.until(line)
                self.assertEqual(ear.end(), 0, era)

    def test_prints_json_a_line_each(self):
        with http() as server, Listening("listen", "--json", server.url, WATCHED) as ear:
            first = json.loads(ear.out.until("\n"))
            self.assertEqual(first["event"], "listening")
            self.assertEqual(first["watches"]["uris"], [WATCHED])
            run("call", server.url, "test_trigger_resource_update")
            second = json.loads(ear.out.until("\n"))
            self.assertEqual((second["event"], second["method"], second["params"]["uri"]),
                             ("notification", "notifications/resources/updated", WATCHED))
            self.assertEqual(ear.end(signal.SIGTERM), 0)

    def test_says_how_a_server_ended(self):
        script = ("import os, signal, sys; sys.stdin.readline(); "
                  "print('out of paper', file=sys.stderr); os.kill(os.getpid(), signal.SIGTERM)")
        ran = run("listen", "--json", "--", "python3", "-c", script)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("out of paper", ran.stderr)
        self.assertIn("SIGTERM", ran.stderr)
        self.assertEqual(json.loads(ran.stdout)["event"], "ended")


class TargetFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, text):
        path = os.path.join(self.folder.name, "target.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_name_commands_and_urls(self):
        path = self.file(f"squall: 1\ntarget: {{ transport: stdio, command: {terminal.EVERYTHING} "
                         "}\nprotocol: 2025-11-25\n")
        ran = run("inspect", path, "--json")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(json.loads(ran.stdout)["protocolVersion"], "2025-11-25")
        with http() as server:
            path = self.file(f"squall: 1\ntarget: {{ transport: http, url: '{server.url}' }}\n")
            ran = run("call", path, "echo", "text=hi")
            self.assertEqual((ran.returncode, ran.stdout), (0, "hi\n"), ran.stderr)

    def test_are_refused_with_the_place_and_without_a_secret(self):
        path = self.file("squall: 1\n"
                         "target: { transport: stdio, comand: x, env: { K: hunter2 } }\n")
        ran = run("inspect", path)
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertIn("target.yaml:2:", ran.stderr)
        self.assertIn("command", ran.stderr)
        self.assertNotIn("hunter2", ran.stderr)

    def test_need_not_exist_to_be_told_apart_from_urls(self):
        ran = run("inspect", "localhost:3000/mcp")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("no URL, and as a target file: cannot read 'localhost:3000/mcp'", ran.stderr)


class Questions(unittest.TestCase):
    WORDS = ("call", "test_elicitation_sep1034_defaults")

    def test_are_asked_field_by_field(self):
        for era in ERAS:
            with Terminal(*self.WORDS, "--protocol", era, "--", terminal.EVERYTHING) as person:
                person.screen.until("(a)ccept, (d)ecline or (c)ancel? ")
                person.type("a\n")
                for name, answers in (("name", ["Ann"]), ("age", ["old", "41"]), ("score", [""]),
                                      ("status", ["3"]), ("verified", ["n"])):
                    for answer in answers:
                        person.screen.until(f"  {name}> ")
                        person.type(answer + "\n")
                shown, code = person.wait()
                self.assertEqual(code, 0, shown)
                for part in ("Ann", "41", "95.5", "pending", "false"):
                    self.assertIn(part, shown, era)

    def test_can_be_declined_and_cancelled(self):
        for key, said in (("d", "decline"), ("c", "cancel"), ("\x04", "cancel")):
            with Terminal(*self.WORDS, "--", terminal.EVERYTHING) as person:
                person.screen.until("(c)ancel? ")
                person.type(key if key == "\x04" else key + "\n")
                shown, code = person.wait()
                self.assertEqual(code, 0, shown)
                self.assertIn(said, shown)

    def test_are_declined_with_a_word_where_nobody_is(self):
        ran = run(*self.WORDS, "--", terminal.EVERYTHING)
        self.assertEqual(ran.returncode, 0)
        self.assertIn("decline", ran.stdout)
        self.assertIn("squall: declined what the server asks, for there is no terminal", ran.stderr)

    def test_end_with_an_interrupt(self):
        with Terminal(*self.WORDS, "--", terminal.EVERYTHING) as person:
            person.screen.until("(c)ancel? ")
            person.type("\x03")
            shown, code = person.wait()
            self.assertEqual(code, 3, shown)
            self.assertIn("squall: interrupted", shown)


class Progress(unittest.TestCase):
    def test_is_a_bar_on_a_terminal(self):
        with Terminal("call", "test_tool_with_progress", "--", terminal.EVERYTHING) as person:
            shown, code = person.wait()
        self.assertEqual(code, 0, shown)
        self.assertIn("\r[##########----------]  50%  50 of 100", shown)
        # The last bar is wiped away before the result.
        self.assertRegex(shown, r"100%  100 of 100[^\n]*\x1b\[K\r\x1b\[K[^\r\x1b\n]+\r\n$")

    def test_is_lines_in_a_pipe_when_asked_for(self):
        words = ("call", "test_tool_with_progress")
        quiet = run(*words, "--", terminal.EVERYTHING)
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))
        ran = run(*words, "-v", "--", terminal.EVERYTHING)
        self.assertIn("[##########----------]  50%  50 of 100  Half way\n", ran.stderr)
        self.assertNotIn("\x1b", ran.stderr)
        self.assertEqual(ran.stdout, quiet.stdout)


class Interrupts(unittest.TestCase):
    def test_withdraw_the_call_and_leave_no_child(self):
        with Listening("call", "slow_compute", "seconds=60", "--raw", "--json", "--protocol",
                       "2025-11-25", "--", terminal.EVERYTHING) as caller:
            caller.err.until("tools/call")
            children = self.children(caller.process.pid)
            self.assertEqual(len(children), 1)
            self.assertEqual(caller.end(), 3)
            self.assertIn("notifications/cancelled", caller.err.rest())
            document = json.loads(caller.out.rest())
            self.assertEqual(document["outcome"], "cancelled")
            self.assertFalse(os.path.exists(f"/proc/{children[0]}"))

    @staticmethod
    def children(pid):
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return file.read().split()


if __name__ == "__main__":
    terminal.main()
