# SPDX-License-Identifier: MIT
"""The high setting of prans: stencils chosen per tile, residuals as symbols in contexts, matches, rANS."""
import math
import struct

import prans_refinement
from errors import need
from prans_common import SCALE, SYMBOLS, Domain, Range, chances, read_frequencies, word_format

TILE, PAD, RUN, NEAR, NEAR_LEAST = 2048, 2048, 64, 16, 3
LEVELS, FLAGS, CLASSES, TABLES, BANK, FINE = 160, 32, 24, 48, 64, 18
MATCH, ESCAPE, RAW, EXACT = 4, 5, 6, 8
REPEATS, FREQUENT = 4, 32

# Fixed stencils: the dimensions that they need, then (steps back along x, y, z, t, weight). "axes" makes the
# Lorenzo stencil of some axes.


def lorenzo(*axes):
    taps = []
    for subset in range(1, 2**len(axes)):
        back = [0] * 4
        for i, axis in enumerate(axes):
            back[axis] = subset >> i & 1
        taps.append((*back, 1.0 if sum(back) % 2 else -1.0))
    return taps


X, Y, Z, T = range(4)
FIXED = (
    (0, []),
    (1, [(1, 0, 0, 0, 1.0)]),
    (1, [(1, 0, 0, 0, 2.0), (2, 0, 0, 0, -1.0)]),
    (1, [(1, 0, 0, 0, 3.0), (2, 0, 0, 0, -3.0), (3, 0, 0, 0, 1.0)]),
    (1, [(1, 0, 0, 0, 1.5), (2, 0, 0, 0, -0.5)]),
    (2, [(0, 1, 0, 0, 1.0)]),
    (2, lorenzo(X, Y)),
    (2, [(0, 1, 0, 0, 2.0), (0, 2, 0, 0, -1.0)]),
    (2, [(1, 0, 0, 0, 2.0), (2, 0, 0, 0, -1.0), (0, 1, 0, 0, 1.0), (1, 1, 0, 0, -2.0), (2, 1, 0, 0, 1.0)]),
    (2, [(1, 0, 0, 0, 0.5), (0, 1, 0, 0, 0.5)]),
    (3, lorenzo(Z)),
    (3, lorenzo(X, Z)),
    (3, lorenzo(Y, Z)),
    (3, [(1, 0, 0, 0, 1.0), (0, 1, 0, 0, 1.0), (0, 0, 1, 0, 1.0), (1, 1, 0, 0, -1.0), (1, 0, 1, 0, -1.0),
         (0, 1, 1, 0, -1.0), (1, 1, 1, 0, 1.0)]),
    (4, lorenzo(T)),
    (4, lorenzo(X, T)),
    (4, [(1, 0, 0, 0, 1.0), (0, 1, 0, 0, 1.0), (0, 0, 1, 0, 1.0), (0, 0, 0, 1, 1.0),
         (1, 1, 0, 0, -1.0), (1, 0, 1, 0, -1.0), (1, 0, 0, 1, -1.0), (0, 1, 1, 0, -1.0), (0, 1, 0, 1, -1.0),
         (0, 0, 1, 1, -1.0), (1, 1, 1, 0, 1.0), (1, 1, 0, 1, 1.0), (1, 0, 1, 1, 1.0), (0, 1, 1, 1, 1.0),
         (1, 1, 1, 1, -1.0)]),
)
SPACE = [(1, 0, 0, 0), (2, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0), (-1, 1, 0, 0), (0, 2, 0, 0), (0, 0, 1, 0), (1, 0, 1, 0),
         (-1, 0, 1, 0), (0, 1, 1, 0), (0, -1, 1, 0), (1, 1, 1, 0), (-1, 1, 1, 0), (0, 0, 2, 0), (3, 0, 0, 0)]
SHAPES = (
    (1, [(back, 0, 0, 0) for back in range(1, 13)]),
    (2, [(1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0), (-1, 1, 0, 0), (2, 0, 0, 0), (0, 2, 0, 0), (2, 1, 0, 0), (-2, 1, 0, 0),
         (1, 2, 0, 0), (-1, 2, 0, 0), (3, 0, 0, 0)]),
    (3, SPACE),
    (4, SPACE + [(0, 0, 0, 1), (1, 0, 0, 1), (-1, 0, 0, 1), (0, 1, 0, 1), (0, -1, 0, 1), (0, 0, 1, 1), (0, 0, -1, 1),
                 (0, 0, 0, 2)]),
    (2, [(1, 0, 0, 0), (2, 0, 0, 0), (3, 0, 0, 0), (4, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0), (-1, 1, 0, 0), (0, 0, 1, 0)]),
    (1, [(1, 0, 0, 0)]),
)
COMPONENTS, ALL_NEAR = 4, 5


class Axes:
    def __init__(self, extents):
        self.phases, self.step, distance = 1, [], 1
        for extent in reversed(extents):
            if extent > 1:
                if not self.step and self.phases * extent <= 4:
                    self.phases *= extent
                else:
                    self.step.append(distance)
            distance *= extent
        if not self.step:
            self.phases, self.step = 1, [1]

    def offset(self, back):
        """0 where the neighbour does not lie before, or along an axis that is none."""
        if any(b and axis >= len(self.step) for axis, b in enumerate(back)):
            return 0
        return max(0, sum(b * step for b, step in zip(back, self.step)))

    def shape(self, number):
        dims, taps = SHAPES[number]
        if dims > len(self.step) or (number >= COMPONENTS) != (self.phases > 1):
            return []
        if number == ALL_NEAR and len(self.step) > 1:
            return []
        offsets = [self.offset(tap) for tap in taps if self.offset(tap)]
        if number == COMPONENTS:
            offsets += [back for back in range(1, 2 * self.phases) if back != self.phases]
        if number == ALL_NEAR:
            offsets += [back for back in range(1, NEAR + 1) if back != self.phases]
        return offsets

    def all_offsets(self):
        for dims, taps in FIXED:
            if dims <= len(self.step):
                yield from (self.offset(tap[:4]) for tap in taps)
        for number in range(len(SHAPES)):
            yield from self.shape(number)


class Stencil:
    """Taps as [offset, weight of each phase]: far ones in their order, near ones from the farthest."""

    def __init__(self, phases, taps):
        self.far, near = {}, {back: [0.0] * phases for back in range(1, NEAR_LEAST + 1)}
        for offset, weights in taps:
            place = near if offset <= NEAR else self.far
            old = place.setdefault(offset, [0.0] * phases)
            place[offset] = [a + b for a, b in zip(old, weights)]
        for back in range(1, max(near)):
            near.setdefault(back, [0.0] * phases)
        self.taps = list(self.far.items()) + sorted(near.items(), reverse=True)
        self.reach = max((offset for offset, _ in taps), default=0)


class Model:
    def __init__(self, axes, domain, word_bytes):
        self.axes, self.bits = axes, 8 * word_bytes
        self.mantissa = 23 if word_bytes == 4 else 52
        self.exponents = (1 << self.bits - 1 - self.mantissa) - 1
        self.format = word_format(word_bytes), 'f' if word_bytes == 4 else 'd'
        self.float = domain.id in (Domain.FLOAT, Domain.SPLIT)
        self.slab, self.slabs = (domain.slab, domain.slabs) if domain.id == Domain.SLAB else (0, ())
        self.shift = domain.shift if self.float else 0
        self.specials = bool(domain.specials)
        step = axes.step + [0] * 3
        far = [step[1], step[2]], [step[1] + step[0], step[1] - step[0]] if step[1] else []
        self.energies = [offset for offset in far[0] if offset > NEAR]
        self.signs = len(self.energies)
        self.energies += [offset for offset in far[1] if offset > NEAR]
        # Besides W: the value before, if it is of another component, and WW, as far as N and F leave flags.
        self.near_signs = [axes.phases] + ([1] * (axes.phases > 1) + [2 * axes.phases])[:2 - self.signs]
        self.run = RUN
        for offset in self.energies + list(axes.all_offsets()):
            while NEAR < offset < self.run:
                self.run //= 2

    def word(self, real):
        try:
            return int.from_bytes(struct.pack('<' + self.format[1], real), 'little')
        except OverflowError:
            return self.exponents << self.mantissa | (real < 0) << self.bits - 1

    def real(self, word):
        return struct.unpack('<' + self.format[1], struct.pack('<' + self.format[0], word))[0]

    def rounded(self, real):
        return self.real(self.word(real))

    def finite(self, word):
        return word >> self.mantissa & self.exponents != self.exponents

    def place(self, word):
        return word ^ 2**self.bits - 1 if word >> self.bits - 1 else word | 1 << self.bits - 1

    def nearest(self, total):
        limit = 2.0**30 if self.bits == 32 else 2.0**51
        total = total if total < limit else limit
        total = total if total > -limit else -limit
        return total + 1.5 * 2**52 - 1.5 * 2**52

    def settle(self, total, lattice):
        """A sum as a prediction: the value, and its integer."""
        if self.float or lattice:
            word = self.word(total)
            if not self.finite(word):
                word = 0
            if lattice:
                origin, step = lattice
                return self.real(word), int(self.nearest((self.real(word) - origin) * (1 / step))) % 2**self.bits
            half = 1 << self.shift - 1 if self.shift else 0
            return self.real(word), (self.place(word) + half) % 2**self.bits >> self.shift
        nearest = self.nearest(total)
        return self.rounded(nearest), int(nearest) % 2**self.bits

    def value(self, index, lattice):
        """The word of what an integer stands for in predictions."""
        if not self.float:
            origin, step = lattice or (0.0, 1.0)
            return self.word(origin + (index - (index >> self.bits - 1 << self.bits)) * step)
        place = index << self.shift & 2**self.bits - 1
        word = place ^ 1 << self.bits - 1 if place >> self.bits - 1 else place ^ 2**self.bits - 1
        return word >> self.shift << self.shift

    def difference(self, real, predicted):
        word = self.word(real - predicted)
        return self.real(word) if self.finite(word) else math.inf

    def level(self, energy, predicted, direct, lattice):
        level = self.word(energy) >> self.mantissa - 1
        if direct:
            level = 2 * self.direct_top + 4 - level
        elif self.float:
            exponent = self.word(predicted) >> self.mantissa & self.exponents
            level += 2 * self.mantissa + 6 - 2 * self.shift - 2 * exponent
        else:
            level += 6 - (self.word(lattice[1] if lattice else 1.0) >> self.mantissa - 1)
        return min(max(level, 0), LEVELS - 1)

    def residuals(self):
        """What each symbol means: (base, raw bits, whether they are subtracted)."""
        octaves = self.bits
        symbols = [None] * EXACT + [(r, 0, False) for r in range(-7, 8)]
        for octave in range(3, octaves):
            bits = 2 if octaves == 32 or self.fine <= octave < self.fine + FINE else 0
            for lead in range(2**bits):
                base = (2**bits + lead) << octave - bits
                symbols += [(base, octave - bits, False), (-base, octave - bits, True)]
        symbols += [(0, 0, False)] * SYMBOLS
        return symbols[:SYMBOLS]


class Side:
    """What stands before the bands' streams, behind the domain and the bands."""

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


class Band:
    """A band's streams and what they have restored, with PAD zeros before."""

    def __init__(self, words, raw, side, model, start, refinement):
        self.state = struct.unpack_from('<I', words)[0]
        need(self.state >= 2**16, 'prans: bad state')
        self.words, self.at, self.raw, self.bit = words, 4, raw + bytes(16), 0
        self.raw_bits = 8 * len(raw)
        self.side, self.model, self.start = side, model, start
        self.refinement = refinement
        self.refiners = [prans_refinement.Refiner(refinement) for _ in range(model.axes.phases)] if refinement else []
        self.symbols = model.residuals()
        self.real, self.error, self.special = [0.0] * PAD, [0.0] * PAD, [0] * PAD
        self.bits_of = [0] * PAD  # of the values: numbers do not keep those of NaNs
        self.left, self.back, self.recent = 0, 0, [1, 2, 3, 4]

    def symbol(self, table):
        symbol, frequency, place = self.side.tables[table][self.state % SCALE]
        self.state = frequency * (self.state // SCALE) + place
        if self.state < 2**16:
            need(self.at + 2 <= len(self.words), 'prans: too few words')
            self.state = self.state << 16 | int.from_bytes(self.words[self.at:self.at + 2], 'little')
            self.at += 2
        return symbol

    def bits(self, count):
        at, skip = divmod(self.bit, 8)
        self.bit += count
        need(self.bit <= self.raw_bits, 'prans: too few raw bits')
        return int.from_bytes(self.raw[at:at + 9], 'little') >> skip & 2**count - 1

    def number(self, symbol):
        if symbol < 16:
            return symbol
        extra = 2 + (symbol - 16) // 4
        need(extra <= 30, 'prans: a number is too large')
        return 4 + symbol % 4 << extra | self.bits(extra)

    def match(self, at):
        self.left = 1 + self.number(self.symbol(self.side.length))
        symbol, repeat = self.symbol(self.side.distance), REPEATS - 1
        if symbol < REPEATS:
            repeat, self.back = symbol, self.recent[symbol]
        elif symbol < REPEATS + FREQUENT:
            place = symbol - REPEATS
            self.back = self.side.frequent[place] if place < len(self.side.frequent) else 0
        else:
            self.back = 1 + self.number(symbol - REPEATS - FREQUENT)
        self.recent[1:repeat + 1] = self.recent[:repeat]
        self.recent[0] = self.back
        need(1 <= self.back <= at, 'prans: a distance is out of range')

    def direct(self, symbol):
        if symbol == RAW:
            low = self.bits(32)
            return self.bits(32) << 32 | low if self.model.bits == 64 else low
        need(symbol >= EXACT, 'prans: bad direct symbol')
        model, code = self.model, symbol - EXACT
        need(code // 4 <= model.direct_top, 'prans: an exponent is out of range')
        mantissa = (code // 2 % 2) << model.mantissa - 1 | self.bits(model.mantissa - 1 - model.shift) << model.shift
        exponent = model.direct_top - code // 4 & model.exponents
        return code % 2 << model.bits - 1 | exponent << model.mantissa | mantissa

    def tile(self, first, end, stencil):
        direct = self.model.float and not stencil.reach
        while first < end:
            count, lattice, slab = min(self.model.run, end - first), None, self.model.slab
            if slab:
                number, within = divmod(self.start + first, slab)
                count, lattice = min(count, slab - within), self.model.slabs[number]
            near = [first + PAD >= offset for offset in self.model.energies]
            for refiner in [] if direct else self.refiners:
                refiner.run()
            for at in range(first, first + count):
                self.step(at, stencil, direct, near, lattice, first + PAD)
                if self.refiners and not direct and not self.special[-1]:
                    self.refiners[at % len(self.refiners)].learn(self.real[-1] - self.total)
            first += count

    def step(self, at, stencil, direct, available, lattice, room):
        model, error, special, here, x = self.model, self.error, self.special, at + PAD, self.model.axes.phases
        total = 0.0
        if not direct:
            for offset, weights in stencil.taps:
                total += weights[at % x] * self.real[here - offset]
        energy, flags = 0.0, 0
        for flag, offset in enumerate(model.near_signs):
            flags += (math.copysign(1, error[here - offset]) < 0) << (flag + model.signs if flag else 0)
        flags += 8 * bool(special[here - x])
        for n, offset in enumerate(model.energies):
            if available[n]:
                energy = model.rounded(energy + abs(error[here - offset]))
                if n < model.signs:
                    flags += (math.copysign(1, error[here - offset]) < 0) << n + 1
                    flags += 8 * bool(special[here - offset])
        energy = model.rounded(energy + abs(error[here - 2 * x]))
        if x > 1:
            energy = model.rounded(energy + abs(error[here - 1]))
        energy = model.rounded(energy + abs(error[here - x]))
        self.total = total
        if self.refiners and not direct:
            refiner, quantum = self.refiners[at % x], prans_refinement.quantum(model, lattice, total)
            total += refiner.correct(prans_refinement.inputs(self, self.refinement, here, room, available), energy + quantum, quantum)
        predicted, index = model.settle(total, lattice)
        level = model.level(energy, predicted, direct, lattice)
        if not self.left:
            classes = self.side.classes[direct][0]
            table = self.side.direct[classes[level]] if direct else self.side.table[classes[level] * FLAGS + flags]
            symbol = self.symbol(table)
            if symbol == ESCAPE or symbol == RAW or direct and symbol >= EXACT:
                need(model.float, 'prans: a direct value among integers')
                if symbol == ESCAPE:
                    symbol = self.symbol(self.side.direct[-1])
                self.append(self.direct(symbol), predicted)
                return
            if symbol >= EXACT:
                base, bits, negative = self.symbols[symbol]
                raw = self.bits(bits)
                self.append(model.value((index + base + (-raw if negative else raw)) % 2**model.bits, lattice), predicted)
                return
            need(symbol <= MATCH, 'prans: bad symbol')
            if symbol == MATCH:
                self.match(at)
            else:
                special.append(symbol + 1)
        if self.left:
            self.left -= 1
            special.append(special[here - self.back])
        source = here - (x if special[-1] else self.back)
        self.real.append(self.real[source])
        self.bits_of.append(self.bits_of[source])
        error.append(error[here - x])

    def append(self, word, predicted):
        real = self.model.real(word)
        self.bits_of.append(word)
        self.real.append(real)
        self.error.append(self.model.difference(real, predicted))
        self.special.append(0)

    def check_end(self):
        need(self.at == len(self.words) and self.state == 2**16 and not self.left, 'prans: words are left')
        need(self.raw_bits - self.bit < 8, 'prans: raw bits are left')


def words_of(band, domain, model):
    result = []
    for real, word, special in zip(band.real[PAD:], band.bits_of[PAD:], band.special[PAD:]):
        if special:
            need(special <= len(domain.specials), 'prans: unknown special value')
            result.append(domain.specials[special - 1])
        elif model.float or model.slab:
            result.append(word)
        else:
            integer = int(real) if -2.0**52 < real < 2.0**52 else 0
            result.append(domain.word(len(result), integer % 2**model.bits))
    return result


class Low:
    """The lowest bits of words in the split domain."""

    def __init__(self, data, bits):
        self.r, self.bits = Range(data), bits
        self.stood, self.distances, self.before = chances(4), chances(128), 0

    def field(self, words):
        """Those of the word that follows these."""
        r = self.r
        stood = r.bit(self.stood, self.before)
        self.before = (self.before << 1 | stood) & 3
        if not stood:
            return r.even(self.bits)
        symbol = r.tree(self.distances, 7)
        if symbol >= 16:
            extra = 2 + (symbol - 16) // 4
            symbol = 4 + symbol % 4 << extra | r.even(extra)
        need(symbol < len(words), 'prans: a distance is out of range')
        return words[-1 - symbol] & 2**self.bits - 1


def slab_of(extents):
    """Values of a slab: the last two axes, and more while they are below 1024."""
    slab = extents[-1]
    for i, extent in enumerate(reversed(extents[:-1])):
        if i == 0 or slab < 1024:
            slab *= extent
    return slab


def decode(stream, word_bytes, extents, refined=None):
    count = math.prod(extents)
    need(len(stream) >= 4, 'prans: the stream is too short')
    length = int.from_bytes(stream[:4], 'little')
    need(length <= len(stream) - 4, 'prans: the description is too long')
    r = Range(stream[4:4 + length])
    domain = Domain(r, word_bytes, count, slab_of(extents))
    axes = Axes(extents)
    second = r.bits(28)
    need(second < count and second % axes.phases == 0, 'prans: the second band begins out of range')
    bands = [second, count - second] if second else [count]
    starts = [at for values in bands for at in range(0, values, TILE)]
    model = Model(axes, domain, word_bytes)
    side = Side(r, model, len(starts), starts)
    r.done()
    refinement = prans_refinement.Refinement(axes, *refined) if refined else None

    data, low = stream[4 + length:], None
    if domain.id == Domain.SPLIT:
        need(len(data) >= 4, 'prans: no low part')
        length = int.from_bytes(data[:4], 'little')
        need(length <= len(data) - 4, 'prans: the low part is too long')
        data, low = data[4 + length:], Low(data[4:4 + length], domain.shift)
    at, words = 8 * len(bands), []
    need(len(data) >= at, 'prans: the bands have no lengths')
    tiles = iter(side.tile)
    for band, values in enumerate(bands):
        sizes = struct.unpack_from('<2I', data, 8 * band)
        need(sizes[0] >= 4 and sizes[0] % 2 == 0 and at + sum(sizes) <= len(data), 'prans: a band is too long')
        b = Band(data[at:at + sizes[0]], data[at + sizes[0]:at + sum(sizes)], side, model, len(words), refinement)
        at += sum(sizes)
        for first in range(0, values, TILE):
            b.tile(first, min(first + TILE, values), next(tiles))
        b.check_end()
        words_high = words_of(b, domain, model)
        if low:
            for word, special in zip(words_high, b.special[PAD:]):
                words.append(word if special else word | low.field(words))
        else:
            words += words_high
    need(at == len(data), 'prans: bytes behind the bands')
    if low:
        low.r.done()
    for place, word in domain.exceptions.items():
        words[place] = word
    return struct.pack(f'<{count}{word_format(word_bytes)}', *words)
