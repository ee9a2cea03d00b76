"""Runs a program built from keys.cc and compares it with the Python implementation.

usage: compare_keys.py COMMAND...        e.g. compare_keys.py qemu-s390x-static build/.../keys
"""

import json
import os
import subprocess
import sys
import unittest
from fractions import Fraction

import keys
import squall_draw

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
COMMAND = []


def load(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return json.load(file)


class Agreement(unittest.TestCase):
    def test_both_implementations_agree_over_ten_thousand_keys(self):
        ran = subprocess.run(COMMAND, stdout=subprocess.PIPE, encoding="utf-8", check=True)
        ours = ran.stdout.splitlines()
        theirs = list(keys.lines(load("decision-tables.json")))
        self.assertEqual(len(theirs), keys.COUNT)
        self.assertEqual(len(ours), keys.COUNT)
        differing = [f"key {n}: {a} / {b}" for n, (a, b) in enumerate(zip(ours, theirs)) if a != b]
        self.assertEqual(differing[:5], [])

    def test_python_gives_the_golden_draws(self):
        for entry in load("decision-vectors.json")["draws"]:
            seed = int(entry["seed"], 16 if entry["seed"].startswith("0x") else 10)
            bits = squall_draw.draw(seed, entry["rule"], entry["site"], entry["purpose"],
                                    int(entry["lane"]))
            self.assertEqual(f"{bits:016x}", entry["draw"])

    def test_python_gives_the_golden_delays(self):
        delays = squall_draw.Delays(load("decision-tables.json"))
        for entry in load("decision-vectors.json")["distribution"]:
            bits = int(entry["draw"], 16)
            self.assertEqual(delays.exponential(bits, 800, 10_000),
                             entry["exponential(mean 800, max 10000)"])
            self.assertEqual(delays.pareto(bits, 50, Fraction(3, 2), 60_000),
                             entry["pareto(scale 50, alpha 1.5, max 60000)"])
            self.assertEqual(delays.lognormal(bits, 300, Fraction(3, 5), 8000),
                             entry["lognormal(median 300, sigma 0.6, max 8000)"])


if __name__ == "__main__":
    COMMAND = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
