"""Runs the official conformance suite against `everything` and judges every check of it.

    run.py PROGRAM REVISION RESULTS_DIRECTORY

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
from served import MODULES, NODE, Served  # noqa: E402

SUITE = os.path.join(MODULES, "@modelcontextprotocol/conformance")

# The suite itself skips all that this scenario will check one day.
EMPTY = "tasks-status-notifications"

Outcome = collections.namedtuple("Outcome", "scenario counts told")


def server_scenarios(revision):
    """The names that the suite's list has for servers: scored ones, then the others by reason."""
    path = os.path.join(SUITE, "requirements", revision + ".yaml")
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if not line.lstrip().startswith("#")]
    section = ""
    scenarios = {}
    unscored = {}
    for line in lines:
        if re.match(r"\w+:$", line):
            section = line[:-1]
        elif section == "server" and line.startswith("  - "):
            scenarios[line[4:].strip()] = "scored"
        elif section == "not_scored":
            key, _, value = line.strip().removeprefix("- ").partition(": ")
            if key == "scenario":
                unscored = {}
            unscored[key] = value
            if unscored.get("leg") == "server" and "reason" in unscored:
                scenarios[unscored["scenario"]] = unscored["reason"]
    if "scored" not in scenarios.values():
        sys.exit(f"{path} lists no scored server scenario: has its form changed?")
    return scenarios


def read_outcome(scenario, results):
    folders = [name for name in os.listdir(results)
               if re.fullmatch(r"server-" + re.escape(scenario) + r"-\d{4}-\d\d-\d\dT.*", name)]
    checks = []
    for folder in folders:
        path = os.path.join(results, folder, "checks.json")
        if os.path.exists(path):
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


def run_suite(url, revision, results):
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    command = [NODE, os.path.join(SUITE, "dist/index.js"), "server", "--url", url,
               "--requirements", revision, "-o", results]
    with open(os.path.join(results, "suite.log"), "wb") as log:
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log,
                             stderr=subprocess.STDOUT, cwd=results, check=False)
    return ran.returncode


def report(scenarios, outcomes):
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
    return bad


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, revision, results = sys.argv[1:]
    results = os.path.abspath(results)
    with Served(program) as server:
        suite = run_suite(server.url, revision, results)
        alive = server.is_running()
    scenarios = server_scenarios(revision)
    outcomes = [read_outcome(scenario, results) for scenario in sorted(scenarios)]
    bad = report(scenarios, outcomes)
    total = sum((outcome.counts for outcome in outcomes), collections.Counter())
    print(f"\n{revision}: {len(outcomes)} scenarios, {bad} not passed; checks: "
          f"{total['SUCCESS']} passed, {total['FAILURE']} failed, {total['WARNING']} warnings")
    if not alive:
        print("the server was gone at the end")
    if suite != 0:
        print(f"the suite ended with {suite}; its output is in {results}/suite.log")
    return 0 if bad == 0 and alive and suite == 0 and server.ended_well() else 1


if __name__ == "__main__":
    sys.exit(main())
