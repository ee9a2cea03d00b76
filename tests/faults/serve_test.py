"""serve_test.py SQUALL: faults in front of the built-in tools, as a client on stdio meets them."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

SECONDS_MAX = 100
PROGRAM = ""


class Server:
    """A served process and a client that has shaken hands with it."""

    def __init__(self, *words, **variables):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={"PATH": os.environ["PATH"], **variables})
        self.last = 0
        self.waiting = {}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={},
                 clientInfo={"name": "test", "version": "1"})
        self.answers()
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.last += 1
        self.waiting[self.last] = None
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        return self.last

    def call(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)

    def answers(self, left=0):
        """What came, by id, until no more than so many are under way."""
        while sum(answer is None for answer in self.waiting.values()) > left:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") in self.waiting:
                self.waiting[message["id"]] = message
        return self.waiting

    def end(self):
        _, told = self.process.communicate(timeout=SECONDS_MAX)
        return told


def balances(*words, count=60, **variables):
    """What the client sees of so many calls, as texts."""
    server = Server(*words, **variables)
    ids = [server.call("get_account_balance", account_id=f"ACC-{1000 + n}") for n in range(count)]
    answers = server.answers()
    seen = [json.dumps(answers[number].get("result", answers[number].get("error")), sort_keys=True)
            for number in ids]
    return seen, server.end()


class Serve(unittest.TestCase):
    def test_a_seed_repeats_what_strikes(self):
        clean, _ = balances("--tools", "examples")
        once, told = balances("--tools", "examples", "--profile", "quiet-corruption", "--seed", "7")
        again, _ = balances("--tools", "examples", "--profile", "quiet-corruption", "--seed=0x7")
        other, _ = balances("--tools", "examples", "--profile", "quiet-corruption", "--seed", "8")
        self.assertEqual(once, again)
        self.assertNotEqual(once, clean)
        self.assertNotEqual(once, other)
        self.assertIn("seed=7 (0x7) from=--seed", told)

    def test_a_forced_kind_strikes_everything_or_as_often_as_it_says(self):
        always, _ = balances("--tools", "examples", "--force", "error")
        self.assertTrue(all('"isError": true' in one for one in always))
        some, _ = balances("--tools", "examples", "--force", "error", "--probability", "1/3",
                           "--seed", "5")
        struck = sum('"isError": true' in one for one in some)
        self.assertTrue(5 < struck < 40, struck)

    def test_variables_name_what_the_command_line_does_not(self):
        by_variables, _ = balances("--tools", "examples", SQUALL_PROFILE="quiet-corruption",
                                   SQUALL_SEED="7")
        by_words, _ = balances("--tools", "examples", "--profile", "quiet-corruption", "--seed",
                               "7", SQUALL_PROFILE="off", SQUALL_SEED="9")
        self.assertEqual(by_variables, by_words)

    def test_a_recorded_run_verifies_and_plays_again_without_a_server(self):
        with tempfile.TemporaryDirectory() as folder:
            balances("--tools", "examples", "--profile", "loud-failure", "--seed", "7", "--record",
                     folder)
            case = os.path.join(folder, next(name for name in os.listdir(folder)))
            for words in (["verify", case], ["replay", case, "--mode", "sealed"],
                          ["replay", case, "--mode", "decide"]):
                ran = subprocess.run([PROGRAM, *words], capture_output=True, text=True,
                                     timeout=SECONDS_MAX, check=False)
                self.assertEqual(ran.returncode, 0, f"{words}: {ran.stdout}{ran.stderr}")

    def test_a_pinned_run_strikes_the_same_and_verifies(self):
        with tempfile.TemporaryDirectory() as folder:
            cases = os.path.join(folder, "cases")
            drawn, _ = balances("--tools", "examples", "--profile", "loud-failure", "--seed", "7",
                                "--record", cases)
            schedule = os.path.join(folder, "schedule.yaml")
            with open(schedule, "w", encoding="utf-8") as file:
                subprocess.run([PROGRAM, "pin", os.path.join(cases, os.listdir(cases)[0])],
                               stdout=file, timeout=SECONDS_MAX, check=True)
            again = os.path.join(folder, "again")
            pinned, _ = balances("--tools", "examples", "--profile", schedule, "--record", again)
            self.assertEqual(pinned, drawn)
            ran = subprocess.run([PROGRAM, "verify", os.path.join(again, os.listdir(again)[0])],
                                 capture_output=True, text=True, timeout=SECONDS_MAX, check=False)
            self.assertEqual(ran.returncode, 0, ran.stdout)
            ran = subprocess.run([PROGRAM, "serve", "--profile", schedule, "--force", "error"],
                                 capture_output=True, text=True, timeout=SECONDS_MAX, check=False,
                                 stdin=subprocess.DEVNULL)
            self.assertEqual(ran.returncode, 1)
            self.assertIn("in front of a schedule", ran.stderr)

    def test_it_refuses_what_makes_no_sense(self):
        for words, said in ((["--force", "eror"], "did you mean error?"),
                            (["--force", "error", "--probability", ".5"], "0.5"),
                            (["--probability", "1/2"], "needs --force"),
                            (["--profile", "no-such"], "no built-in profile"),
                            (["--tools", "all"], "must be fault, examples")):
            ran = subprocess.run([PROGRAM, "serve", *words], capture_output=True, text=True,
                                 timeout=SECONDS_MAX, check=False, stdin=subprocess.DEVNULL)
            self.assertEqual(ran.returncode, 1, words)
            self.assertIn(said, ran.stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1], verbosity=2)
