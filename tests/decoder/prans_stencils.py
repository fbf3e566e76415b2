# SPDX-License-Identifier: MIT
"""The stencils of the high setting of prans: where the values stand that a prediction is made of, and their weights."""
NEAR, NEAR_LEAST = 16, 3

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
