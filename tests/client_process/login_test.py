"""How `squall` gets into a protected server: a browser, a printed address, kept credentials.

    login_test.py SQUALL EVERYTHING
"""

import http.server
import json
import os
import stat
import sys
import tempfile
import threading
import unittest
import urllib.parse
import urllib.request

import terminal
from terminal import Listening, run

TOKEN = "access-token-hunter2"


class Protected(http.server.BaseHTTPRequestHandler):
    """An MCP server of 2025-11-25 and its authorization server, in one."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, status, document=None, **headers):
        body = b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path.startswith("/.well-known/oauth-protected-resource"):
            return self.answer(200, {"resource": self.origin + "/mcp",
                                     "authorization_servers": [self.origin]})
        if url.path.startswith("/.well-known/oauth-authorization-server"):
            return self.answer(200, {
                "issuer": self.origin, "authorization_endpoint": self.origin + "/authorize",
                "token_endpoint": self.origin + "/token",
                "registration_endpoint": self.origin + "/register",
                "token_endpoint_auth_methods_supported": ["none", "client_secret_post"],
                "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"]})
        if url.path == "/authorize":
            asked = dict(urllib.parse.parse_qsl(url.query))
            self.server.visits.append(asked)
            back = urllib.parse.urlencode({"code": "c0de", "state": asked["state"]})
            return self.answer(302, Location=f"{asked['redirect_uri']}?{back}")
        return self.answer(405 if url.path == "/mcp" else 404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/register":
            asked = json.loads(body)
            return self.answer(201, {**asked, "client_id": "registered"})
        if self.path == "/token":
            self.server.grants.append(dict(urllib.parse.parse_qsl(body)))
            return self.answer(200, {"access_token": TOKEN, "token_type": "Bearer",
                                     "expires_in": 3600})
        if self.headers["Authorization"] != "Bearer " + TOKEN:
            where = self.origin + "/.well-known/oauth-protected-resource/mcp"
            return self.answer(401, WWW_Authenticate=f'Bearer resource_metadata="{where}"')
        return self.serve(json.loads(body))

    def serve(self, message):
        if "id" not in message:
            return self.answer(202)
        results = {
            "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                           "serverInfo": {"name": "vault", "version": "1"}},
            "tools/list": {"tools": [{"name": "open", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": "it is open"}]}}
        result = results.get(message["method"])
        outcome = ({"result": result} if result else
                   {"error": {"code": -32601, "message": "Method not found"}})
        return self.answer(200, {"jsonrpc": "2.0", "id": message["id"], **outcome})


class Login(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Protected)
        self.server.visits, self.server.grants = [], []
        thread = threading.Thread(target=self.server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}/mcp"
        self.data = os.path.join(self.folder.name, "data")
        self.env = {**os.environ, "XDG_DATA_HOME": self.data, "HOME": self.folder.name}
        for name in ("BROWSER", "SQUALL_TOKEN", "http_proxy", "HTTP_PROXY", "all_proxy"):
            self.env.pop(name, None)

    def with_browser(self):
        """A browser that goes where it is sent, as a person who agrees at once."""
        path = os.path.join(self.folder.name, "browser")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"#!{sys.executable}\nimport sys, urllib.request\n"
                       "urllib.request.urlopen(sys.argv[1]).read()\n")
        os.chmod(path, 0o700)
        return {**self.env, "BROWSER": path}

    def test_opens_a_browser_once_and_keeps_the_credentials_for_their_owner(self):
        ran = run("call", self.url, "open", "--raw", env=self.with_browser())
        self.assertEqual((ran.returncode, ran.stdout), (0, "it is open\n"), ran.stderr)
        self.assertIn("A browser should open this address", ran.stderr)
        self.assertNotIn(TOKEN, ran.stderr)
        visit, grant = self.server.visits[0], self.server.grants[0]
        self.assertEqual((visit["client_id"], visit["code_challenge_method"], visit["resource"]),
                         ("registered", "S256", self.url))
        self.assertEqual((grant["grant_type"], grant["code"], grant["redirect_uri"]),
                         ("authorization_code", "c0de", visit["redirect_uri"]))
        kept = os.path.join(self.data, "squall", "credentials.json")
        self.assertEqual(stat.S_IMODE(os.stat(kept).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(os.path.dirname(kept)).st_mode), 0o700)

        again = run("call", self.url, "open", env=self.env)
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        self.assertEqual(len(self.server.visits), 1)

    def test_prints_the_address_when_no_browser_is_wanted(self):
        with Listening("call", self.url, "open", "--no-browser", "--client-id", "mine",
                       env={**self.env, "SQUALL_CLIENT_SECRET": "s3cret-of-mine"}) as caller:
            caller.err.until("Go to this address:\n  ")
            address = caller.err.until("\n")
            with urllib.request.urlopen(address, timeout=terminal.SECONDS_MAX) as page:
                self.assertEqual(page.status, 200)
            self.assertEqual(caller.out.rest(), "it is open\n")
            self.assertNotIn("s3cret-of-mine", caller.err.rest())
        self.assertEqual(self.server.visits[0]["client_id"], "mine")

    def test_says_what_to_do_where_nobody_can_log_in(self):
        ran = run("call", self.url, "open", env=self.env)
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertIn("--no-browser", ran.stderr)
        self.assertIn("SQUALL_TOKEN", ran.stderr)
        self.assertEqual(self.server.visits, [])

    def test_takes_a_token_that_somebody_else_got(self):
        ran = run("call", self.url, "open", env={**self.env, "SQUALL_TOKEN": TOKEN})
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        wrong = run("call", self.url, "open", env={**self.env, "SQUALL_TOKEN": "wrong-hunter2"})
        self.assertEqual(wrong.returncode, 1)
        self.assertNotIn("hunter2", wrong.stderr)
        self.assertEqual((self.server.visits, os.path.exists(self.data)), ([], False))


if __name__ == "__main__":
    terminal.main()
