# SPDX-License-Identifier: MIT
"""What the high setting of prans has before its bands' streams: stencils, tiles, classes and tables."""
import struct

from errors import need
from prans_common import chances, read_frequencies
from prans_model import LEVELS
from prans_stencils import FIXED, SHAPES, Stencil

PAD, FLAGS, CLASSES, TABLES, BANK, FREQUENT = 2048, 32, 24, 48, 64, 32


class Side:
    def __init__(self, r, model, tiles, starts):
        self.model, self.axes = model, model.axes
        model.direct_top, model.fine = r.bits(11), r.bits(6)
        numbers = chances()
        count = 1 + r.number(numbers)
        need(count <= BANK, 'prans: too many stencils')
        self.bank = [self.read_stencil(r, numbers) for _ in range(count)]
        self.tile = self.read_tiles(r, tiles, starts)
        self.classes = [self.read_classes(r, numbers) for _ in range(2)]
        need(self.classes[0][1], 'prans: no classes')
        self.read_tables(r)

    def read_stencil(self, r, numbers):
        number, phases = r.number(numbers), self.axes.phases
        need(number < len(FIXED) + len(SHAPES), 'prans: unknown stencil')
        if number < len(FIXED):
            dims, taps = FIXED[number]
            need(dims <= len(self.axes.step), 'prans: a stencil of more dimensions')
            return Stencil(phases, [(self.axes.offset(tap[:4]), [tap[4]] * phases) for tap in taps])
        offsets = self.axes.shape(number - len(FIXED))
        need(offsets, 'prans: a stencil of more dimensions')
        weights = []
        for _ in range(phases):
            for tap in range(len(offsets)):
                data = r.bits(32 if tap else 64)
                weight = struct.unpack('<f', struct.pack('<I', data))[0] if tap else \
                    struct.unpack('<d', struct.pack('<Q', data))[0]
                need(abs(weight) <= 2.0**64, 'prans: a weight is out of range')
                weights.append(weight)
        return Stencil(phases, [(offset, weights[tap::len(offsets)]) for tap, offset in enumerate(offsets)])

    def read_tiles(self, r, tiles, starts):
        same, other, before, was_same, result = chances(2), chances(BANK), 0, 0, []
        for tile in range(tiles):
            was_same = r.bit(same, was_same)
            if not was_same:
                before = r.tree(other, 6)
            need(before < len(self.bank), 'prans: a tile has no stencil')
            need(self.bank[before].reach <= starts[tile] + PAD, 'prans: a stencil reaches too far')
            result.append(self.bank[before])
        return result

    @staticmethod
    def read_classes(r, numbers):
        classes, of_level = r.number(numbers), []
        need(classes <= CLASSES, 'prans: too many classes')
        for number in range(classes):
            width = r.number(numbers)
            need(width <= LEVELS - len(of_level), 'prans: too many levels')
            of_level += [number] * width
        need(len(of_level) == LEVELS or not classes, 'prans: too few levels')
        return of_level or [0] * LEVELS, classes

    def read_tables(self, r):
        coins, distances = [chances(2 + BANK) for _ in range(3)], chances()
        self.known, likely = 0, 0

        def table(coin, likely):
            if self.known and r.bit(coin, 0):
                return likely
            if not self.known or r.bit(coin, 1):
                need(self.known < TABLES, 'prans: too many tables')
                self.known += 1
                return self.known - 1
            tree = coin[2:]
            result = r.tree(tree, 6)
            coin[2:] = tree
            need(result < self.known, 'prans: a table is unknown')
            return result

        self.table = []
        for i in range(self.classes[0][1] * FLAGS):
            likely = table(coins[i >= FLAGS], likely if i < FLAGS else self.table[i - FLAGS])
            self.table.append(likely)
        direct = []
        if self.classes[1][1]:
            for _ in range(self.classes[1][1] + 1):
                likely = table(coins[2], likely)
                direct.append(likely)
        self.direct = direct or [0]
        self.length = self.distance = 0
        self.frequent = []
        if r.bits(1):
            self.length = table(coins[2], likely)
            self.distance = table(coins[2], likely)
            frequents = r.number(distances)
            need(frequents <= FREQUENT, 'prans: too many frequent distances')
            self.frequent = [r.number(distances) for _ in range(frequents)]
            need(all(distance < 2**32 for distance in self.frequent), 'prans: a distance is too large')
        self.tables = []
        for frequency in read_frequencies(r, self.known):
            slots = []
            for symbol, f in enumerate(frequency):
                slots += [(symbol, f, i) for i in range(f)]
            self.tables.append(slots)
