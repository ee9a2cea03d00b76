"""scenarios_test.py SQUALL: every kind of fault has its scenario, which shows that it strikes."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "scenarios/faults")
SECONDS_MAX = 100
PROGRAM = ""


def squall(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=SECONDS_MAX,
                          check=False)


def kinds():
    return {kind["kind"] for kind in json.loads(squall("faults", "--json").stdout)["kinds"]}


def files(folder):
    return {name[:-5]: os.path.join(folder, name) for name in os.listdir(folder)
            if name.endswith(".yaml")}


def run(*words):
    with tempfile.TemporaryDirectory() as cases:
        ran = squall("run", *words, "--record", cases, "--report", "json")
    document = json.loads(ran.stdout)
    found = {}
    for scenario in document["scenarios"]:
        kind = os.path.basename(scenario["file"])[:-5]
        why = [scenario["why"]]
        for part in [scenario, *scenario["steps"]]:
            why += [f"{one['name']}: expected {one['expected']}, received {one['received']}"
                    for one in part["expectations"] if not one["held"]]
        found[kind] = (scenario["verdict"], "; ".join(text for text in why if text))
    return found


class Scenarios(unittest.TestCase):
    def check(self, found, expected):
        self.assertEqual(set(found), set(expected))
        wrong = {kind: result for kind, result in found.items() if result[0] != "passed"}
        self.assertEqual(wrong, {})

    def test_every_kind_has_one_that_demands_it(self):
        here = {**files(FOLDER), **files(os.path.join(FOLDER, "http"))}
        self.assertEqual(set(here), kinds())
        for kind, path in here.items():
            with open(path, encoding="utf-8") as file:
                text = file.read()
            self.assertIn(f"fault: {kind}", text, path)
            self.assertIn("fired: [ " + kind + " ]", text, path)

    def test_in_process(self):
        expected = files(FOLDER)
        self.check(run(*expected.values(), "--jobs", "2"), expected)

    def test_of_sessions_over_http(self):
        """What only sessions over HTTP have, against a server of its own."""
        expected = files(os.path.join(FOLDER, "http"))
        with tempfile.TemporaryDirectory() as folder:
            told, told_to = os.pipe()
            server = subprocess.Popen(
                [PROGRAM, "serve", "--transport", "http", "--port", "0", "--resume",
                 "--tools", "fault,examples", "--ready-fd",
                 str(told_to)], pass_fds=[told_to], stderr=subprocess.DEVNULL)
            os.close(told_to)
            try:
                with os.fdopen(told, encoding="ascii") as ready:
                    url = ready.readline().split()[1]
                target = os.path.join(folder, "target.json")
                with open(target, "w", encoding="ascii") as file:
                    json.dump({"squall": 1, "target": {"transport": "http", "url": url}}, file)
                self.check(run(*expected.values(), "--target", target), expected)
            finally:
                server.terminate()
                server.wait(SECONDS_MAX)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1], verbosity=2)
