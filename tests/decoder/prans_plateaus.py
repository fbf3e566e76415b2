# SPDX-License-Identifier: MIT
"""prans' format of plateaus: where values change, and the new ones."""
import math
import struct

from errors import need
from prans_common import Range, chances

FRONT, LEAST_ROW = 20, 8


class Chance:
    """Of 16 bits; moves fast at first."""

    def __init__(self):
        self.zero, self.seen = 32768, 0

    def read(self, r):
        bit = r.split((r.range >> 16) * self.zero)
        by = (self.seen + 2).bit_length() - 1
        self.zero += -((self.zero - 32) >> by) if bit else (65504 - self.zero) >> by
        self.seen += by < 6
        return bit


class Gaps:
    """How many values without edges around, of each kind, come before the next edge among them."""

    def __init__(self, data):
        self.range = Range(data)
        self.number, self.same = [chances() for _ in range(4)], [[2048] * 4 for _ in range(4)]
        self.last, self.history, self.left = [0] * 4, [0] * 4, [None] * 4

    def is_edge(self, kind):
        if self.left[kind] is None:
            same = self.range.bit(self.same[kind], self.history[kind])
            self.history[kind] = (2 * self.history[kind] + same) % 4
            if not same:
                self.last[kind] = self.range.number(self.number[kind])
            self.left[kind] = self.last[kind]
        edge = self.left[kind] == 0
        self.left[kind] = None if edge else self.left[kind] - 1
        return edge


def distances(extents):
    """From a value to that above it, and to that in the plane before; 0 if there is none."""
    axis = len(extents) - 1
    row = extents[axis]
    while axis and row < LEAST_ROW:
        axis -= 1
        row *= extents[axis]
    if not axis or row < LEAST_ROW:
        return 0, 0
    return row, row * extents[axis - 1] if axis > 1 else 0


def decode(row_of, stream, word_bytes, extents, parameters, kind):
    """row_of: decodes the stream within."""
    values = math.prod(extents)
    need(stream[1:8] == bytes(3) + struct.pack('<I', FRONT - 8) and len(stream) >= FRONT, 'prans: bad plateaus')
    count, fresh_bytes, edge_bytes = struct.unpack_from('<3I', stream, 8)
    need(0 < count <= values // 2, 'prans: no new values, or too many')
    at = FRONT + fresh_bytes
    need(at + edge_bytes <= len(stream), 'prans: edges behind the stream')
    fresh = stream[FRONT:at]
    if fresh_bytes != count * word_bytes:
        fresh = row_of(fresh, word_bytes, count, parameters, kind)
    fresh = iter([fresh[i:i + word_bytes] for i in range(0, len(fresh), word_bytes)])
    edges, gaps = Range(stream[at:at + edge_bytes]), Gaps(stream[at + edge_bytes:])
    words = restore(values, distances(extents), fresh, edges, gaps)
    need(next(fresh, None) is None, 'prans: new values that are not used')
    edges.done()
    gaps.range.done()
    return b''.join(words)


def restore(values, distance, fresh, edges, gaps):
    row, plane = distance
    edge_chances, copy_chances = [Chance() for _ in range(4096)], [[Chance() for _ in range(16)] for _ in range(4)]
    history, words, edge = [0] * 4, [next(fresh)], [1]
    looks = [(row + 2 - k, k) for k in range(5) if row] + [(plane + 6 - k, k) for k in range(5, 8) if plane] + [(1, 8), (2, 9)]
    before = words[0]
    for i in range(1, values):
        near = sum(edge[i - back] << k for back, k in looks if back <= i)
        left = words[-1]
        kind = (0 < row < i and words[i - row - 1] == left) + 2 * (0 < plane < i and words[i - plane - 1] == left)
        is_edge = edge_chances[4 * near + kind].read(edges) if near else gaps.is_edge(kind)
        edge.append(int(is_edge))
        if not is_edge:
            words.append(left)
            continue
        above, behind = 0 < row <= i, 0 < plane <= i
        around = (edge[i - row] if above else 0) + 2 * (kind % 2)
        choices = ((0, above, row), (1, behind, plane), (2, above, row - 1), (3, True, 0))
        seen, word = [left], None
        for k, there, back in choices:
            choice = before if k == 3 else words[i - back] if there else None
            if there and choice not in seen:
                hit = copy_chances[k][4 * history[k] + around].read(edges)
                history[k] = (2 * history[k] + hit) % 4
                if hit:
                    word = choice
                    break
                seen.append(choice)
        if word is None:
            word = next(fresh, None)
            need(word is not None, 'prans: more new values than there are')
        words.append(word)
        before = left
    return words
