"""What `squall serve` makes of its pipes."""

import json
import os
import resource
import signal
import subprocess
import time
import unittest

import program
from program import Stdio, call, initialize, request

MEBIBYTE = 1 << 20


def pong(answer):
    return answer["result"]["content"][0]["text"].startswith('{"status":"ok"')


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Lines(unittest.TestCase):
    def check_alive(self, server, number="alive"):
        server.send(call(number, "ping"))
        answer = server.answer()
        self.assertEqual(answer["id"], number)
        self.assertTrue(pong(answer))

    def test_any_line_ending_and_byte_order_mark(self):
        with Stdio() as server:
            server.write(b"\xef\xbb\xbf" + json.dumps(call(1, "ping")).encode() + b"\r\n")
            server.write(b"\n\r\n" + json.dumps(call(2, "ping")).encode() + b"\n")
            self.assertEqual([server.answer()["id"] for _ in range(2)], [1, 2])
            self.assertEqual(server.end(), ([], 0))

    def test_any_cut(self):
        message = json.dumps(call("ä→😀\u2028", "ping"), ensure_ascii=False).encode() + b"\n"
        with Stdio() as server:
            for at in range(len(message)):
                server.write(message[at:at + 1])
            self.assertEqual(server.answer()["id"], "ä→😀\u2028")
            server.write(message * 50)
            for _ in range(50):
                self.assertEqual(server.answer()["id"], "ä→😀\u2028")

    def test_last_line_needs_no_ending(self):
        with Stdio() as server:
            server.write(json.dumps(call(1, "ping")).encode())
            answers, code = server.end()
            self.assertEqual(([answer["id"] for answer in answers], code), ([1], 0))

    def test_garbage_gets_an_error_and_the_server_lives_on(self):
        cases = {
            b"this is not json": -32700, b"{": -32700, b"\xff\xfe\x00": -32700,
            b'{"jsonrpc":"2.0","id":1,"method":"pi\x00ng"}': -32700, b"[" * 100_000: -32700,
            b"null": -32600, b"7": -32600, b'"text"': -32600, b"{}": -32600, b"[]": -32600,
            b"[1,2]": -32600, b'{"jsonrpc":"1.0","id":1,"method":"ping"}': -32600,
            b'{"jsonrpc":"2.0","id":null,"method":"ping"}': -32600,
            b'{"jsonrpc":"2.0","id":{"bad":1},"method":"ping"}': -32600,
            b'{"jsonrpc":"2.0","id":true,"method":"ping"}': -32600,
            b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}': -32600,
            b'{"jsonrpc":"2.0","id":1,"method":["ping"]}': -32600,
            b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}': -32700,
        }
        with Stdio() as server:
            for line, code in cases.items():
                server.write(line + b"\n")
                answer = server.answer()
                self.assertEqual(answer["error"]["code"], code, line[:80])
                self.assertNotEqual(answer.get("id"), 0)
                self.check_alive(server)
            self.assertEqual(server.end(), ([], 0))

    def test_oversize_is_refused_and_the_next_line_read(self):
        with Stdio() as server:
            for size in (17 * MEBIBYTE, 40 * MEBIBYTE):
                for _ in range(size // MEBIBYTE):
                    server.write(b"x" * MEBIBYTE)
                server.write(b"\n")
                answer = server.answer()
                self.assertEqual(answer["error"]["code"], -32700)
                self.assertIn("too large", answer["error"]["message"])
                self.check_alive(server)
            with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
                peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
            self.assertLess(peak, 60 * 1024, "a line is held once, and no more than the limit")

    def test_large_and_deep_messages_below_the_limits(self):
        with Stdio() as server:
            message = call(1, "ping")
            message["params"]["_meta"] = {**message["params"]["_meta"], "x/pad": "p" * 8 * MEBIBYTE}
            server.send(message)
            self.assertTrue(pong(server.answer()))
            digits = b"9" * 5000
            server.write(b'{"jsonrpc":"2.0","id":2,"method":"ping","params":{"n":%s}}\n' % digits)
            self.assertEqual(server.answer()["id"], 2)


class Ends(unittest.TestCase):
    def test_eof_drains_what_is_in_flight(self):
        with Stdio() as server:
            server.send(initialize(0), call(1, "ping", modern=False),
                        call(2, "delay", {"delayMs": 400}, modern=False), call(3, "ping"))
            answers, code = server.end()
            self.assertEqual(sorted(answer["id"] for answer in answers), [0, 1, 2, 3])
            self.assertEqual(code, 0)

    def test_eof_does_not_wait_for_what_hangs(self):
        with Stdio() as server:
            server.send(initialize(0), call(1, "hang", modern=False), call(2, "hang"),
                        request(3, "subscriptions/listen", {"notifications": {}}))
            begun = time.monotonic()
            answers, code = server.end()
            self.assertEqual(code, 0)
            self.assertLess(time.monotonic() - begun, 3)
        by_id = {answer["id"]: answer for answer in answers if "id" in answer}
        self.assertEqual(set(by_id), {0, 1, 2, 3})
        for hung in (1, 2):
            self.assertIn("stopping", by_id[hung]["error"]["message"])
        self.assertEqual(by_id[3]["result"]["resultType"], "complete")

    def check_broken(self, words, **streams):
        ran = subprocess.run([program.PROGRAM, "serve", "--quiet"], stderr=subprocess.PIPE,
                             text=True, check=False, timeout=program.SECONDS_MAX, **streams)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(words, ran.stderr)
        self.assertEqual(ran.stderr.count("\n"), 1)

    def test_a_stdout_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "wb") as full:
            self.check_broken("cannot write: no space left", stdout=full,
                              input=json.dumps(call(1, "ping")) + "\n")

    def test_a_stdin_that_cannot_be_read_is_an_error(self):
        folder = os.open("/tmp", os.O_RDONLY)
        self.addCleanup(os.close, folder)
        self.check_broken("cannot read: is a directory", stdin=folder, stdout=subprocess.DEVNULL)

    def test_closed_stdout_ends_it_quietly(self):
        with Stdio() as server:
            server.send(call(1, "delay", {"delayMs": 200}))
            server.process.stdout.close()
            server.process.stdin.close()
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)
            self.assertNotIn(b"terminate", server.process.stderr.read())

    def test_closed_stdout_with_stdin_open_neither_spins_nor_dies_by_a_signal(self):
        with Stdio() as server:
            server.process.stdout.close()
            for number in range(20):
                try:
                    server.send(call(number, "ping"))
                except BrokenPipeError:
                    break
            time.sleep(0.5)
            before = cpu_seconds(server.process.pid) if server.process.poll() is None else 0
            time.sleep(1)
            if server.process.poll() is None:
                self.assertLess(cpu_seconds(server.process.pid) - before, 0.2)
                server.process.stdin.close()
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)

    def test_full_stdout_neither_spins_nor_deadlocks(self):
        with Stdio() as server:
            message = json.dumps(request(1, "tools/list")).encode() + b"\n"
            os.set_blocking(server.process.stdin.fileno(), False)
            sent = refused = 0
            deadline = time.monotonic() + 20
            while refused < 20 and time.monotonic() < deadline:
                try:
                    # A raw pipe that takes nothing gives None.
                    if server.process.stdin.write(message) == len(message):
                        sent += 1
                        refused = 0
                        continue
                except BlockingIOError:
                    pass
                refused += 1
                time.sleep(0.02)
            self.assertEqual(refused, 20, "reading goes on although nothing is taken")
            before = cpu_seconds(server.process.pid)
            time.sleep(1)
            self.assertLess(cpu_seconds(server.process.pid) - before, 0.2)
            with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
                held = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
            self.assertLess(held, 64 * 1024)
            answers = 0
            while answers < sent:  # what was asked is answered once somebody reads
                self.assertIn("result", server.answer())
                answers += 1

    def test_stderr_that_nobody_reads_does_not_block(self):
        with Stdio("-v") as server:
            for number in range(2000):
                server.send(call(number, "ping"))
                self.assertEqual(server.answer()["id"], number)
            self.assertEqual(server.end(), ([], 0))

    def test_descriptors_are_not_leaked_by_calls(self):
        with Stdio() as server:
            folder = f"/proc/{server.process.pid}/fd"
            server.send(call(0, "ping"))
            server.answer()
            before = len(os.listdir(folder))
            for number in range(100):
                server.send(call(number, "ping"))
                server.answer()
            self.assertEqual(len(os.listdir(folder)), before)


class Output(unittest.TestCase):
    def test_stdout_carries_messages_alone(self):
        with Stdio("-v") as server:
            server.send(initialize(0), call(1, "ping", modern=False))
            server.write(b"garbage\n")
            server.send(call(2, "no_such_tool"), request(3, "no/such/method"))
            answers, code = server.end()
            self.assertEqual(code, 0)
            self.assertEqual(len(answers), 5)
            for answer in answers:
                self.assertEqual(answer["jsonrpc"], "2.0")

    def test_survives_a_limit_on_descriptors(self):
        limit = (16, 16)
        with Stdio(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit)) as server:
            server.send(call(1, "ping"))
            self.assertTrue(pong(server.answer()))
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(program.SECONDS_MAX), 0)


if __name__ == "__main__":
    program.main()
