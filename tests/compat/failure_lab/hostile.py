"""Requests that nobody should send, the same ones every time."""

import random

SEED = 6
MUTATIONS = 400

HEAD = ("Host: localhost\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\n")
BODY = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","arguments":{}}}'
WHOLE = f"POST /mcp HTTP/1.1\r\n{HEAD}Content-Length: {len(BODY)}\r\n\r\n{BODY}".encode()

# What stands between method and version.
TARGETS = ["//", "///", "//evil.example", "//:80", "//[", "//[::1", "http://", "http:///", "http:",
           "https://[::1", "http://a:b@/mcp", "http://localhost:99999/mcp", "*", "", "?", "#", "%",
           "%0", "%zz", "/%00", "/%ff%fe", "/mcp%", "/..//..", "/./..", "\\", "\\\\mcp", "/mcp\\",
           "mcp", "localhost:80", ":80", "@", "/mcp?" + "a" * 60_000, "/" + "a" * 60_000,
           "/" + "../" * 5_000, "/" + "%2e%2e/" * 5_000, "/\u00e4\u2028", "/mcp#x", "/mcp?x=%",
           "javascript:0", "file:///etc/passwd", "//user@:@//"]
METHODS = ["GET", "POST", "DELETE", "OPTIONS", "HEAD", "CONNECT", "TRACE", "PUT", "get",
           "G" * 9_000]

HEADS = [
    "Host: localhost\r\nHost: localhost\r\n", "Host: \r\n", "Host: [\r\n", "Host: [::1\r\n", "",
    "Host: localhost:99999\r\n", "Host: localhost\r\nOrigin: http://[\r\n",
    "Host: localhost\r\nOrigin: //\r\n", "Host: localhost\r\nContent-Length: -1\r\n",
    "Host: localhost\r\nContent-Length: 9999999999999999999999\r\n",
    "Host: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n",
    "Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "Host: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n",
    "Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    "Host: localhost\r\nMcp-Session-Id: " + "x" * 9_000 + "\r\n",
    "Host: localhost\r\nLast-Event-ID: \x00\r\n", "Host: localhost\r\n: x\r\n",
    "Host: localhost\r\n folded\r\n", "Host: localhost\r\n" + "X: y\r\n" * 5_000,
    "Host: localhost\r\nExpect: 200-maybe\r\n", "Host: localhost\r\nUpgrade: h2c\r\n",
]

DEEP = "[" * 50_000 + "]" * 50_000
# JSON-RPC that is well formed or nearly so, and means nothing.
MESSAGES = [
    '{"jsonrpc":"2.0","id":1,"method":123}', '{"jsonrpc":"2.0","id":1,"method":null}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"text"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1,2]}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","arguments":"x"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","_meta":7}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","_meta":{'
    '"io.modelcontextprotocol/protocolVersion":["2026-07-28"]}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","arguments":' + DEEP
    + '}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delay","arguments":{'
    '"delayMs":1e999}}}',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}',
    '{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{}}}',
    '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":7}}',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"//"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":{"a":1}}}',
    '[]', '[[[]]]', 'null', '""', '{"":""}', '{', '\x00', '\ufeff\ufeff{}', '{"a":"\ud800"}',
    "9" * 10_000, DEEP, '[' + '{"jsonrpc":"2.0","id":1,"method":"ping"},' * 200 + '1]',
]


def mutations(text, count=MUTATIONS, seed=SEED):
    """Bytes like `text`, each with one to four things wrong."""
    chance = random.Random(seed)
    for _ in range(count):
        data = bytearray(text)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(data) + 1)
            end = min(len(data), at + chance.choice([1, 1, 2, 8, 40]))
            piece = bytes(data[at:end])
            data[at:end] = chance.choice([
                b"", piece * chance.choice([2, 3, 500]), bytes([chance.randrange(256)]),
                chance.choice([b"\r\n", b"\n", b"\0", b"\"", b"{", b"[", b"//", b":", b"\xff"])])
        yield bytes(data)


def http_requests():
    """All of them, as bytes to write on a connection of their own."""
    for target in TARGETS:
        for method in METHODS[:3]:
            yield f"{method} {target} HTTP/1.1\r\n{HEAD}\r\n".encode()
    for method in METHODS:
        for version in ("HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "HTTP/2.0", "", "\r\n"):
            yield f"{method} // {version}\r\n{HEAD}\r\n".encode()
    for head in HEADS:
        yield f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode()
    for message in MESSAGES:
        body = message.encode(errors="surrogatepass")
        yield (f"POST /mcp HTTP/1.1\r\n{HEAD}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    yield from mutations(WHOLE)


def lines():
    """All of them, as lines for standard input."""
    for message in MESSAGES:
        yield message.encode(errors="surrogatepass").replace(b"\n", b"") + b"\n"
    for line in mutations(BODY.encode()):
        yield line.replace(b"\n", b"") + b"\n"
