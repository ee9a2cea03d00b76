"""squall-draw-1 a second time, straight from its description, to compare with."""

import hashlib
import json
from fractions import Fraction

ALL = (1 << 64) - 1


def netstring(text):
    data = text.encode()
    return b"%d:%s," % (len(data), data)


def draw(seed, rule, site, purpose, lane=0):
    fields = ("squall-draw-1", str(seed), rule, site, purpose, str(lane))
    digest = hashlib.sha256(b"".join(netstring(field) for field in fields)).digest()
    return int.from_bytes(digest[:8], "big")


def strikes(bits, probability):
    return bits * probability.denominator < probability.numerator << 64


def integer_in(bits, least, most):
    return least + ((bits * (most - least + 1)) >> 64)


def clz(number):
    return 64 - number.bit_length()


def rendezvous_exponent(bits):
    if bits == ALL:
        return 0
    k = clz(bits + 1)
    m = (bits + 1) << k
    r = 0
    for _ in range(32):
        p = m * m
        r *= 2
        if p >= 1 << 127:
            r += 1
            m = p >> 64
        else:
            m = p >> 63
    return ((k + 1) << 32) - r


def pick(seed, rule, site, purpose, options, lane=0):
    """The name among (name, weight) pairs."""
    candidates = [(Fraction(rendezvous_exponent(
        draw(seed, rule, site, f"pick:{name}:{purpose}", lane)), weight), name.encode())
        for name, weight in options if weight > 0]
    return min(candidates)[1].decode()


class Delays:
    """Distributions, over the tables of decision-tables.json."""

    LN2 = 2977044472

    def __init__(self, tables):
        self.log2, self.exp2, self.normal = tables["log2"], tables["exp2"], tables["normal"]

    def negative_log2(self, bits):
        s = (ALL - bits) | 1
        k = clz(s)
        y = s << k
        i, f = (y >> 56) & 127, (y >> 24) & 0xFFFFFFFF
        return ((k + 1) << 32) - (self.log2[i] + (((self.log2[i + 1] - self.log2[i]) * f) >> 32))

    def power(self, fraction):
        i, f = fraction >> 24, fraction & 0xFFFFFF
        return self.exp2[i] + (((self.exp2[i + 1] - self.exp2[i]) * f) >> 24)

    def up(self, value, t, most):
        n = t >> 32
        if n >= 31:
            return most
        return min((value * self.power(t & 0xFFFFFFFF) << n) >> 32, most)

    def down(self, value, t, most):
        n = -(-t >> 32)
        if n >= 63:
            return 0
        return min(value * self.power((n << 32) - t) >> (32 + n), most)

    def exponential(self, bits, mean, most):
        return min(mean * self.negative_log2(bits) * self.LN2 >> 64, most)

    def pareto(self, bits, scale, alpha, most):
        t = self.negative_log2(bits) * alpha.denominator // alpha.numerator
        return self.up(scale, t, most)

    def lognormal(self, bits, median, sigma, most):
        below = bits < 1 << 63
        x = (bits if below else ALL - bits) | 1
        k = clz(x)
        y = x << k
        i, f = (y >> 58) & 31, (y >> 26) & 0xFFFFFFFF
        outer, inner = self.normal[32 * k - i], self.normal[32 * k - i - 1]
        z = outer - (((outer - inner) * f) >> 32)
        t = z * sigma.numerator // sigma.denominator
        return (self.down if below else self.up)(median, t, most)


def burst_is_on(seed, rule, start, shortest, longest, tool, ordinal):
    for first in range(max(1, ordinal - longest + 1), ordinal + 1):
        site = json.dumps(["burst", tool, first], separators=(",", ":"), ensure_ascii=False)
        if strikes(draw(seed, rule, site, "fire"), start):
            length = integer_in(draw(seed, rule, site, "length"), shortest, longest)
            if length > ordinal - first:
                return True
    return False
