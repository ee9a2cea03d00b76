"""The clients of the soak. Each is a function that does one short thing; WORKERS says which."""

import http.client
import json
import queue
import socket
import struct
import time

from servers import ANSWER_SECONDS_MAX

MODERN, LEGACY = "2026-07-28", "2025-11-25"
META = {"io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {}}
ACCEPT = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def connect(server):
    return http.client.HTTPConnection("127.0.0.1", server.port, timeout=ANSWER_SECONDS_MAX)


def call(number, tool, arguments, modern):
    params = {"name": tool, "arguments": arguments}
    if modern:
        params["_meta"] = META
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def headers_of(message, session=None):
    headers = dict(ACCEPT)
    if session:
        headers["Mcp-Session-Id"] = session
    elif "_meta" in message.get("params", {}):
        headers.update({"MCP-Protocol-Version": MODERN, "Mcp-Method": message["method"]})
        if "name" in message["params"]:
            headers["Mcp-Name"] = message["params"]["name"]
    return headers


def post(connection, message, session=None):
    connection.request("POST", "/mcp", json.dumps(message), headers_of(message, session))
    return connection.getresponse()


def message_in(response):
    """The last message of a reply, be it JSON or a stream."""
    text = response.read().decode()
    if response.headers.get("Content-Type", "").startswith("text/event-stream"):
        data = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")]
        text = [one for one in data if one][-1]
    return json.loads(text)


def one_call(server, chance, number):
    """A call that both programs know, and how its answer is told from another's."""
    if server.name == "everything":
        marker = f"{number}-{chance.random()}"
        pad = "x" * chance.choice([0, 10, 1000, 60_000])
        return "echo", {"text": marker + pad}, marker
    delay = chance.randrange(1, 60)
    return "delay", {"delayMs": delay}, f'"delayMs":{delay}' + "}"


def check(answer, number, marker):
    expect(answer.get("id") == number, f"asked {number!r}, got {str(answer)[:200]}")
    expect("result" in answer, f"no result: {str(answer)[:300]}")
    expect(marker in answer["result"]["content"][0]["text"], f"crossed: {str(answer)[:300]}")


# ---- HTTP

def modern_calls(server, tally, chance):
    connection = connect(server)
    for _ in range(chance.randrange(1, 20)):
        number = chance.choice([chance.randrange(1 << 50), f"s{chance.random()}"])
        tool, arguments, marker = one_call(server, chance, number)
        response = post(connection, call(number, tool, arguments, True))
        expect(response.status == 200, f"status {response.status}")
        check(message_in(response), number, marker)
        tally.count("modern calls")
    connection.close()


def open_session(connection):
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": LEGACY, "capabilities": {},
        "clientInfo": {"name": "soak", "version": "1"}}}
    response = post(connection, hello)
    session = response.headers["Mcp-Session-Id"]
    expect(message_in(response)["id"] == 0, "no handshake")
    response = post(connection, {"jsonrpc": "2.0", "method": "notifications/initialized"}, session)
    response.read()
    expect(response.status == 202, f"status {response.status} for a notification")
    return session


def session_calls(server, tally, chance):
    connection = connect(server)
    session = open_session(connection)
    for number in range(1, chance.randrange(2, 15)):
        tool, arguments, marker = one_call(server, chance, number)
        check(message_in(post(connection, call(number, tool, arguments, False), session)), number,
              marker)
        tally.count("session calls")
    if chance.random() < 0.7:  # the others are left to the limit
        connection.request("DELETE", "/mcp", headers={"Mcp-Session-Id": session})
        response = connection.getresponse()
        response.read()
        expect(response.status == 200, f"status {response.status} for DELETE")
    connection.close()
    tally.count("sessions")


def pipelined_calls(server, tally, chance):
    """Several requests in one write; answers come in their order."""
    raw = socket.create_connection(("127.0.0.1", server.port), ANSWER_SECONDS_MAX)
    numbers = [chance.randrange(1 << 40) for _ in range(5)]
    marks, data = [], b""
    for number in numbers:
        tool, arguments, marker = one_call(server, chance, number)
        message = call(number, tool, arguments, True)
        body = json.dumps(message).encode()
        head = "".join(f"{name}: {value}\r\n" for name, value in headers_of(message).items())
        data += (f"POST /mcp HTTP/1.1\r\nHost: localhost\r\n{head}"
                 f"Content-Length: {len(body)}\r\n\r\n").encode() + body
        marks.append(marker)
    raw.sendall(data)
    reader = raw.makefile("rb")
    for number, marker in zip(numbers, marks):
        expect(b" 200 " in reader.readline(), "no 200")
        size = 0
        while (line := reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        check(json.loads(reader.read(size)), number, marker)
        tally.count("pipelined calls")
    reader.close()
    raw.close()


def listens(server, tally, chance):
    connection = connect(server)
    message = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "notifications": {"toolsListChanged": True}, "_meta": META}}
    response = post(connection, message)
    expect(response.status == 200, f"status {response.status} for a listen")
    expect(response.readline().strip() != b"", "no acknowledgement")
    time.sleep(chance.random() * 0.2)
    response.close()
    connection.close()
    tally.count("listens")


def get_streams(server, tally, chance):
    connection = connect(server)
    session = open_session(connection)
    for _ in range(3):
        stream = connect(server)
        stream.request("GET", "/mcp", headers={"Accept": "text/event-stream",
                                               "Mcp-Session-Id": session})
        expect(stream.getresponse().status == 200, "no stream")
        time.sleep(chance.random() * 0.05)
        stream.close()
        tally.count("GET streams")
    connection.close()


def aborts(server, tally, chance):
    """A request cut anywhere, or whose answer nobody waits for; the end is FIN or RST."""
    tool, arguments, _ = one_call(server, chance, 1)
    message = call(1, tool, arguments, True)
    body = json.dumps(message).encode()
    head = "".join(f"{name}: {value}\r\n" for name, value in headers_of(message).items())
    data = (f"POST /mcp HTTP/1.1\r\nHost: localhost\r\n{head}"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body
    raw = socket.create_connection(("127.0.0.1", server.port), ANSWER_SECONDS_MAX)
    raw.sendall(data[:chance.randrange(1, len(data) + 1)])
    if chance.random() < 0.5:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    if chance.random() < 0.5:
        time.sleep(chance.random() * 0.02)
    raw.close()
    tally.count("aborts")


def cancelled_sessions(server, tally, chance):
    """A legacy call that is cancelled while it waits, and whose session goes on."""
    if server.name != "squall":
        return time.sleep(1)
    connection, second = connect(server), connect(server)
    session = open_session(connection)
    message = call(7, "hang", {}, False)
    second.request("POST", "/mcp", json.dumps(message), headers_of(message, session))
    time.sleep(chance.random() * 0.05)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    post(connection, cancel, session).read()
    second.close()
    check(message_in(post(connection, call(8, "delay", {"delayMs": 1}, False), session)), 8,
          '"delayMs":1}')
    connection.close()
    tally.count("cancellations")
    return None


def slow_peers(server, tally, chance):
    """Writes byte by byte for a while, or asks for much and reads nothing."""
    raw = socket.create_connection(("127.0.0.1", server.port), ANSWER_SECONDS_MAX)
    try:
        if chance.random() < 0.5:
            for byte in b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ":
                raw.sendall(bytes([byte]))
                time.sleep(0.02)
        else:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list",
                       "params": {"_meta": META}}
            body = json.dumps(message).encode()
            head = "".join(f"{name}: {value}\r\n" for name, value in headers_of(message).items())
            data = (f"POST /mcp HTTP/1.1\r\nHost: localhost\r\n{head}"
                    f"Content-Length: {len(body)}\r\n\r\n").encode() + body
            raw.settimeout(1)
            for _ in range(200):
                raw.sendall(data)
    except (TimeoutError, OSError):
        pass  # it is full, or the server has had enough: both are right
    raw.close()
    tally.count("slow peers")


def garbage(server, tally, chance):
    raw = socket.create_connection(("127.0.0.1", server.port), ANSWER_SECONDS_MAX)
    data = chance.choice([
        chance.randbytes(chance.randrange(1, 5000)), b"GET //\x00 HTTP/1.1\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked"
        b"\r\n\r\nx", b"POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 3\r\n\r\n{}}",
        b"A" * 100_000])
    try:
        raw.sendall(data)
        raw.shutdown(socket.SHUT_WR)
        reply = raw.recv(4096)
        expect(not reply or reply.startswith(b"HTTP/1.1 4"), f"garbage got {reply[:60]!r}")
    except OSError:
        pass
    raw.close()
    tally.count("garbage")


# ---- stdio

def stdio_calls(server, tally, chance):
    asked = []
    for _ in range(chance.randrange(1, 8)):
        number = server.new_id()
        delay = chance.randrange(1, 80)
        asked.append((number, delay, server.ask(call(number, "delay", {"delayMs": delay}, True))))
    for number, delay, answer in asked:
        try:
            check(answer.get(timeout=ANSWER_SECONDS_MAX), number, f'"delayMs":{delay}' + "}")
        except queue.Empty:
            raise AssertionError(f"no answer for {number}") from None
        tally.count("stdio calls")
    expect(not server.strays, f"nobody asked for {server.strays[:1]}")


def stdio_cancellations(server, tally, chance):
    number = server.new_id()
    answer = server.ask(call(number, "hang", {}, True))
    time.sleep(chance.random() * 0.02)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled",
              "params": {"requestId": number}}
    server.write(json.dumps(cancel).encode() + b"\n")
    time.sleep(0.05)
    expect(answer.empty(), "a cancelled call was answered")
    server.forget(number)
    tally.count("stdio cancellations")


def stdio_garbage(server, tally, chance):
    line = chance.choice([chance.randbytes(chance.randrange(1, 3000)).replace(b"\n", b""), b"{",
                          b"[]", b"[" * 10_000, b"x" * (17 << 20), b'{"jsonrpc":"2.0","id":{}}'])
    server.write(line + b"\n")
    time.sleep(0.1)
    tally.count("stdio garbage")


WORKERS = {
    "http": [modern_calls, modern_calls, session_calls, session_calls, pipelined_calls, listens,
             get_streams, aborts, aborts, cancelled_sessions, slow_peers, garbage],
    "stdio": [stdio_calls, stdio_calls, stdio_cancellations, stdio_garbage],
}
