# SPDX-License-Identifier: MIT
"""Line plots as SVG, by hand: no module is needed."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 70, 170, 40, 50
COLOURS = ('#1f77b4', '#d62728', '#2ca02c', '#9467bd', '#ff7f0e', '#8c564b', '#17becf', '#7f7f7f')


class Axis:
    """Values to places between two pixels."""

    def __init__(self, values, log, begin, end):
        self.log, self.begin, self.end = log, begin, end
        values = [value for value in values if not log or value > 0]
        low, high = (min(values), max(values)) if values else (1, 10)
        if log:
            self.low, self.high = math.floor(math.log10(low)), math.ceil(math.log10(high))
        else:
            self.low, self.high = min(0, low) if low < high / 2 else low, high
        if self.high <= self.low:
            self.high = self.low + 1

    def at(self, value):
        value = math.log10(value) if self.log else value
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self):
        if self.log:
            step = max(1, (self.high - self.low) // 8)
            return [10.0 ** i for i in range(int(self.low), int(self.high) + 1, step)]
        step = 10 ** math.floor(math.log10((self.high - self.low) / 4))
        step *= next(i for i in (1, 2, 5, 10) if (self.high - self.low) / (step * i) <= 6)
        return [i * step for i in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def lines(path, title, x_label, y_label, series, x_log=False, y_log=False, levels=()):
    """series: {label: [(x, y)]}; levels: (label, y) of dashed lines, as figures of a paper."""
    points = [point for values in series.values() for point in values]
    x = Axis([p[0] for p in points], x_log, LEFT, WIDTH - RIGHT)
    y = Axis([p[1] for p in points] + [level for _, level in levels], y_log, HEIGHT - BOTTOM, TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
           f'font-size="12"><rect width="100%" height="100%" fill="white"/>',
           f'<text x="{LEFT}" y="20" font-size="14">{escape(title)}</text>',
           f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_label)}</text>',
           f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>']
    for value in x.ticks():
        out.append(f'<path d="M{x.at(value):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/><text x="{x.at(value):.1f}" '
                   f'y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{value:g}</text>')
    for value in y.ticks():
        out.append(f'<path d="M{LEFT} {y.at(value):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{LEFT - 6}" '
                   f'y="{y.at(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    key = TOP + 8
    for i, (label, values) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        drawn = [(x.at(a), y.at(b)) for a, b in values if (not x_log or a > 0) and (not y_log or b > 0)]
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.8" points="'
                   + ' '.join(f'{a:.1f},{b:.1f}' for a, b in drawn) + '"/>')
        if len(drawn) <= 32:
            out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" fill="{colour}"/>' for a, b in drawn]
        out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{key}" fill="{colour}">{escape(label)}</text>')
        key += 18
    for label, level in levels:
        out.append(f'<path d="M{LEFT} {y.at(level):.1f}H{WIDTH - RIGHT}" stroke="#444" stroke-dasharray="5 4"/><text '
                   f'x="{WIDTH - RIGHT + 10}" y="{y.at(level) + 4:.1f}" fill="#444">{escape(label)}</text>')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(out) + '\n</svg>\n')
