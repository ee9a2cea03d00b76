"""double_write_test.py SQUALL ORDERS: docs/guides/find-a-double-write.md, done as it says."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GUIDE = os.path.join(ROOT, "docs/guides/find-a-double-write.md")
SECONDS_MAX = 100
PROGRAMS = []


def blocks(kind):
    with open(GUIDE, encoding="utf-8") as file:
        return re.findall(r"```" + kind + r"\n(.*?)```", file.read(), re.S)


def commands():
    """Each command of the guide, with the exit code that it is to end with."""
    for block in blocks("sh"):
        for line in block.splitlines():
            command, _, code = line.partition("  # exit ")
            yield command, int(code or 0)


class DoubleWrite(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(os.path.join(self.folder, "bin"))
        for program in PROGRAMS:
            os.symlink(program, os.path.join(self.folder, "bin", os.path.basename(program)))
        for block in blocks("yaml"):
            name = re.match(r"# (\S+\.yaml)\n", block)
            if name:
                self.write(name.group(1), block)
        self.output = {}

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_line(self, line, code):
        path = os.path.join(self.folder, "bin") + ":" + os.environ["PATH"]
        ran = subprocess.run(["/bin/sh", "-c", line], cwd=self.folder, capture_output=True,
                             text=True, timeout=SECONDS_MAX, check=False, env={"PATH": path})
        self.assertEqual(ran.returncode, code, line + "\n" + ran.stdout + ran.stderr)
        return ran.stdout

    def test_the_guide_from_its_beginning_to_its_end(self):
        said = {line: self.run_line(line, code) for line, code in commands()}
        self.assertGreater(len(said), 7)

        def of(word):
            return next(text for line, text in said.items() if line.startswith("squall " + word))

        # The sweep groups the double writes, and its seeds are the guide's.
        shown = re.search(r"failed    (\d+) runs: step 2, observe list_orders: result /orders\n"
                          r" +seeds   ([\d, ]+)\n", of("run naive.yaml --seeds"))
        self.assertIsNotNone(shown, of("run naive.yaml --seeds"))
        with open(GUIDE, encoding="utf-8") as file:
            guide = file.read()
        self.assertIn(f"failed    {shown.group(1)} runs: step 2, observe list_orders", guide)
        self.assertIn(f"seeds   {shown.group(2)}\n", guide)
        seed = re.search(r"--seed (\d+)", guide).group(1)
        self.assertIn(seed, shown.group(2).split(", "))

        self.assertIn("lost-answer", of("explain"))
        self.assertIn("sealed: ", of("replay"))
        self.assertIn(": the same\n", of("replay"))
        with open(os.path.join(self.folder, "double-write.yaml"), encoding="utf-8") as file:
            schedule = file.read()
        strikes = [line for line in schedule.splitlines() if line.startswith("  - ")]
        self.assertEqual(len(strikes), 1, schedule)
        self.assertIn(strikes[0], guide)

    def test_a_strike_that_misses_its_call_is_not_green(self):
        self.write("double-write.yaml",
                   "squall: 1\nschedule: s\nseed: \"1\"\nstrikes:\n"
                   "  - {site: '[\"call\",\"create_order\",9]', rule: lost-answer, fault: lost}\n")
        self.run_line("squall run once.yaml", 3)


if __name__ == "__main__":
    PROGRAMS = [os.path.abspath(path) for path in sys.argv[1:]]
    unittest.main(argv=sys.argv[:1], verbosity=2)
