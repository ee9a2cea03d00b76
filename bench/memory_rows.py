"""What open streams, idle sessions and many requests cost in memory."""

import json
import socket

import cells
from table import Row

CPU = "cpu_us/req"
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}}


def post(port: int, message: dict, headers: str = "") -> bytes:
    body = json.dumps(message)
    return (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json, text/event-stream\r\n{headers}"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


def read_until(stream: socket.socket, mark: bytes, times: int) -> None:
    seen = b""
    while times > 0:
        piece = stream.recv(1 << 16)
        if not piece:
            raise SystemExit("the server hung up")
        seen += piece
        times -= seen.count(mark)
        seen = seen[seen.rfind(mark) + len(mark):] if mark in seen else seen[-len(mark):]


def stream_rows():
    count = 10_000
    listen = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
              "params": {"notifications": {"toolsListChanged": True}, "_meta": META}}
    headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"
    with cells.echo("--listens", str(count)) as server:
        cells.load(server, secs=0.3)
        before = server.memory("RssAnon")
        streams = []
        for _ in range(count):
            stream = socket.create_connection(("127.0.0.1", server.port))
            stream.sendall(post(server.port, listen, headers))
            read_until(stream, b"acknowledged", 1)
            streams.append(stream)
        each = (server.memory("RssAnon") - before) / count
        for stream in streams:
            stream.close()
    yield Row(f"{count} open SSE streams: KB each", each / 1024, "<=", 6.0, "")


def session_rows(cells_count: int):
    count = 100_000
    batch = 100
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
                  "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                             "clientInfo": {"name": "bench", "version": "1"}}}
    with (cells.echo("--sessions", str(2 * count)) as full,
          cells.echo("--sessions", str(2 * count)) as empty):
        cells.load(full, "legacy", secs=0.3)
        before = full.memory("RssAnon")
        with socket.create_connection(("127.0.0.1", full.port)) as stream:
            request = post(full.port, initialize)
            for _ in range(count // batch):
                stream.sendall(request * batch)
                read_until(stream, b"HTTP/1.1 200", batch)
        each = (full.memory("RssAnon") - before) / count
        yield Row(f"{count} idle sessions: KB each", each / 1024, "<=", 1.0, "")
        ratio, a, b = cells.median_ratio(lambda: cells.load(full, "legacy")[CPU],
                                         lambda: cells.load(empty, "legacy")[CPU], cells_count)
        yield Row("calls beside them: CPU per request / without", ratio, "<=", 1.2,
                  f"{a:.1f} us / {b:.1f} us")


def growth_rows():
    with cells.echo() as server:
        growth, served = cells.growth(server)
    yield Row("a million requests: growth after the first 100,000, MB", growth / (1 << 20), "<=",
              1.0, f"{served:.0f} requests")
