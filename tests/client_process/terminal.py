"""The program `squall` at a terminal and in a pipe."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
import unittest

SECONDS_MAX = 60
PROGRAM, EVERYTHING = "", ""


def main():
    """Runs the tests of the calling script: `x_test.py SQUALL EVERYTHING`."""
    global PROGRAM, EVERYTHING  # pylint: disable=global-statement
    PROGRAM, EVERYTHING = (os.path.abspath(name) for name in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])


def run(*words, **more):
    """In pipes, until it ends."""
    return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=SECONDS_MAX, check=False, **more)


class Reader:
    """Reads a descriptor until something has been seen."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.seen = ""

    def until(self, text):
        """Waits for the text behind what was waited for before."""
        deadline = time.monotonic() + SECONDS_MAX
        while text not in self.seen:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.descriptor], [], [], left)[0]:
                raise AssertionError(f"{text!r} never came; last: {self.seen[-500:]!r}")
            piece = self.piece()
            if not piece:
                raise AssertionError(f"it ended without {text!r}: {self.seen[-500:]!r}")
            self.seen += piece
        before, self.seen = self.seen.split(text, 1)
        return before

    def rest(self):
        while piece := self.piece():
            self.seen += piece
        return self.seen

    def piece(self):
        try:
            return os.read(self.descriptor, 1 << 16).decode(errors="replace")
        except OSError:  # a terminal hangs up
            return ""


class Listening:
    """`squall` in pipes, read as it goes."""

    def __init__(self, *words, **more):
        self.process = subprocess.Popen(
            [PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **more)
        self.out = Reader(self.process.stdout.fileno())
        self.err = Reader(self.process.stderr.fileno())

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        return self.process.wait(SECONDS_MAX)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


class Terminal:
    """`squall` on a terminal of its own: what it shows, and a keyboard."""

    def __init__(self, *words, env=None):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execve(PROGRAM, [PROGRAM, *words], {**os.environ, **(env or {})})
        self.screen = Reader(self.descriptor)
        self.code = None

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def wait(self):
        """What is still shown, and the exit code."""
        shown = self.screen.rest()
        _, status = os.waitpid(self.pid, 0)
        self.code = os.waitstatus_to_exitcode(status)
        return shown, self.code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.descriptor)
