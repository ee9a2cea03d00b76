"""`squall serve` with a certificate, made here by the openssl command."""

import http.client
import json
import os
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

import program
from program import Http, Stdio, call


def make_certificate(folder, name):
    certificate, key = (os.path.join(folder, f"{name}.{kind}") for kind in ("crt", "key"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
    return certificate, key


class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.certificate, cls.key = make_certificate(cls.folder.name, "server")
        cls.words = ["--tls-cert", cls.certificate, "--tls-key", cls.key]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def client(self, server, **options):
        context = ssl.create_default_context(cafile=self.certificate)
        for name, value in options.items():
            setattr(context, name, value)
        return http.client.HTTPSConnection("127.0.0.1", server.port, context=context,
                                           timeout=program.SECONDS_MAX)

    def ping(self, connection, pad=""):
        message = call(1, "ping")
        message["params"]["_meta"] = {**program.META, "x/pad": pad}
        connection.request("POST", "/mcp", json.dumps(message), {
            "Content-Type": "application/json", "Mcp-Method": "tools/call", "Mcp-Name": "ping",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": program.MODERN})
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    def test_serves_in_both_versions_on_several_loops(self):
        with Http(*self.words, "--threads", "2") as server:
            self.assertTrue(server.url.startswith("https://"))
            for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
                for _ in range(4):
                    connection = self.client(server, maximum_version=version,
                                             minimum_version=version)
                    for _ in range(3):  # kept alive
                        status, answer = self.ping(connection)
                        self.assertEqual((status, answer["id"]), (200, 1))
                    connection.close()
            self.assertEqual(server.terminate()[0], 0)

    def test_takes_large_bodies_and_refuses_larger_ones(self):
        with Http(*self.words) as server:
            connection = self.client(server)
            self.assertEqual(self.ping(connection, "p" * 3_000_000)[0], 200)
            self.assertEqual(self.ping(connection)[0], 200)
            connection.close()

    def test_plain_peers_and_garbage_leave_others_alone(self):
        with Http(*self.words) as server:
            for data in (b"GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\0" * 100_000,
                         b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", os.urandom(5000)):
                with socket.create_connection(("127.0.0.1", server.port)) as raw:
                    raw.settimeout(program.SECONDS_MAX)
                    try:
                        raw.sendall(data)
                        raw.shutdown(socket.SHUT_WR)
                        while raw.recv(4096):
                            pass
                    except OSError:
                        pass
                self.assertEqual(self.ping(self.client(server))[0], 200)
            self.assertEqual(server.terminate()[0], 0)

    def test_a_handshake_that_does_not_come_is_ended(self):
        with Http(*self.words, "--header-timeout", "300ms") as server:
            raw = server.socket()
            raw.sendall(b"\x16\x03\x01")
            begun = time.monotonic()
            try:
                self.assertEqual(raw.recv(1), b"")
            except ConnectionResetError:
                pass
            self.assertLess(time.monotonic() - begun, 5)

    def test_refuses_old_versions(self):
        with Http(*self.words) as server:
            context = ssl.create_default_context(cafile=self.certificate)
            context.set_ciphers("DEFAULT@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
            context.maximum_version = ssl.TLSVersion.TLSv1_1
            with self.assertRaises((ssl.SSLError, ConnectionResetError)):
                with socket.create_connection(("127.0.0.1", server.port)) as raw:
                    context.wrap_socket(raw, server_hostname="localhost")

    def test_open_streams_end_well(self):
        with Http(*self.words) as server:
            connection = self.client(server)
            message = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
                       "params": {"notifications": {"toolsListChanged": True},
                                  "_meta": program.META}}
            connection.request("POST", "/mcp", json.dumps(message), {
                "Content-Type": "application/json", "Mcp-Method": "subscriptions/listen",
                "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": program.MODERN})
            response = connection.getresponse()
            self.assertEqual(server.terminate()[0], 0)
            self.assertIn(b'"resultType":"complete"', response.read())
            connection.close()

    def test_errors_name_the_file(self):
        other = make_certificate(self.folder.name, "other")
        missing = os.path.join(self.folder.name, "missing.pem")
        for certificate, key, named in ((missing, self.key, missing),
                                        (self.certificate, missing, missing),
                                        (self.key, self.key, self.key),
                                        (self.certificate, other[1], other[1])):
            ran = subprocess.run(
                [program.PROGRAM, "serve", "--transport", "http", "--port", "0", "--tls-cert",
                 certificate, "--tls-key", key], capture_output=True, text=True, check=False,
                timeout=program.SECONDS_MAX)
            self.assertEqual(ran.returncode, 1)
            self.assertIn(named, ran.stderr)
            self.assertNotIn("unknown reason", ran.stderr)
            if named == missing:
                self.assertIn("No such file", ran.stderr)
            self.assertEqual(ran.stderr.count("\n"), 1)

    def test_needs_http(self):
        ran = subprocess.run([program.PROGRAM, "serve", "--tls-cert", self.certificate],
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("--tls-cert", ran.stderr)

    def test_nothing_of_openssl_is_touched_without_a_certificate(self):
        # OpenSSL reads its configuration when it starts, and from this pipe it would read for ever.
        pipe = os.path.join(self.folder.name, "configuration")
        os.mkfifo(pipe)
        with Stdio(env={**os.environ, "OPENSSL_CONF": pipe}) as server:
            server.send(call(1, "ping"))
            self.assertEqual(server.answer()["id"], 1)
            self.assertEqual(server.end(), ([], 0))


if __name__ == "__main__":
    program.main()
