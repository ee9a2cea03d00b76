"""The official conformance suite: which scenarios it lists, how it is run, what its checks said.

The suite itself forgives what a revision does not score. We don't: every scenario that it lists for
the revision must have run, checked something, and failed nothing, whether scored or not. The one
exception is EMPTY below. Needs tools/node-install.
"""

import collections
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))
from served import MODULES, NODE  # noqa: E402

SUITE = os.path.join(MODULES, "@modelcontextprotocol/conformance")

# The suite itself skips all that this scenario will check one day.
EMPTY = "tasks-status-notifications"

Outcome = collections.namedtuple("Outcome", "scenario counts told")


def scenarios_of(leg, revision):
    """The names that the suite's list has for `leg`: scored ones, then the others by reason."""
    path = os.path.join(SUITE, "requirements", revision + ".yaml")
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if not line.lstrip().startswith("#")]
    section = ""
    scenarios = {}
    unscored = {}
    for line in lines:
        if re.match(r"\w+:$", line):
            section = line[:-1]
        elif section == leg and line.startswith("  - "):
            scenarios[line[4:].strip()] = "scored"
        elif section == "not_scored":
            key, _, value = line.strip().removeprefix("- ").partition(": ")
            if key == "scenario":
                unscored = {}
            unscored[key] = value
            if unscored.get("leg") == leg and "reason" in unscored:
                scenarios[unscored["scenario"]] = unscored["reason"]
    if "scored" not in scenarios.values():
        sys.exit(f"{path} lists no scored {leg} scenario: has its form changed?")
    return scenarios


def run(leg, arguments, revision, results):
    """Runs every scenario of the revision; the suite's exit code. It prints to suite.log."""
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    command = [NODE, os.path.join(SUITE, "dist/index.js"), leg, *arguments,
               "--requirements", revision, "-o", results]
    with open(os.path.join(results, "suite.log"), "wb") as log:
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log,
                             stderr=subprocess.STDOUT, cwd=results, check=False)
    return ran.returncode


def read_outcome(leg, scenario, results):
    # "server-NAME-TIME" in the results for servers; for clients "NAME-TIME", where a name with a
    # slash stands in a folder.
    folder, name = os.path.split(scenario)
    folder = os.path.join(results, folder)
    prefix = "server-" if leg == "server" else ""
    pattern = re.compile(re.escape(prefix + name) + r"-\d{4}-\d\d-\d\dT.*")
    checks = []
    for found in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        path = os.path.join(folder, found, "checks.json")
        if pattern.fullmatch(found) and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                checks += json.load(file)
    counts = collections.Counter(check["status"] for check in checks)
    told = [f"{check['status']} {check['id']}: "
            f"{check.get('errorMessage') or check.get('description', '')}"
            for check in checks if check["status"] not in ("SUCCESS", "INFO")]
    return Outcome(scenario, counts, told)


def judge(outcome):
    if outcome.scenario == EMPTY and set(outcome.counts) == {"SKIPPED"}:
        return "empty"
    if outcome.counts["FAILURE"]:
        return "FAILED"
    return "ok" if outcome.counts["SUCCESS"] else "NOTHING CHECKED"


def report(leg, revision, exit_code, results):
    """Prints what became of each scenario; whether all is well."""
    scenarios = scenarios_of(leg, revision)
    outcomes = [read_outcome(leg, scenario, results) for scenario in sorted(scenarios)]
    print(f"{'scenario':48} {'kind':20} {'pass':>4} {'fail':>4} {'warn':>4} {'skip':>4}")
    bad = 0
    for outcome in outcomes:
        verdict = judge(outcome)
        bad += verdict not in ("ok", "empty")
        counts = outcome.counts
        print(f"{outcome.scenario:48} {scenarios[outcome.scenario]:20} {counts['SUCCESS']:4} "
              f"{counts['FAILURE']:4} {counts['WARNING']:4} {counts['SKIPPED']:4}  {verdict}")
        for line in outcome.told:
            print(f"    {line}")
    total = sum((outcome.counts for outcome in outcomes), collections.Counter())
    print(f"\n{revision}: {len(outcomes)} scenarios, {bad} not passed; checks: "
          f"{total['SUCCESS']} passed, {total['FAILURE']} failed, {total['WARNING']} warnings")
    if exit_code != 0:
        print(f"the suite ended with {exit_code}; its output is in {results}/suite.log")
    return bad == 0 and exit_code == 0
