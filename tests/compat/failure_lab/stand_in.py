"""A server on stdio with tools that end badly, and the two that the example targets have."""

import json
import os
import signal
import sys

cancelled = []


def text(what, is_error=False):
    return {"content": [{"type": "text", "text": what}], "isError": is_error}


def call(name, arguments):
    """The result of a tool; None: there is no answer."""
    if name == "ping":
        return text('{"status":"ok"}')
    if name == "get_me":
        return text('{"login":"somebody"}')
    if name == "search":
        return text(json.dumps([{"name": arguments.get("search")}]))
    if name == "environment":
        return text(json.dumps(dict(os.environ)))
    if name == "cancelled":
        return text(json.dumps(cancelled))
    if name == "die":
        print("these were my last words", file=sys.stderr, flush=True)
        os._exit(arguments["code"])
    if name == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    return None


def answer(message):
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        return {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                           "serverInfo": {"name": "stand-in", "version": "1"}}}
    if method == "tools/list":
        return {"result": {"tools": []}}
    if method != "tools/call":
        return {"error": {"code": -32601, "message": "Method not found"}}
    name = params["name"]
    if name == "wait":
        return None
    result = call(name, params.get("arguments", {}))
    if result is None:
        return {"error": {"code": -32602, "message": f"Tool {name} not found"}}
    return {"result": result}


for line in sys.stdin:
    heard = json.loads(line)
    if heard.get("method") == "notifications/cancelled":
        cancelled.append(heard["params"].get("reason", ""))
    if "id" not in heard or "method" not in heard:
        continue
    reply = answer(heard)
    if reply is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": heard["id"], **reply}), flush=True)
