# SPDX-License-Identifier: MIT
"""Deflates as zlib does; written from man/fpgz-deflate.5 alone, to prove that the page is enough."""
import zlib

LEVELS = {1: (None, 4, 8, 4), 2: (None, 5, 16, 8), 3: (None, 6, 32, 32), 4: (4, 4, 16, 16), 5: (8, 16, 32, 32),
          6: (8, 16, 128, 128), 7: (8, 32, 128, 256), 8: (32, 128, 258, 1024), 9: (32, 258, 258, 4096)}
END = 256
LENGTHS, DISTANCES = [], []     # of each symbol: the first value and the number of extra bits
for _extra in (0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5):
    LENGTHS.append((LENGTHS[-1][0] + (1 << LENGTHS[-1][1]) if LENGTHS else 3, _extra))
LENGTHS.append((258, 0))
for _extra in (0, 0, *(bits for bits in range(14) for _ in (0, 1))):
    DISTANCES.append((DISTANCES[-1][0] + (1 << DISTANCES[-1][1]) if DISTANCES else 1, _extra))
ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
DESCRIPTION_EXTRA = {16: 2, 17: 3, 18: 7}


class Bits:
    """Bits, the least significant of each byte first."""

    def __init__(self):
        self.value, self.count, self.bytes = 0, 0, bytearray()

    def put(self, value, count):
        self.value |= value << self.count
        self.count += count
        while self.count >= 8:
            self.bytes.append(self.value & 255)
            self.value >>= 8
            self.count -= 8

    def align(self):
        self.put(0, -self.count % 8)


def symbol_of(table, value):
    """The last symbol that begins at or below the value, its extra bits, and what they hold."""
    symbol = max(i for i, (first, _) in enumerate(table) if first <= value)
    return symbol, table[symbol][1], value - table[symbol][0]


def comes_before(a, b):
    return a[:2] <= b[:2]


def sink(heap, i):
    """heap[0] is not used; a node is (count, height, number)."""
    value = heap[i]
    while 2 * i < len(heap):
        j = 2 * i
        if j + 1 < len(heap) and comes_before(heap[j + 1], heap[j]):
            j += 1
        if comes_before(value, heap[j]):
            break
        heap[i], i = heap[j], j
    heap[i] = value


def code_lengths(counts, limit):
    heap = [None] + [(count, 0, symbol) for symbol, count in enumerate(counts) if count]
    while len(heap) < 3:
        last = max((node[2] for node in heap[1:]), default=-1)
        heap.append((1, 0, last + 1 if last < 2 else 0))
    for i in range((len(heap) - 1) // 2, 0, -1):
        sink(heap, i)
    listed, parents, number = [], {}, len(counts)
    while len(heap) > 2:
        a, last = heap[1], heap.pop()
        heap[1] = last
        sink(heap, 1)
        b = heap[1]
        listed += a[2], b[2]
        parents[a[2]] = parents[b[2]] = number
        heap[1] = (a[0] + b[0], max(a[1], b[1]) + 1, number)
        sink(heap, 1)
        number += 1
    root = heap[1][2]
    depths, cut = {root: 0}, 0
    for node in reversed(listed):
        depth = depths[parents[node]] + 1
        cut += depth > limit
        depths[node] = min(depth, limit)
    symbols = [node for node in listed if node < len(counts)]
    if cut:
        numbers = [sum(depths[symbol] == bits for symbol in symbols) for bits in range(limit + 1)]
        while cut > 0:
            bits = max(bits for bits in range(1, limit) if numbers[bits])
            numbers[bits] -= 1
            numbers[bits + 1] += 2
            numbers[limit] -= 1
            cut -= 2
        lengths = [bits for bits in range(limit, 0, -1) for _ in range(numbers[bits])]
        depths = dict(zip(symbols, lengths, strict=True))
    return [depths[symbol] if symbol in symbols else 0 for symbol in range(len(counts))]


def codes_of(lengths):
    """(bits in the order in which they are written, their number) of each symbol: RFC 1951, section 3.2.2."""
    code, codes = 0, [(0, 0)] * len(lengths)
    for bits in range(1, 16):
        for symbol, length in enumerate(lengths):
            if length == bits:
                codes[symbol] = (int(f'{code:0{bits}b}'[::-1], 2), bits)
                code += 1
        code <<= 1
    return codes


def used(lengths):
    return max(i for i, length in enumerate(lengths) if length) + 1


def description_items(lengths):
    """(symbol, value of its extra bits) for the lengths of one code."""
    at, before = 0, None
    while at < len(lengths):
        length = lengths[at]
        most = 138 if length == 0 else 6 if length == before else 7
        run = 1
        while run < most and at + run < len(lengths) and lengths[at + run] == length:
            run += 1
        if length == 0:
            yield from [(0, 0)] * run if run < 3 else [(17, run - 3)] if run <= 10 else [(18, run - 11)]
        elif length == before:
            yield from [(length, 0)] * run if run < 3 else [(16, run - 3)]
        else:
            yield from [(length, 0)] * run if run < 4 else [(length, 0), (16, run - 4)]
        at, before = at + run, length


FIXED = ([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8, [5] * 30)


class Encoder:
    def __init__(self, data, level, memory_level):
        self.data, self.level = data, level
        self.good, self.lazy, self.nice, self.chain = LEVELS[level]
        self.block_symbols = {8: 16383, 9: 32767}[memory_level]
        self.shift, self.mask = {8: (5, 0x7FFF), 9: (6, 0xFFFF)}[memory_level]
        self.base, self.positions = 0, {}
        self.bits, self.symbols, self.begin, self.covered = Bits(), [], 0, 0

    def insert(self, p):
        """Returns the positions of the same hash that were inserted before, the last one last."""
        data = self.data
        key = (data[p] << 2 * self.shift ^ data[p + 1] << self.shift ^ data[p + 2]) & self.mask
        chain = self.positions.setdefault(key, [])
        chain.append(p)
        return chain

    def slide(self, p):
        if p >= self.base + 65274 and min(len(self.data), self.base + 65536) - p < 262:
            self.base += 32768

    def search(self, p, chain, longer, limit):
        """(length, distance) of the longest match above `longer`, or None; chain[-1] is p."""
        data, most, result = self.data, min(258, len(self.data) - p), None
        for nth in range(1, min(limit, len(chain) - 1) + 1):
            c = chain[-1 - nth]
            if c <= self.base or p - c > 32506 or (nth > 1 and p - c == 32506):
                break
            length = 0
            while length < most and data[c + length] == data[p + length]:
                length += 1
            if length > longer:
                result, longer = (length, p - c), length
                if length >= min(self.nice, len(data) - p):
                    break
        return result

    def literal(self, byte):
        self.symbols.append((byte, None))
        self.covered += 1

    def match(self, length, distance):
        self.symbols.append((length, distance))
        self.covered += length

    def block_is_full(self):
        return len(self.symbols) == self.block_symbols

    def fast(self):
        p, n = 0, len(self.data)
        while p < n:
            self.slide(p)
            result = self.search(p, self.insert(p), 2, self.chain) if p + 3 <= n else None
            if result:
                self.match(*result)
                if result[0] <= self.lazy and p + result[0] + 3 <= n:
                    for q in range(p + 1, p + result[0]):
                        self.insert(q)
                p += result[0]
            else:
                self.literal(self.data[p])
                p += 1
            if self.block_is_full():
                self.end_block(False)

    def slow(self):
        p, n, before, waits = 0, len(self.data), (0, 0), False
        while p < n:
            self.slide(p)
            found, count = (0, 0), len(self.symbols)
            if p + 3 <= n:
                chain = self.insert(p)
                if before[0] < self.lazy:
                    limit = self.chain // 4 if before[0] >= self.good else self.chain
                    result = self.search(p, chain, max(before[0], 2), limit)
                    if result and not (result[0] == 3 and result[1] > 4096):
                        found = result
            if before[0] >= 3 and found[0] <= before[0]:
                self.match(*before)
                for q in range(p + 1, p + before[0] - 1):
                    if q + 3 <= n:
                        self.insert(q)
                p, before, waits = p + before[0] - 1, (0, 0), False
            else:
                if waits:
                    self.literal(self.data[p - 1])
                p, before, waits = p + 1, found, True
            if len(self.symbols) > count and self.block_is_full():
                self.end_block(False)
        if waits:
            self.literal(self.data[n - 1])

    def end_block(self, last):
        parts = []      # (which code, symbol, extra bits, their value)
        for value, distance in self.symbols:
            if distance is None:
                parts.append((0, value, 0, 0))
            else:
                symbol, extra, rest = symbol_of(LENGTHS, value)
                parts += (0, END + 1 + symbol, extra, rest), (1, *symbol_of(DISTANCES, distance))
        parts.append((0, END, 0, 0))
        counts = [0] * 286, [0] * 30
        for which, symbol, _, _ in parts:
            counts[which][symbol] += 1
        own = [code_lengths(count, 15) for count in counts]
        items = [item for lengths in own for item in description_items(lengths[:used(lengths)])]
        item_counts = [sum(item[0] == symbol for item in items) for symbol in range(19)]
        item_lengths = code_lengths(item_counts, 7)
        listed = max(4, max(i + 1 for i in range(19) if item_lengths[ORDER[i]]))
        description = 14 + 3 * listed + sum(item_lengths[symbol] + DESCRIPTION_EXTRA.get(symbol, 0) for symbol, _ in items)
        fixed_bits, own_bits = (sum(lengths[which][symbol] + extra for which, symbol, extra, _ in parts)
                                for lengths in (FIXED, own))
        fixed, dynamic = (fixed_bits + 10) // 8, (own_bits + description + 10) // 8
        raw = self.data[self.begin:self.covered]
        if len(raw) + 4 <= min(fixed, dynamic) and self.begin >= self.base:
            self.bits.put(0 << 1 | last, 3)
            self.bits.align()
            self.bits.put(len(raw), 16)
            self.bits.put(len(raw) ^ 0xFFFF, 16)
            self.bits.bytes += raw
        elif fixed <= dynamic:
            self.bits.put(1 << 1 | last, 3)
            self.write(parts, FIXED)
        else:
            self.bits.put(2 << 1 | last, 3)
            self.bits.put(used(own[0]) - 257, 5)
            self.bits.put(used(own[1]) - 1, 5)
            self.bits.put(listed - 4, 4)
            for symbol in ORDER[:listed]:
                self.bits.put(item_lengths[symbol], 3)
            codes = codes_of(item_lengths)
            for symbol, value in items:
                self.bits.put(*codes[symbol])
                self.bits.put(value, DESCRIPTION_EXTRA.get(symbol, 0))
            self.write(parts, own)
        self.symbols, self.begin = [], self.covered

    def write(self, parts, lengths):
        codes = [codes_of(part) for part in lengths]
        for which, symbol, extra, value in parts:
            self.bits.put(*codes[which][symbol])
            self.bits.put(value, extra)

    def run(self):
        if self.level < 4:
            self.fast()
        else:
            self.slow()
        self.end_block(True)
        self.bits.align()
        return bytes(self.bits.bytes)


def deflate(data, level, memory_level=8, bare=False):
    """The stream that zlib 1.2 makes of the bytes at once."""
    stream = Encoder(data, level, memory_level).run()
    if bare:
        return stream
    head = {1: b'\x78\x01', 6: b'\x78\x9c'}.get(level, b'\x78\x5e' if level < 6 else b'\x78\xda')
    return head + stream + zlib.adler32(data).to_bytes(4, 'big')
