# SPDX-License-Identifier: MIT
"""The refined format of prans: what stencils miss is predicted by recursive least squares."""
import math
import struct

INPUTS, VALUES = 16, 11
SHAPES = (0, 1, 2), (5, 4, 4)
PAD = 2048


def lanes(terms):
    """Sixteen products as they are added."""
    eight = [terms[i] + terms[i + 8] for i in range(8)]
    four = [eight[i] + eight[i + 4] for i in range(4)]
    return (four[0] + four[2]) + (four[1] + four[3])


def power(real):
    """The power of two that is next below a normal number."""
    bits, = struct.unpack('<Q', struct.pack('<d', real))
    return struct.unpack('<d', struct.pack('<Q', bits & 0x7FF << 52))[0]


class Refinement:
    def __init__(self, axes, memory, parts):
        self.keep = 1 - 2.0**-memory
        self.grow = 1 / self.keep
        self.least = parts / 16
        self.free = 1 - 2 * self.least
        x = axes.step[0]
        offsets = [axes.step[3]] if len(axes.step) > 3 else []
        offsets += [o for o in axes.shape(SHAPES[axes.phases > 1][min(len(axes.step), 3) - 1]) if o != x]
        self.offsets = (offsets + [x] * VALUES)[:VALUES]


class Refiner:
    def __init__(self, refinement):
        self.refinement = refinement
        self.start()

    def start(self):
        self.spread = [[2.0**-6 * (i == j) for j in range(INPUTS)] for i in range(INPUTS)]
        self.weight = [0.0] * INPUTS
        self.growth, self.plain, self.refined, self.share = 1.0, 0.0, 0.0, self.refinement.least

    def run(self):
        if max(self.spread[i][i] for i in range(INPUTS)) * self.growth <= 1024:
            self.spread = [[a * self.growth for a in row] for row in self.spread]
        self.growth = 1.0

    def correct(self, inputs, scale, quantum):
        self.ready = 2.0**-500 < scale < 2.0**500
        if not self.ready:
            return 0.0
        unit = power(scale)
        self.inverse = 1 / unit
        self.quantum = quantum * self.inverse
        inputs = [a * self.inverse for a in inputs]
        self.inputs = u = [a if abs(a) < 2.0**24 else 0.0 for a in inputs]
        self.correction = lanes([a * w for a, w in zip(u, self.weight)])
        self.gain = []
        for i in range(INPUTS):
            sums = [u[j] * self.spread[j][i] for j in range(4)]
            for j in range(4, INPUTS):
                sums[j % 4] += u[j] * self.spread[j][i]
            self.gain.append((sums[0] + sums[1]) + (sums[2] + sums[3]))
        self.surprise = lanes([a * g for a, g in zip(u, self.gain)]) * self.growth
        return self.share * (self.correction * unit)

    def learn(self, missed):
        if not self.ready:
            return
        missed *= self.inverse
        error = missed - self.correction
        if not 0 <= self.surprise < 2.0**100 or not abs(error) < 2.0**100:
            self.start()
            return
        step = self.growth / (self.refinement.keep * (abs(error) + self.quantum + 0.0625) + self.surprise)
        g = self.gain
        self.weight = [w + a * (step * error) for w, a in zip(self.weight, g)]
        self.spread = [[a - g[i] * g[j] * step for i, a in enumerate(row)] for j, row in enumerate(self.spread)]
        self.growth *= self.refinement.grow
        self.plain += (abs(missed) - self.plain) * 0.125
        self.refined += (abs(error) - self.refined) * 0.125
        both = self.plain + self.refined
        self.share = self.refinement.least + self.refinement.free * (self.plain / both if both > 0 else 0.0)


def quantum(model, lattice, total):
    """The step of the integers about a prediction."""
    if not model.float:
        return lattice[1] if lattice else 1.0
    exponent = model.word(total) >> model.mantissa & model.exponents
    return model.real(max(exponent, model.mantissa + 1) - model.mantissa << model.mantissa) * 2.0**model.shift


def inputs(band, refinement, here, room, available):
    """Differences of values to W, the error at W, differences of errors to it."""
    x, real, error = band.model.axes.phases, band.real, band.error
    result = [real[here - (o if o <= room else x)] - real[here - x] for o in refinement.offsets]
    result.append(error[here - x])
    for n in range(4):
        seen = n < len(available) and available[n]
        result.append(error[here - (band.model.energies[n] if seen else x)] - error[here - x])
    return [a if math.isfinite(a) else math.nan for a in result]
