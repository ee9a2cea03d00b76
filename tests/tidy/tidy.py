"""Holds the tree to the rules of CONTRIBUTING.md that a program can check.

    python3 tests/tidy/tidy.py ROOT

Prints one line per violation, as a compiler would, and ends with 1 when there is any. Reads
what git tracks or would track; outside a git tree, everything but build/.
"""

import os
import re
import subprocess
import sys

LINE_MAX = 100
FILE_LINES_MAX = 800
README_LINES_MAX = 150
LIBRARY_README_LINES = range(5, 26)

CODE = (".h", ".cc")
SCRIPTS = (".py", ".sh", ".mjs", ".js", ".cmake")
# Written by tools, or by others: neither width nor wording is ours.
FOREIGN = ("package-lock.json", "tests/data/", "fuzz/corpus/")

# What may touch time, chance, environment and threads: everything else takes them as arguments.
WORLD = ("src/base/", "src/runtime/")

THROW = r"\bthrow\b"
PRINT = r"\bstd::cout\b|\bstd::printf\b|(?<![\w:])printf\s*\("
# A test plays the foreign code that throws, and may say what it counted.
TESTS_MAY = (THROW, PRINT)

# (what it looks like in code, why it is banned, where it is banned, where it is allowed)
BANS = [
    (r"::now\s*\(", "time enters through runtime", ("src/",), WORLD),
    (r"\brandom_device\b", "chance enters through base", ("src/", "apps/"), WORLD),
    (r"\bstd::\w+_distribution\b", "differs between standard libraries", ("src/", "apps/"), ()),
    (r"\bsleep_for\b|\bsleep_until\b|\busleep\s*\(|\bnanosleep\s*\(", "waits go through the loop",
     ("src/", "apps/"), WORLD),
    (r"\bsecure_getenv\b|\bgetenv\b", "the environment is read in runtime", ("src/",),
     WORLD + ("src/server/golden_test.cc",)),
    (r"\bs?rand\s*\(", "chance enters through base", ("src/", "apps/", "examples/"), ()),
    (PRINT, "stdout belongs to the program", ("src/",), ("src/cli/",)),
    (THROW, "errors are Result<T>; we throw nothing", ("src/", "apps/"), ()),
    (r"\bstd::regex\b", "crashes on long input; use PCRE2 with limits", ("src/", "apps/"), ()),
    (r"\busing namespace std;", "names are written out", ("src/", "apps/", "examples/"), ()),
]

# Wording that no file of ours may hold. Written so that this file does not match itself.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")
CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.M)
MACHINE_PATH = re.compile(r"(?<![\w.])/(wo" r"rk|home/\w+|Us" r"ers/\w+)/")
REGISTRY = re.compile(
    r"registry\.np" r"mjs|deb\.deb" r"ian\.org|packages\.deb" r"ian\.org|artifact" r"ory|pkg\.dev/")


def tracked_files(root):
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
    else:
        names = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, files in os.walk(root) for name in files]
        names = [name for name in names if not name.startswith("build/")]
    return sorted(name for name in names if os.path.isfile(os.path.join(root, name)))


def without_comments_and_strings(text):
    """The C++ text with comments and literals blanked out, lines kept."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"([^()\\ ]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'
        r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'", re.S)
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def check_code(name, text):
    code = without_comments_and_strings(text)
    for pattern, why, banned, allowed in BANS:
        if not name.startswith(banned) or name.startswith(allowed or ("\0",)):
            continue
        if pattern in TESTS_MAY and name.endswith("_test.cc"):
            continue
        for found in re.finditer(pattern, code):
            line = code.count("\n", 0, found.start()) + 1
            yield line, f"'{found.group().strip()}' is banned here: {why}"
    if name.endswith(".h") and "#pragma once" not in text:
        yield 1, "a header begins with #pragma once"


def check_text(name, text):
    lines = text.split("\n")
    limited = name.endswith(CODE + SCRIPTS) or name.startswith(("tools/", ".ci/"))
    if limited:
        for number, line in enumerate(lines, 1):
            if len(line) > LINE_MAX:
                yield number, f"{len(line)} columns, {LINE_MAX} at most"
        if len(lines) > FILE_LINES_MAX:
            yield FILE_LINES_MAX, f"{len(lines)} lines, {FILE_LINES_MAX} at most; split by concept"
    for pattern, why in ((UNFINISHED, "unfinished work belongs in an issue"),
                         (CONFLICT, "a merge that nobody finished"),
                         (MACHINE_PATH, "a path of somebody's machine"),
                         (REGISTRY, "the host of a package registry")):
        for found in pattern.finditer(text):
            yield text.count("\n", 0, found.start()) + 1, f"'{found.group()}': {why}"
    if text and not text.endswith("\n"):
        yield len(lines), "no newline at the end"


def read_untested(root):
    """tests/tidy/untested.txt: 'src/x/y.cc  why nothing beside it tests it'."""
    path = os.path.join(root, "tests/tidy/untested.txt")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        rows = [line.split(None, 1) for line in file if line.strip() and line[0] != "#"]
    return {row[0]: row[1].strip() if len(row) > 1 else "" for row in rows}


def check_tests_exist(names, untested):
    """What a library shows, it tests; how it is cut inside is its own affair."""
    known = set(names)
    for library in sorted(libraries_of(names)):
        folder = f"src/{library}/"
        inside = [name for name in names if name.startswith(folder) and name.endswith(".cc")]
        if inside and not any(name.endswith("_test.cc") for name in inside):
            yield folder, 1, "a library without any test"
        for name in inside:
            stem = name[len(folder):-3]
            shown = f"{folder}include/squall/{library}/{stem}.h" in known
            has_test = f"{folder}{stem}_test.cc" in known
            if shown and not has_test and name not in untested:
                yield name, 1, f"no {stem}_test.cc beside it, no reason in tests/tidy/untested.txt"
            elif name in untested and (has_test or not shown):
                yield name, 1, "stands in tests/tidy/untested.txt for nothing"
    for name, reason in untested.items():
        if name not in known:
            yield "tests/tidy/untested.txt", 1, f"{name} is gone"
        elif not reason:
            yield "tests/tidy/untested.txt", 1, f"{name} has no reason"


def libraries_of(names):
    return {name.split("/")[1] for name in names
            if name.startswith("src/") and name.count("/") > 1}


def check_readmes(root, names):
    for library in sorted(libraries_of(names)):
        readme = f"src/{library}/README.md"
        if readme not in names:
            yield readme, 1, "every library has a README"
            continue
        lines = count_lines(root, readme)
        if lines not in LIBRARY_README_LINES:
            yield readme, lines, f"{lines} lines; 10 to 20 tell what belongs here, what does not"
    if "README.md" in names and count_lines(root, "README.md") > README_LINES_MAX:
        yield "README.md", README_LINES_MAX, f"more than {README_LINES_MAX} lines"


def count_lines(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return sum(1 for _ in file)


def violations(root):
    names = tracked_files(root)
    for name in names:
        if any(part in name for part in FOREIGN):
            continue
        with open(os.path.join(root, name), "rb") as file:
            content = file.read()
        if b"\0" in content:
            continue
        text = content.decode("utf-8", "replace")
        for line, message in check_text(name, text):
            yield name, line, message
        if name.endswith(CODE):
            for line, message in check_code(name, text):
                yield name, line, message
    yield from check_tests_exist(names, read_untested(root))
    yield from check_readmes(root, names)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    count = 0
    for name, line, message in violations(root):
        print(f"{name}:{line}: {message}")
        count += 1
    print(f"tidy: {count} violations" if count else "tidy: the tree keeps its rules")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
