"""Checks that the C++ quoted in documents stands in the compiled file it names.

A document quotes with a comment line `<!-- quoted from FILE -->` before the code block. Every C++
block must have one, so that no example goes stale. With `--self-test` it checks itself.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BLOCK = re.compile(r"(?:<!-- quoted from (?P<source>\S+) -->\n)?```cpp\n(?P<code>.*?)```", re.S)


def faults(text, read):
    """What is wrong with the quotes in `text`; `read` gives the content of a file or None."""
    found = []
    for block in BLOCK.finditer(text):
        source, code = block["source"], block["code"]
        line = text.count("\n", 0, block.start("code"))
        if source is None:
            found.append(f"line {line}: a C++ block that names no file")
        elif read(source) is None:
            found.append(f"line {line}: {source} does not exist")
        elif code not in read(source):
            found.append(f"line {line}: not what stands in {source}")
    return found


def read_file(path):
    full = os.path.join(ROOT, path)
    if not os.path.isfile(full):
        return None
    with open(full, encoding="utf-8") as file:
        return file.read()


def self_test():
    def read(path):
        return "int a;\nint b;\n" if path == "x.cc" else None

    quote = "<!-- quoted from {} -->\n```cpp\n{}```\n"
    assert not faults(quote.format("x.cc", "int b;\n"), read)
    assert faults(quote.format("x.cc", "int c;\n"), read)
    assert faults(quote.format("y.cc", "int b;\n"), read)
    assert faults("```cpp\nint b;\n```\n", read)


def main():
    if "--self-test" in sys.argv:
        return self_test()
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout.split()
    quotes = 0
    bad = 0
    for path in listed:
        text = read_file(path)
        quotes += len(BLOCK.findall(text))
        for fault in faults(text, read_file):
            bad += 1
            print(f"{path}: {fault}")
    print(f"{quotes} quotes in {len(listed)} documents, {bad} of them wrong")
    return 1 if bad or not quotes else 0


if __name__ == "__main__":
    sys.exit(main())
