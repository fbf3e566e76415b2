# SPDX-License-Identifier: MIT
"""The arithmetic of the high setting of prans: from sums to predictions, and from them to contexts and symbols."""
import math
import struct

from prans_common import SYMBOLS, Domain, word_format
from prans_stencils import NEAR

RUN, LEVELS, FINE, EXACT = 64, 160, 18, 8


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
