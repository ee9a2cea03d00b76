"""Large answers through a pipe, from the program `everything`.

    field_cases_test.py EVERYTHING
"""

import json
import subprocess
import sys
import time
import unittest

PROGRAM = ""
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}
SECONDS_MAX = 60


def echo(number, text):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
        "name": "echo", "arguments": {"text": text}, "_meta": META}},
        ensure_ascii=False).encode() + b"\n"


class LargeAnswers(unittest.TestCase):
    def answers(self, *lines, pause=0.0):
        """All answers when stdin ends behind the lines and the reader begins late."""
        with subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
            server.stdin.write(b"".join(lines))
            server.stdin.close()
            time.sleep(pause)
            text = server.stdout.read()
            self.assertEqual(server.wait(SECONDS_MAX), 0)
        return {answer["id"]: answer for answer in map(json.loads, text.split(b"\n")[:-1])}

    def test_what_a_pipe_cannot_hold_is_written_before_the_exit(self):  # C1
        for size in (65_536, 65_747, 200_141):
            text = "x" * size
            answer = self.answers(echo(1, text), pause=0.5)[1]
            self.assertEqual(answer["result"]["content"][0]["text"], text)

    def test_a_large_result_is_answered_and_the_session_lives(self):  # C6
        text = "y" * (12 << 20)
        answers = self.answers(echo(1, text), echo(2, "after"))
        self.assertEqual(answers[1]["result"]["content"][0]["text"], text)
        self.assertEqual(answers[2]["result"]["content"][0]["text"], "after")

    def test_separators_of_other_alphabets_are_text(self):  # B4
        text = "a\u2028b\u2029c\u0085d\u000b\u000c\u001c\u001d\u001e\u0000"
        line = echo(1, "@").replace(b"@", json.dumps(text).encode()[1:-1])
        self.assertEqual(self.answers(line)[1]["result"]["content"][0]["text"], text)
        raw = "a\u2028b\u2029c\u0085d"
        self.assertEqual(self.answers(echo(1, raw))[1]["result"]["content"][0]["text"], raw)

    def test_any_number_of_answers_behind_the_end_of_input(self):  # E5
        lines = [echo(number, f"text {number}") for number in range(2000)]
        answers = self.answers(*lines)
        self.assertEqual(len(answers), 2000)
        for number, answer in answers.items():
            self.assertEqual(answer["result"]["content"][0]["text"], f"text {number}")


if __name__ == "__main__":
    PROGRAM = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
