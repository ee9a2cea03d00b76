"""The servers that are soaked."""

import json
import os
import queue
import signal
import subprocess
import threading
import time

START_SECONDS_MAX = 30
STOP_SECONDS_MAX = 30
ANSWER_SECONDS_MAX = 30


class Server:
    """A child process; its stderr goes to a file."""

    def __init__(self, name, folder, command, **pipes):
        self.name = name
        self.log = os.path.join(folder, name + ".log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stderr=log, **pipes)

    def is_running(self):
        return self.process.poll() is None

    def is_sanitized(self):
        with open(f"/proc/{self.process.pid}/maps", encoding="ascii", errors="replace") as maps:
            text = maps.read()
        with open(f"/proc/{self.process.pid}/exe", "rb") as program:
            return "asan" in text or b"__asan_init" in program.read()

    def resident_kib(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def stop(self):
        """The exit code after SIGTERM, and what stderr held."""
        if self.is_running():
            self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "no end: it had to be killed"
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return code, log.read()


class HttpServer(Server):
    kind = "http"

    def __init__(self, name, folder, command):
        port_file = os.path.join(folder, name + ".port")
        super().__init__(name, folder, [*command, "--transport", "http", "--port", "0",
                                        "--port-file", port_file],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + START_SECONDS_MAX
        while not os.path.exists(port_file):
            if time.monotonic() > deadline or not self.is_running():
                raise SystemExit(f"{name} did not start: {self.stop()}")
            time.sleep(0.02)
        with open(port_file, encoding="ascii") as file:
            self.port = int(file.read())


class StdioServer(Server):
    """Many callers on one pair of pipes, answers sorted out by id."""

    kind = "stdio"

    def __init__(self, name, folder, command):
        super().__init__(name, folder, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lock = threading.Lock()
        self.waiting = {}
        self.next = 0
        self.strays = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                continue
            with self.lock:
                waiter = self.waiting.pop(message.get("id"), None)
            if waiter is not None:
                waiter.put(message)
            elif message.get("id") is not None:
                self.strays.append(message)

    def write(self, data):
        with self.lock:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def new_id(self):
        with self.lock:
            self.next += 1
            return f"soak-{self.next}"

    def ask(self, message):
        """Sends a request; gives what its answer will come through."""
        answer = queue.Queue()
        with self.lock:
            self.waiting[message["id"]] = answer
        self.write(json.dumps(message).encode() + b"\n")
        return answer

    def forget(self, number):
        with self.lock:
            self.waiting.pop(number, None)
