"""secrets_test.py SQUALL: files that hold a secret are broken in hundreds of ways, and servers tell
what they were given; nothing that any command prints holds five characters of it."""

import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../server_process")]
import hostile  # noqa: E402
import program  # noqa: E402

SECRET = "Zq7Xv9Kw4Jp3Rt8Bn5Lm2Df6Gh"  # no five of these stand in a message by chance
GRAM = 5
GRAMS = {SECRET[at:at + GRAM] for at in range(len(SECRET) - GRAM + 1)}
BYTES_MUTATED = 110

# A child that tells everything it was given, on both its pipes, and dies.
TELLTALE = ('read line; env >&2; echo "{\\"oops\\":\\"$TOKEN\\"}"; env; '
            'echo "$0 $@ $TOKEN" >&2; exit 3')

CLIENT_STDIO = {"mcpServers": {"one": {
    "command": "sh", "args": ["-c", TELLTALE], "env": {"TOKEN": SECRET}}}}
CLIENT_HTTP = {"mcpServers": {"one": {
    "url": "https://127.0.0.1:1/mcp", "headers": {"Authorization": f"Bearer {SECRET}"}}}}

# Target files of both forms, with the secret in the file or in the environment.
VARIABLE = "SQUALL_TEST_SECRET"
SHELL = {"transport": "stdio", "command": "sh", "args": ["-c", TELLTALE]}
WEB = {"transport": "http", "url": "https://127.0.0.1:1/mcp"}
TARGETS = [
    {"adapter": "mcp", "config": {**SHELL, "env": {"TOKEN": SECRET}}},
    {"adapter": "mcp", "config": {**SHELL, "envFrom": {"TOKEN": VARIABLE}}},
    {"adapter": "mcp", "config": {**WEB, "headers": {"Authorization": f"Bearer {SECRET}"}}},
    {"squall": 1, "target": {**SHELL, "env_from": {"TOKEN": VARIABLE}}, "protocol": "2026-07-28"},
    {"squall": 1, "target": {**WEB, "header_env": {"Authorization": VARIABLE}}},
]
SCENARIO = {"squall": 1, "name": "s", "steps": [{"call": {"tool": "ping"}}],
            "budgets": {"setup": "3s", "call": "300ms", "cancel": "300ms", "cleanup": "300ms"}}
REPORTS = ["console", "json", "junit", "github"]

# Where a text stands that a server's own address or program may be, nobody can know a secret.
SHOWN = ("command", "args", "url", "cwd")


def leaks(text):
    return sorted(gram for gram in GRAMS if gram in text)


def places(value, path=()):
    """The paths of all values inside `value`."""
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) \
        if isinstance(value, list) else ()
    for key, member in members:
        yield from places(member, (*path, key))


def edit(document, path, change):
    """A copy of `document` with `change(parent, key)` done at `path`."""
    out = copy.deepcopy(document)
    parent = out
    for key in path[:-1]:
        parent = parent[key]
    change(parent, path[-1])
    return out


def rename(parent, key, name):
    if isinstance(parent, dict):
        parent[name] = parent.pop(key)


def misshapen(document):
    """`document` with each part missing, of a wrong type, misnamed, or the secret itself."""
    others = [None, True, 7, 1e300, [], {}, [SECRET], {SECRET: SECRET}, {"is": SECRET}]
    for path in places(document):
        if not path:
            continue
        for other in others:
            yield edit(document, path, lambda parent, key, other=other:
                       parent.__setitem__(key, other))
        yield edit(document, path, lambda parent, key: parent.pop(key))
        for name in (SECRET, "tokn", "", "\n", f"x {SECRET}"):
            yield edit(document, path, lambda parent, key, name=name: rename(parent, key, name))
        if not set(SHOWN) & set(path):
            yield edit(document, path, lambda parent, key: parent.__setitem__(key, SECRET))


class NothingShowsASecret(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def squall(self, *words, environment=None):
        """Runs the program, and gives what it printed once that is found clean."""
        ran = subprocess.run([program.PROGRAM, *words], stdin=subprocess.DEVNULL,
                             capture_output=True, check=False, timeout=program.SECONDS_MAX,
                             env={**os.environ, **(environment or {})})
        said = (ran.stdout + ran.stderr).decode(errors="replace")
        self.assertEqual(leaks(said), [], said)
        self.assertIn(ran.returncode, range(5), said)  # not killed by a signal
        return said

    def look(self, text, number=0):
        """Asks for a server that a file names whose bytes are `text`."""
        path = os.path.join(self.folder, f"{number}.json")
        with open(path, "wb") as file:
            file.write(text)
        commands = [["inspect", "one"], ["call", "one", "ping"], ["read", "one", "x://y"],
                    ["prompt", "one", "p"], ["inspect", "one", "--json"],
                    ["call", "one", "ping", "--raw"]]
        return self.squall(*commands[number % len(commands)], "--config", path,
                           "--timeout", "300ms")

    def look_at_all(self, texts):
        """Several at a time: most of it is waiting for children."""
        with ThreadPoolExecutor(8) as pool:
            return len(list(pool.map(self.look, texts, range(len(texts)))))

    def test_of_a_file_with_broken_bytes(self):
        for document in (CLIENT_STDIO, CLIENT_HTTP):
            whole = json.dumps(document, indent=2).encode()
            cut = [whole[:end] for end in range(0, len(whole), 7)]
            looked = self.look_at_all([*hostile.mutations(whole, BYTES_MUTATED), *cut])
            self.assertGreater(looked, 100)

    def test_of_a_file_with_a_wrong_shape(self):
        for document in (CLIENT_STDIO, CLIENT_HTTP):
            looked = self.look_at_all([json.dumps(wrong).encode() for wrong in misshapen(document)])
            self.assertGreater(looked, 50)

    def test_that_a_server_tells(self):
        said = self.look(json.dumps(CLIENT_STDIO).encode())
        self.assertIn("[redacted:TOKEN]", said)

    def run_against(self, text, number=0):
        """Runs a scenario against the target of a file whose bytes are `text`."""
        folder = os.path.join(self.folder, str(number))
        os.mkdir(folder)
        path = os.path.join(folder, "target.json")
        scenario = os.path.join(folder, "scenario.json")
        with open(path, "wb") as file:
            file.write(text)
        with open(scenario, "w", encoding="ascii") as file:
            json.dump(SCENARIO, file)
        said = self.squall("run", scenario, "--target", path, "--report",
                           REPORTS[number % len(REPORTS)], "--record",
                           os.path.join(folder, "cases"), environment={VARIABLE: SECRET})
        for parent, _, names in os.walk(os.path.join(folder, "cases")):
            for name in names:
                with open(os.path.join(parent, name), encoding="utf-8", errors="replace") as file:
                    self.assertEqual(leaks(file.read()), [], name)
        return said

    def run_against_all(self, texts):
        with tempfile.TemporaryDirectory() as self.folder, ThreadPoolExecutor(8) as pool:
            return list(pool.map(self.run_against, texts, range(len(texts))))

    def test_of_a_target_with_broken_bytes(self):
        for target in TARGETS:
            whole = json.dumps(target, indent=2).encode()
            said = self.run_against_all([whole, *hostile.mutations(whole, BYTES_MUTATED)])
            self.assertGreater(len(said), 100)

    def test_of_a_target_with_a_wrong_shape(self):
        for target in TARGETS:
            said = self.run_against_all([json.dumps(one).encode() for one in misshapen(target)])
            self.assertGreater(len(said), 50)

    def test_that_a_target_tells(self):
        for target in TARGETS[:2] + TARGETS[3:4]:
            for said in self.run_against_all([json.dumps(target).encode()] * len(REPORTS)):
                self.assertIn("[redacted:", said)

    def test_of_the_command_line_or_the_environment(self):
        address = "https://127.0.0.1:1/mcp"
        for header in (f"Authorization: Bearer {SECRET}", f"Authorization {SECRET}",
                       f": {SECRET}", f"A\n: {SECRET}", f"A: {SECRET}\r\nB: {SECRET}",
                       f"{SECRET}"):
            self.squall("inspect", address, "--header", header)
        tells = ["--", "sh", "-c", TELLTALE]
        for variable in (f"TOKEN={SECRET}", f"={SECRET}", SECRET, f"TOKEN={SECRET}=={SECRET}"):
            self.squall("inspect", "--env", variable, "--timeout", "300ms", *tells)
        self.squall("inspect", address, environment={"SQUALL_TOKEN": SECRET})


class TheSearch(unittest.TestCase):
    def test_finds_five_characters(self):
        self.assertEqual(leaks(f"xx{SECRET[3:8]}xx"), [SECRET[3:8]])
        self.assertEqual(leaks(SECRET[3:7]), [])


if __name__ == "__main__":
    program.main()
