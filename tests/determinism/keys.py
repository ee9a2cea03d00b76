"""Ten thousand keys, made from their number alone, and what the Python implementation says."""

import json
from fractions import Fraction

import squall_draw

COUNT = 10_000
TOOLS = ("search", "get_account_balance", "read_file", "w\u00fc\u6771\U0001F600", "a.b/c-d")
PURPOSES = ("fire", "delay", "length", "target", "mutate:/balance_minor", "operator:/a~1b")


def lines(tables):
    """One line a key: the draw and everything that can be made from it."""
    delays = squall_draw.Delays(tables)
    for n in range(COUNT):
        seed = (n * 0x9E3779B97F4A7C15 + n // 7) % (1 << 64) if n % 3 else n
        rule = f"rule-{n % 41}"
        tool = TOOLS[n % len(TOOLS)]
        site = '["call",%s,%d]' % (json.dumps(tool, ensure_ascii=False), n // 5 + 1)
        purpose, lane = PURPOSES[n % len(PURPOSES)], n % 8
        bits = squall_draw.draw(seed, rule, site, purpose, lane)
        options = [("one", n % 4), ("two", 1), ("three", 1 + n % 1000)]
        yield " ".join(str(value) for value in (
            f"{bits:016x}",
            int(squall_draw.strikes(bits, Fraction(n % 101, 100))),
            squall_draw.integer_in(bits, -(n % 500), n),
            squall_draw.pick(seed, rule, site, purpose, options, lane),
            delays.exponential(bits, 1 + n % 5000, 600_000),
            delays.pareto(bits, 1 + n % 5000, Fraction(1 + n % 40, 10), 600_000),
            delays.lognormal(bits, 1 + n % 5000, Fraction(n % 30, 10), 600_000),
            int(squall_draw.burst_is_on(seed, rule, Fraction(n % 30, 100), 1 + n % 3, 4, tool,
                                        n // 5 + 1)),
        ))
