# SPDX-License-Identifier: MIT
"""Containers of prans' format of sums: clocks, ramps and numbers of nodes, and streams that are wrong."""
from itertools import accumulate

from prans import lcg, pack
from streams import Wrong

SUMMED, FRONT = 15, 8


def clock(values, tick):
    """Times, in whole ticks."""
    return [(i * 34366769 >> 14) * tick for i in range(values)]


def steps(values, seed, most):
    """By a few patterns in no order."""
    random, left = lcg(seed), []
    patterns = [[next(random) % most for _ in range(50)] for _ in range(5)]
    for _ in range(values):
        left = left or list(patterns[next(random) % 5])
        yield left.pop()


def sweep(values):
    """Whose steps change by such."""
    return list(accumulate(accumulate(step - 5 * 10**5 for step in steps(values, 61, 10**6))))


def edges(rows):
    """Numbers of nodes, two in a row, which rise by such."""
    for node in accumulate(steps(rows, 67, 900)):
        yield from (node, node // 3)


def cells(side):
    """The four nodes of each cell of a mesh."""
    for y in range(side):
        for first in range(y * (side + 1), y * (side + 1) + side):
            yield from (first, first + 1, first + side + 2, first + side + 1)


def offsets(rows):
    """Lines that rise as a whole, by a few patterns."""
    for number in accumulate(steps(rows, 13, 5000)):
        yield from (number, number + 17, number + 902, number + 5511, number + 7)


def moves(rows):
    """Lines whose columns rise by a few patterns, all of them by the same one."""
    random, at, line = lcg(17), rows, [0] * 4
    patterns = [[[next(random) % 2000 for _ in range(4)] for _ in range(40)] for _ in range(4)]
    while at > 0:
        for step in patterns[next(random) % 4][:at]:
            line = [number + more for number, more in zip(line, step)]
            yield from line
            at -= 1


def make_good(make):
    make.unrepeated('summed-f64', 'times of a clock', 'clock_4000.f64', pack('d', clock(4000, 2**-10)), '--codec', 'prans')
    make.unrepeated('summed-high-f64', 'steps that return, in the high setting', 'sweep_3000.f64', pack('d', accumulate(steps(3000, 71, 2**40))),
                    '--codec', 'prans:setting=high')
    make.unrepeated('summed-sums-i64', 'sums of sums', 'sweep_4000.i64', pack('q', sweep(4000)), '--codec', 'prans')
    make.unrepeated('summed-columns-i32', 'columns', 'edges_2500x2.i32', pack('i', edges(2500)), '--codec', 'prans')
    make.unrepeated('summed-row-i32', 'a row, though there are columns', 'faces_3000x3.i32', pack('i', accumulate(steps(9000, 9, 700))), '--codec', 'prans')
    make.unrepeated('summed-lines-i32', 'lines', 'offsets_2500x5.i32', pack('i', offsets(2500)), '--codec', 'prans')
    make.unrepeated('summed-grid-i32', 'a grid of lines', 'moves_4000x4.i32', pack('i', moves(4000)), '--codec', 'prans')
    make.unrepeated('summed-planes-i32', 'a grid of columns', 'cells_3600x4.i32', pack('i', cells(60)), '--codec', 'prans')


def make_bad(make):
    wrong = Wrong(make, pack('q', sweep(4000)), 'q', 'prans', 'sweep', '4000', good='summed-sums-i64')
    assert wrong.stream[:3] == bytes((SUMMED, 2, 0))
    wrong.name = 'summed'
    wrong.lengths(2)
    wrong('front', 'the stream ends within its head', wrong.stream[:FRONT - 1])
    wrong.patched('order-0', 'no order', 'B', 1, 0)
    wrong.patched('order-3', 'an order that there is not', 'B', 1, 3)
    wrong.patched('columns', 'columns of a row', 'B', 2, 1)
    wrong.patched('lines', 'lines of a row', 'B', 2, 2)
    wrong.patched('grid', 'a grid of lines of a row', 'B', 2, 3)
    wrong.patched('planes', 'a grid of columns of a row', 'B', 2, 4)
    wrong.patched('along', 'a way that there is not', 'B', 2, 5)
    wrong.patched('reserved', 'a byte that must be 0', 'B', 3, 1)
    wrong.patched('description', 'a description, of which there is none', 'I', 4, 8)
    wrong.patched('nested', 'sums of sums', 'B', FRONT, SUMMED)
    columns = Wrong(make, pack('i', edges(2500)), 'i', 'prans', 'edges', '2500x2', good='summed-columns-i32')
    assert columns.stream[:3] == bytes((SUMMED, 1, 1))
    columns.name = 'summed-columns'
    columns.patched('none', 'a row in place of columns', 'B', 2, 0)
