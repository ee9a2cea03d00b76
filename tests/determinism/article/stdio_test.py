"""stdio_test.py ANSWERS SQUALL: the calls of the article, over stdio as in process."""

import json
import os
import subprocess
import sys
import unittest

SECONDS_MAX = 200
# More at once than are struck at one time by default would be passed over.
IN_FLIGHT_MAX = 300
PROGRAMS = []


def seen(result, error):
    """What of a response is the tool's, or a fault's."""
    if error:
        return json.dumps({"error": error}, sort_keys=True)
    kept = {key: result.get(key) for key in ("content", "structuredContent") if key in result}
    kept["isError"] = bool(result.get("isError", False))
    return json.dumps(kept, sort_keys=True)


class Article(unittest.TestCase):
    def test_over_stdio(self):
        lines = subprocess.run([PROGRAMS[0]], capture_output=True, text=True, check=True,
                               timeout=SECONDS_MAX).stdout.splitlines()
        self.assertEqual(len(lines), 3000)
        calls = [json.loads(line) for line in lines]
        server = subprocess.Popen(
            [PROGRAMS[1], "serve", "--tools", "examples", "--profile", "chaos", "--seed", "1337",
             "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait, SECONDS_MAX)
        self.addCleanup(server.stdin.close)
        answers, open_calls = {}, 0

        def send(message):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()

        def receive():
            answer = json.loads(server.stdout.readline())
            answers[answer["id"]] = seen(answer.get("result"), answer.get("error"))

        send({"id": "hello", "method": "initialize",
              "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                         "clientInfo": {"name": "article", "version": "1"}}})
        receive()
        send({"method": "notifications/initialized"})
        for number, call in enumerate(calls):
            if open_calls == IN_FLIGHT_MAX:
                receive()
                open_calls -= 1
            send({"id": number, "method": "tools/call",
                  "params": {"name": call["tool"], "arguments": call["arguments"]}})
            open_calls += 1
        for _ in range(open_calls):
            receive()

        wrong = [call for number, call in enumerate(calls)
                 if answers[number] != seen(call["result"], call["error"])]
        self.assertEqual(wrong, [])
        struck = sum(call["outcome"] != "success" for call in calls)
        self.assertGreater(struck, 200)  # that there was something to see


if __name__ == "__main__":
    PROGRAMS = [os.path.abspath(path) for path in sys.argv[1:]]
    unittest.main(argv=sys.argv[:1], verbosity=2)
