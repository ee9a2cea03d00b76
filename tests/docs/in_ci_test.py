"""in_ci_test.py SQUALL: the commands that docs/guides/in-ci.md gives, as they stand there."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GUIDE = os.path.join(ROOT, "docs/guides/in-ci.md")
# Those that are right, and quick, on real time too.
SCENARIOS = ["full/many-at-once.yaml", "failure-lab/delay-success.json",
             "failure-lab/delay-observe-ping.json"]
SECONDS_MAX = 60
PROGRAM = ""


def guide():
    with open(GUIDE, encoding="utf-8") as file:
        return file.read()


def commands():
    """Each `squall run` of the guide that makes reports, as words."""
    text = re.sub(r"\\\n|\n +(?=--)", " ", guide())
    found = re.findall(r"squall run [^\n`']*", text)
    return [shlex.split(line) for line in found if "--report junit" in line]


class InCi(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(os.path.join(self.folder, "scenarios"))
        for name in SCENARIOS:
            self.add_scenario(name)
        self.write_target()

    def add_scenario(self, name):
        shutil.copy(os.path.join(ROOT, "scenarios", name), os.path.join(self.folder, "scenarios"))

    def write_target(self):
        """The guide's own target, with our server as the program."""
        target = json.loads(re.search(r"```json\n(.*?)```", guide(), re.S).group(1))
        target["target"].update(command=PROGRAM, args=["serve"])
        os.mkdir(os.path.join(self.folder, "targets"))
        with open(os.path.join(self.folder, "targets/mine.json"), "w", encoding="ascii") as file:
            json.dump(target, file)

    def run_words(self, words, **variables):
        return subprocess.run([PROGRAM, *words[1:]], cwd=self.folder, capture_output=True,
                              text=True, timeout=SECONDS_MAX, check=False,
                              env={"PATH": os.environ["PATH"], "CI_API_TOKEN": "sesame-seed",
                                   **variables})

    def test_every_command_runs_and_writes_its_reports(self):
        self.assertGreaterEqual(len(commands()), 4)
        for words in commands():
            ran = self.run_words(words)
            self.assertEqual(ran.returncode, 0, (words, ran.stdout, ran.stderr))
            suites = xml.etree.ElementTree.parse(os.path.join(self.folder, "junit.xml")).getroot()
            self.assertEqual((suites.tag, suites.get("failures")), ("testsuites", "0"))
            with open(os.path.join(self.folder, "squall-report.html"), encoding="utf-8") as file:
                self.assertTrue(file.read().startswith("<!doctype html>"))
            self.assertTrue(os.listdir(os.path.join(self.folder, "squall-cases")))
            for name in ("junit.xml", "squall-report.html"):
                os.remove(os.path.join(self.folder, name))

    def test_a_failure_fails_the_pipeline_and_names_its_file(self):
        self.add_scenario("negative/wrong-text.json")
        ran = self.run_words(commands()[0], GITHUB_ACTIONS="true")
        self.assertEqual(ran.returncode, 2, ran.stderr)
        self.assertRegex(ran.stderr, r"(?m)^::error .*file=scenarios/wrong-text.json")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
