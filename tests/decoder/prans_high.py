# SPDX-License-Identifier: MIT
"""The high setting of prans: stencils chosen per tile, residuals as symbols in contexts, matches, rANS."""
import math
import struct

import prans_refinement
from errors import need
from prans_common import SCALE, Domain, Range, chances, word_format
from prans_model import EXACT, Model
from prans_side import FLAGS, FREQUENT, PAD, Side
from prans_stencils import Axes

TILE, MATCH, ESCAPE, RAW, REPEATS = 2048, 4, 5, 6, 4


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
