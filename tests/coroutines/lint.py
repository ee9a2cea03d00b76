"""Finds the temporaries that g++ 12 destroys twice when they stand in one expression with co_await.

    lint.py BUILD_DIRECTORY    every coroutine of the tree, as a clang build compiles it
    lint.py --self-test        sample.cc: exactly the lines marked `bad` must be flagged

docs/decisions/0001-dependencies.md tells the defect; the cure is to name the object first.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CLANG_QUERY = "clang-query-19"

# A full expression that awaits, itself and not in the body of a lambda within it, and that holds
# one of these temporaries, anywhere.
AWAITING = (
    'exprWithCleanups(forFunction(functionDecl().bind("f")), '
    'hasDescendant(coawaitExpr(forFunction(functionDecl(equalsBoundNode("f"))))), '
    'hasDescendant(expr({}, forFunction(functionDecl(equalsBoundNode("f"))))))')

LAMBDA = "a lambda temporary beside co_await"
AGGREGATE = "an aggregate temporary beside co_await"
CHOICE = "a choice of class temporaries beside co_await"

MATCHERS = [
    (LAMBDA, "coawaitExpr(hasDescendant(lambdaExpr()))"),
    (LAMBDA, AWAITING.format("lambdaExpr()")),
    (AGGREGATE, AWAITING.format("cxxBindTemporaryExpr(has(initListExpr()))")),
    (CHOICE, "conditionalOperator(hasType(hasUnqualifiedDesugaredType(recordType())), "
             "anyOf(hasDescendant(coawaitExpr()), hasAncestor(coawaitExpr())))"),
]


def query(sources, build_directory):
    """Runs every matcher over the sources: a set of (file, line, why), or ends with the error."""
    commands = ["-c", "set output diag"]
    for _, matcher in MATCHERS:
        commands += ["-c", f"match {matcher}"]
    way = ["-p", build_directory, *sources] if build_directory else [*sources, "--", "-std=c++23"]
    ran = subprocess.run([CLANG_QUERY, *commands, *way],
                         capture_output=True, text=True, check=False)
    text = ran.stdout + ran.stderr
    if ran.returncode != 0 or re.search(r"\berror:", text):
        sys.exit(f"lint: {CLANG_QUERY} ended with {ran.returncode}\n{text[-4000:]}")
    found = set()
    answered = 0
    for line in text.splitlines():
        hit = re.match(r'(.+?):(\d+):\d+: note: "root" binds here', line)
        if hit:
            why = MATCHERS[answered][0]
            found.add((os.path.realpath(hit.group(1)), int(hit.group(2)), why))
        elif re.match(r"\d+ match(es)?\.$", line):
            answered += 1
    if answered != len(MATCHERS):
        sys.exit(f"lint: {answered} answers to {len(MATCHERS)} questions\n{text[-4000:]}")
    return found


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def headers_of(path, cache={}):
    """The headers of ours that a file includes, and those that these include."""
    if path in cache:
        return cache[path]
    cache[path] = set()  # while it is looked at: headers may include each other
    text = read(path)
    included = [os.path.join(ROOT, "src", name, "include/squall", name, header)
                for name, header in re.findall(r'#include "squall/(\w+)/([\w/]+\.h)"', text)]
    included += [os.path.normpath(os.path.join(os.path.dirname(path), header))
                 for header in re.findall(r'#include "((?!squall/)[\w./]+\.h)"', text)]
    included = {header for header in included if os.path.exists(header)}
    cache[path] = included.union(*[headers_of(header) for header in included])
    return cache[path]


def with_coroutines(sources):
    """The sources that await, and for each header that does one that includes it. What a template
    of a header holds is seen where it is written, so one of those who include it will do."""
    chosen = {source for source in sources if "co_await" in read(source)}
    seen = set().union(*[headers_of(source) for source in chosen])
    for source in sources:
        left = {header for header in headers_of(source) - seen if "co_await" in read(header)}
        if left:
            chosen.add(source)
            seen |= headers_of(source)
    return sorted(chosen)


def lint_tree(build_directory):
    with open(os.path.join(build_directory, "compile_commands.json"), encoding="utf-8") as file:
        sources = sorted({os.path.realpath(entry["file"]) for entry in json.load(file)})
    sources = with_coroutines(sources)
    if not sources:
        sys.exit("lint: no coroutine in the tree, which cannot be")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda source: query([source], build_directory), sources)
        hits = set().union(*answers)
    ours = sorted(hit for hit in hits if hit[0].startswith(ROOT + "/"))
    for path, line, why in ours:
        print(f"{os.path.relpath(path, ROOT)}:{line}: {why}; name it first")
    print(f"lint: {len(sources)} files with coroutines, {len(ours)} faults")
    return 1 if ours else 0


def self_test():
    sample = os.path.join(HERE, "sample.cc")
    with open(sample, encoding="utf-8") as file:
        expected = {number for number, line in enumerate(file, 1) if line.endswith("// bad\n")}
    found = {line for path, line, _ in query([sample], None) if path == sample}
    for line in sorted(expected - found):
        print(f"sample.cc:{line}: marked bad, not flagged")
    for line in sorted(found - expected):
        print(f"sample.cc:{line}: flagged, not marked bad")
    print(f"lint: {len(expected & found)} of {len(expected)} bad lines flagged")
    return 0 if expected and found == expected else 1


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    return self_test() if sys.argv[1] == "--self-test" else lint_tree(sys.argv[1])


if __name__ == "__main__":
    sys.exit(main())
