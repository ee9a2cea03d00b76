"""Our client against servers of others: what it negotiates, lists, calls, sees and leaves behind.

    servers_test.py PEER SERVER stdio|http [auto|modern|legacy]

SERVER is everything, filesystem, memory, v1 or v2; PEER is interop_peer.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from served import MODULES, NODE  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS_MAX = 90
PEER, SERVER, TRANSPORT, NEGOTIATION = "", "", "", "auto"
WORDS = {
    "everything": [f"{MODULES}/@modelcontextprotocol/server-everything/dist/index.js"],
    "filesystem": [f"{MODULES}/@modelcontextprotocol/server-filesystem/dist/index.js"],
    "memory": [f"{MODULES}/@modelcontextprotocol/server-memory/dist/index.js"],
}


def call(name, arguments=None, **more):
    return {"do": "call", "name": name, "arguments": arguments or {}, **more}


def each(kind):
    return {"do": "list", "name": kind}


def wait(name):
    return {"do": "wait", "name": name}


class Visit:
    """One run of our client: what it found, how each step ended, and what happened besides."""

    def __init__(self, steps, *words, env=None):
        if TRANSPORT == "http":
            where = [words[0]]
        else:
            where = ["--", "/usr/bin/env", *(env or []), NODE, *words]
        ran = subprocess.run([PEER, NEGOTIATION, json.dumps(steps), *where], capture_output=True,
                             stdin=subprocess.DEVNULL, timeout=SECONDS_MAX, check=False)
        lines = [json.loads(line) for line in ran.stdout.decode().splitlines()]
        self.code, self.errors = ran.returncode, ran.stderr.decode()
        self.found = next((line for line in lines if "revision" in line), {"lines": lines})
        self.steps = [line for line in lines if "step" in line]
        self.events = [line for line in lines if "event" in line]

    def event(self, name):
        return [event["data"] for event in self.events if event["event"] == name]


def text_of(step):
    return "".join(block.get("text", "") for block in step["result"]["content"])


class Case(unittest.TestCase):
    def visit(self, steps, *words, env=None):
        """Visits the server, and holds what is true of every visit."""
        visit = Visit(steps, *words, env=env)
        self.assertEqual((visit.code, visit.errors), (0, ""))
        self.assertEqual(len(visit.steps), len(steps), visit.found)
        self.assertEqual(visit.events[-1]["event"], "closed")
        odd = {"malformed", "duplicate_response", "unknown_response", "wrong_id_type",
               "stray_request", "bad_cursor", "dropped_entry", "bad_schema", "bad_result"}
        self.assertEqual([event for event in visit.events if event.get("kind") in odd], [])
        if words and TRANSPORT == "stdio":
            self.assertEqual(self.orphans(words[0]), [], "no child is left")
        return visit

    @staticmethod
    def orphans(script):
        """Processes that run the script and have lost their parent."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                    parent = file.read().rsplit(")", 1)[1].split()[1]
            except OSError:
                continue
            if script.encode() in words and parent == "1":
                found.append(pid)
        return found

    def assert_outcomes(self, visit, *outcomes):
        self.assertEqual([step["outcome"] for step in visit.steps], list(outcomes))


class Served:
    """A server of others over HTTP; `url` once it answers."""

    def __init__(self, *words, port=None, env=None):
        self.process = subprocess.Popen(
            [NODE, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if port else None, text=True,
            env={**os.environ, **({"PORT": str(port)} if port else {}), **(env or {})})
        if port:
            for line in self.process.stderr:
                if re.search(r"listening on port", line):
                    break
        else:
            port = int(self.process.stdout.readline())
        self.url = f"http://127.0.0.1:{port}/mcp"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Everything(Case):
    STEPS = {
        "tools": each("tools"), "prompts": each("prompts"), "resources": each("resources"),
        "templates": each("templates"), "echo": call("echo", {"message": "hi é"}),
        "invalid": call("get-sum", {"a": "x"}), "unknown": call("nope"),
        "structured": call("get-structured-content", {"location": "Chicago"}),
        "image": call("get-tiny-image"), "links": call("get-resource-links", {"count": 2}),
        "embedded": call("get-resource-reference", {"resourceType": "Text", "resourceId": 1}),
        "annotated": call("get-annotated-message",
                          {"messageType": "error", "includeImage": True}),
        "progress": call("trigger-long-running-operation", {"duration": 0.4, "steps": 4}),
        "cancel": call("trigger-long-running-operation", {"duration": 30, "steps": 3},
                       cancel_ms=100),
        "timeout": call("trigger-long-running-operation", {"duration": 30, "steps": 3},
                        timeout_ms=100),
        "sample": call("trigger-sampling-request", {"prompt": "capital?", "maxTokens": 10}),
        "elicit": call("trigger-elicitation-request"), "roots": call("get-roots-list"),
        "visit": call("trigger-url-elicitation",
                      {"url": "https://a.example/", "elicitationId": "1"}),
        "required": call("trigger-url-elicitation",
                         {"url": "https://b.example/", "elicitationId": "2", "errorPath": True},
                         timeout_ms=300),
        "prompt": {"do": "prompt", "name": "args-prompt", "arguments": {"city": "Paris"}},
        "complete": {"do": "complete", "ref": {"type": "ref/prompt", "name": "completable-prompt"},
                     "name": "department", "value": "E"},
        "level": {"do": "level"}, "ping": {"do": "ping"},
        "read": {"do": "read", "name": "demo://resource/static/document/architecture.md"},
        "blob": {"do": "read", "name": "demo://resource/dynamic/blob/1"},
        "lost": {"do": "read", "name": "demo://nope"},
        "subscribe": {"do": "subscribe", "uris": ["demo://resource/dynamic/text/1"]},
        "granted": wait("granted"), "updates": call("toggle-subscriber-updates"),
        "updated": wait("notifications/resources/updated"),
        "logging": call("toggle-simulated-logging"), "logged": wait("notifications/message"),
    }

    def test_all_that_it_has(self):
        if TRANSPORT == "http":
            with Served(*WORDS["everything"], "streamableHttp", port=free_port()) as server:
                visit = self.visit(list(self.STEPS.values()), server.url)
        else:
            visit = self.visit(list(self.STEPS.values()), *WORDS["everything"], "stdio")
        steps = dict(zip(self.STEPS, visit.steps))
        self.assertEqual(visit.found["revision"], "2025-11-25")
        for name, listed in (("tools", "trigger-elicitation-request"), ("prompts", "args-prompt"),
                             ("resources", "architecture.md"),
                             ("templates", "Dynamic Text Resource")):
            self.assertIn(listed, steps[name]["names"])
        outcomes = {name: step["outcome"] for name, step in steps.items()}
        wanted = dict.fromkeys(self.STEPS, "success")
        wanted |= {"invalid": "tool_error", "unknown": "tool_error", "cancel": "cancelled",
                   "timeout": "timeout", "lost": "protocol_error"}
        self.assertEqual(outcomes, wanted)
        self.assertEqual(text_of(steps["echo"]), "Echo: hi é")
        self.assertIn("temperature", steps["structured"]["result"]["structuredContent"])
        kinds = [block["type"] for name in ("image", "links", "embedded", "annotated")
                 for block in steps[name]["result"]["content"]]
        self.assertGreaterEqual(set(kinds), {"text", "image", "resource_link", "resource"})
        self.assertEqual(steps["progress"]["progress"], 4)
        self.assertIn("Paris", text_of(steps["sample"]))
        self.assertIn("Ann", text_of(steps["elicit"]))
        self.assertIn("file:///tmp/squall-root", text_of(steps["roots"]))
        self.assertEqual([data for data in visit.event("elicit") if isinstance(data, str)],
                         ["https://a.example/", "https://modelcontextprotocol.io",
                          "https://b.example/"])
        self.assertIn("Paris", steps["prompt"]["result"]["messages"][0]["content"]["text"])
        self.assertEqual(steps["complete"]["result"]["completion"]["values"], ["Engineering"])
        self.assertIn("Architecture", steps["read"]["result"]["contents"][0]["text"])
        self.assertIn("blob", steps["blob"]["result"]["contents"][0])
        self.assertIn("demo://resource/dynamic/text/1", visit.event("change"))


class Filesystem(Case):
    def test_files_of_the_folder_and_no_others(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            path = os.path.join(folder, "a.txt")
            visit = self.visit(
                [each("tools"), call("write_file", {"path": path, "content": "Grüße\n"}),
                 call("read_text_file", {"path": path}),
                 call("list_directory", {"path": folder}),
                 call("read_text_file", {"path": "/etc/hostname"}),
                 call("read_text_file", {})],
                *WORDS["filesystem"], folder)
            self.assert_outcomes(visit, "success", "success", "success", "success", "tool_error",
                                 "tool_error")
            self.assertIn("read_text_file", visit.steps[0]["names"])
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "Grüße\n")
            self.assertEqual(text_of(visit.steps[2]), "Grüße\n")
            self.assertIn("[FILE] a.txt", text_of(visit.steps[3]))


class Memory(Case):
    def test_what_was_remembered_is_there_next_time(self):
        entity = {"name": "Ada", "entityType": "person", "observations": ["wrote a program"]}
        with tempfile.TemporaryDirectory() as folder:
            env = [f"MEMORY_FILE_PATH={folder}/memory.jsonl"]
            first = self.visit([call("create_entities", {"entities": [entity]}),
                                call("create_entities", {"entities": [{"name": 7}]})],
                               *WORDS["memory"], env=env)
            self.assert_outcomes(first, "success", "tool_error")
            second = self.visit([call("search_nodes", {"query": "program"}), call("read_graph")],
                                *WORDS["memory"], env=env)
            self.assert_outcomes(second, "success", "success")
            for step in second.steps:
                self.assertEqual(step["result"]["structuredContent"]["entities"], [entity])


class Sdk(Case):
    STEPS = {
        "tools": each("tools"), "resources": each("resources"), "templates": each("templates"),
        "prompts": each("prompts"), "add": call("add", {"a": 2, "b": 3}),
        "invalid": call("add", {"a": "x"}), "unknown": call("nope"), "fail": call("fail"),
        "slow": call("slow", {"ms": 90}), "cancel": call("slow", {"ms": 30000}, cancel_ms=100),
        "timeout": call("slow", {"ms": 30000}, timeout_ms=100), "ask": call("ask"),
        "read": {"do": "read", "name": "demo://note"},
        "item": {"do": "read", "name": "demo://item/7"},
        "lost": {"do": "read", "name": "demo://lost"},
        "prompt": {"do": "prompt", "name": "greet", "arguments": {"name": "Ada"}},
        "ping": {"do": "ping"}, "after": call("add", {"a": 1, "b": 1}),
    }

    def test_all_that_it_has(self):
        modern = SERVER == "v2" and NEGOTIATION != "legacy"
        stateless = SERVER == "v2" and TRANSPORT == "http" and not modern
        steps = dict(self.STEPS)
        if stateless:  # its legacy leg can ask nobody and tell nothing by itself
            del steps["ask"]
        else:
            steps |= {"subscribe": {"do": "subscribe", "uris": []}, "granted": wait("granted"),
                      "touch": call("touch"), "changed": wait("notifications/tools/list_changed")}
        script = os.path.join(HERE, f"sdk_server_{SERVER}.mjs")
        if TRANSPORT == "http":
            with Served(self.beside_modules(script), "http") as server:
                visit = self.visit(list(steps.values()), server.url)
        else:
            visit = self.visit(list(steps.values()), self.beside_modules(script), "stdio")
        self.assertEqual(visit.found["revision"], "2026-07-28" if modern else "2025-11-25")
        self.assertEqual(visit.found["name"], "sdk-" + SERVER)
        by_name = dict(zip(steps, visit.steps))
        self.judge({name: step["outcome"] for name, step in by_name.items()})
        self.assertEqual(by_name["add"]["result"]["structuredContent"], {"sum": 5})
        self.assertEqual(by_name["slow"]["progress"], 3)
        self.assertEqual(by_name["item"]["result"]["contents"][0]["text"], "item 7")
        self.assertIn("greet", by_name["prompts"]["names"])
        if not stateless:
            self.assertEqual(text_of(by_name["ask"]), "Hello, Ann!")

    def judge(self, outcomes):
        wanted = dict.fromkeys(outcomes, "success")
        wanted |= {"invalid": "tool_error", "fail": "tool_error", "cancel": "cancelled",
                   "timeout": "timeout", "lost": "protocol_error"}
        # An error of the protocol in version 2, of the tool in version 1.
        wanted["unknown"] = "tool_error" if SERVER == "v1" else "protocol_error"
        self.assertEqual(outcomes, wanted)

    def beside_modules(self, script):
        """The script where node finds the packages that it imports."""
        folder = tempfile.TemporaryDirectory(dir=os.path.dirname(MODULES))
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, os.path.basename(script))
        with open(script, encoding="utf-8") as source, open(path, "w", encoding="utf-8") as copy:
            copy.write(source.read())
        return path


if __name__ == "__main__":
    PEER, SERVER, TRANSPORT = sys.argv[1:4]
    NEGOTIATION = sys.argv[4] if len(sys.argv) > 4 else "auto"
    case = {"everything": Everything, "filesystem": Filesystem, "memory": Memory}.get(SERVER, Sdk)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    ran = unittest.TextTestRunner(verbosity=2).run(suite)
    sys.exit(0 if ran.wasSuccessful() else 1)
