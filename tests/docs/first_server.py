"""Runs the README's first server as its reader would: a call in each era, and a wrong argument."""

import json
import subprocess
import sys

MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {}}


def call(number, arguments, meta=None):
    params = {"name": "greet", "arguments": arguments}
    if meta:
        params["_meta"] = meta
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def main():
    sent = [call(1, {"name": "Ann"}, MODERN), call(2, {"name": "Bob"}), call(3, {"name": ""})]
    lines = "".join(json.dumps(message) + "\n" for message in sent)
    ran = subprocess.run([sys.argv[1]], input=lines, capture_output=True, text=True, timeout=30,
                         check=True)
    received = map(json.loads, ran.stdout.splitlines())
    answers = {answer["id"]: answer["result"] for answer in received}
    assert answers[1]["content"][0]["text"] == "Hello, Ann!", answers
    assert answers[1]["resultType"] == "complete", answers
    assert answers[2]["content"][0]["text"] == "Hello, Bob!", answers
    assert answers[3]["isError"] is True and "/name" in answers[3]["content"][0]["text"], answers


if __name__ == "__main__":
    main()
