"""Runs every probe of a folder against a server of ours, over one transport in one era.

    run.py PROBES stdio|http 2025|2026 COMMAND...

A probe is a script that drives one server as a black box and ends with 0 (right), 1 (wrong) or 2
(does not apply). All must be right or not apply, and some must be right.
"""

import glob
import os
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from served import Served  # noqa: E402

PROBE_SECONDS_MAX = 170
VERDICTS = {0: "ok", 1: "FAIL", 2: "n/a"}


def run_probe(path, where, era):
    try:
        ran = subprocess.run([sys.executable, path, *where, "--era", era], capture_output=True,
                             text=True, timeout=PROBE_SECONDS_MAX, check=False)
    except subprocess.TimeoutExpired:
        return 1, "the probe did not end"
    lines = (ran.stdout.strip() or ran.stderr.strip()[-300:]).splitlines()
    said = lines[-1] if lines else ""
    # A probe excuses a server that it cannot drive at all. Ours has no excuse.
    excused = ran.returncode == 2 and "does not answer" not in said
    return ran.returncode if ran.returncode == 0 or excused else 1, said


def run_all(probes, where, era):
    scripts = [path for path in sorted(glob.glob(os.path.join(probes, "*.py")))
               if os.path.basename(path)[0] != "_" and os.path.basename(path) != "run_all.py"]
    counts = {0: 0, 1: 0, 2: 0}
    for path in scripts:
        result, said = run_probe(path, where, era)
        counts[result] += 1
        print(f"{os.path.basename(path)[:-3]:32} {VERDICTS[result]:4}  {said}", flush=True)
    print(f"{counts[0]} ok, {counts[1]} failed, {counts[2]} do not apply")
    return counts[0] > 0 and counts[1] == 0


def main():
    if len(sys.argv) < 5 or sys.argv[2] not in ("stdio", "http"):
        sys.exit(__doc__)
    probes, transport, era, *command = sys.argv[1:]
    if transport == "stdio":
        line = shlex.join([*command, "--transport", "stdio"])
        return 0 if run_all(probes, ["--cmd", line], era) else 1
    with Served(*command) as server:
        good = run_all(probes, ["--url", server.url], era) and server.is_running()
    return 0 if good and server.ended_well() else 1


if __name__ == "__main__":
    sys.exit(main())
