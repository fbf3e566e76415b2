# SPDX-License-Identifier: MIT
"""Containers of prans' decimal domain: a few digits and a power of ten, and descriptions that are wrong."""
import math

from prans import lcg, pack, surface, with_fill
from streams import Wrong

DECIMAL, NEAREST = 6, 7


def numbered(number, digits, least):
    """Decimal number `number` of so many digits, from 10^least on, as text has it."""
    if not number:
        return 0.0
    power, rest = divmod(abs(number) - 1, 9 * 10**(digits - 1))
    return math.copysign(float(f'{10**(digits - 1) + rest}e{least - digits + 1 + power}'), number)


def rates(digits, least, decades, *extents):
    for value in surface(*extents):
        yield numbered(int(value * decades * 4.5 * 10**(digits - 1)), digits, least)


def scattered(digits, least, count):
    """Of any size, seldom of the least ones."""
    random = lcg(33)
    for _ in range(count):
        power = max(next(random) % 14, next(random) % 14)
        yield numbered(1 + power * 9 * 10**(digits - 1) + next(random) * 8191 % (9 * 10**(digits - 1)), digits, least)


def odd(values):
    """A few values that are none of the decimals."""
    return (math.pi * 10.0**(i % 7 - 3) if i % 307 == 5 else -0.0 if i % 411 == 9 else value for i, value in enumerate(values))


def make_good(make):
    for name, code, what, shape, data in (
            ('f32', 'f', 'four digits', '50x80', rates(4, -5, 9, 50, 80)),
            ('f64', 'd', 'six digits, and exceptions', '20x30x7', odd(rates(6, -12, 20, 20, 30, 7))),
            ('far-f64', 'd', 'powers of ten beyond those that are exact', '4000', scattered(9, -16, 4000)),
            ('nearest-f64', 'd', 'many powers of ten that are far beyond these', '3000', scattered(9, -33, 3000)),
            ('special-f64', 'd', 'five digits, with not a number in runs', '4x20x50',
             with_fill(rates(5, 2, 12, 4, 20, 50), math.nan))):
        make.unrepeated(f'decimals-{name}', what, f'{name}_{shape}.f{32 if code == "f" else 64}', pack(code, data), '--codec', 'prans')


def make_bad(make):
    wrong = Wrong(make, pack('f', rates(4, -5, 9, 50, 80)), 'f', 'prans', 'rates', '50x80', good='decimals-f32')
    wrong.name = 'decimals'
    # The domain in 3 bits, 0 special values in 3, the digits in 4, the decade in 7: as yet all bits are even chances.
    start = int.from_bytes(wrong.stream[8:11], 'big')
    assert start >> 21 == DECIMAL and start >> 18 & 7 == 0 and start >> 14 & 15 == 4

    def described(name, what, digits, decade, domain=DECIMAL):
        wrong.patched(name, what, '3B', 8, *(domain << 21 | digits << 14 | decade << 7 | start & 127).to_bytes(3, 'big'))

    decade = start >> 7 & 127
    described('digits-0', 'no digits', 0, decade)
    described('digits-8', 'more digits than single precision has', 8, decade)
    described('decade', 'the decade that there is not', 4, 0)
    described('nearest', 'decimals of single precision that are rounded once', 4, decade, NEAREST)
    wrong.patched('integers', 'decimals in the format of all dtypes before', 'B', 0, 1)
