"""Runs every scenario that a guide shows: a whole one, in JSON or YAML, must pass.

    scenarios.py PROGRAM GUIDE...
"""

import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"```(json|yaml)\n(.*?)```", re.S)
SECONDS_MAX = 60


def is_scenario(kind, text):
    return '"call"' in text if kind == "json" else text.startswith("squall: 1\n") and \
        "\nsteps:" in text


def write_profiles(blocks, folder):
    """The profiles that the guide's scenarios name, under their names."""
    for kind, text in blocks:
        name = re.search(r"^name: (\S+)$", text, re.M)
        if kind == "yaml" and "\nrules:" in text and name:
            with open(os.path.join(folder, name[1] + ".yaml"), "w", encoding="utf-8") as file:
                file.write(text)


def main():
    program, guides = os.path.abspath(sys.argv[1]), sys.argv[2:]
    shown = 0
    with tempfile.TemporaryDirectory() as folder:
        for guide in guides:
            with open(guide, encoding="utf-8") as file:
                blocks = BLOCK.findall(file.read())
            write_profiles(blocks, folder)
            for kind, text in blocks:
                if not is_scenario(kind, text):
                    continue
                shown += 1
                path = os.path.join(folder, f"{shown}.{kind}")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                ran = subprocess.run([program, "run", path], cwd=folder, capture_output=True,
                                     text=True, timeout=SECONDS_MAX, check=False)
                if ran.returncode != 0:
                    sys.exit(f"{guide}: a scenario ends with {ran.returncode}:\n{text}\n"
                             f"{ran.stdout}{ran.stderr}")
    if shown == 0:
        sys.exit("no guide shows a scenario, which cannot be")
    print(f"{shown} scenarios pass")


if __name__ == "__main__":
    main()
