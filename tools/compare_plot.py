# SPDX-License-Identifier: MIT
"""The plot of compare.py: ratio against both speeds, with labels that do not lie on each other."""

STYLES = {  # by whether it is fpgz, and in memory
    (True, False): ('o-', 'C0', 'fpgz, the command'), (True, True): ('D', 'C0', 'fpgz, in memory'),
    (False, False): ('s', 'C1', 'other commands'), (False, True): ('^', 'C2', 'other libraries, in memory')}
DISTANCES = (4, 10, 18, 28, 40, 54)     # points that a label may stand away
DIRECTIONS = ((1, 0), (1, 1), (1, -1), (0, 1), (0, -1), (-1, 0), (-1, 1), (-1, -1))


def overlaps(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def box_of(x, y, width, height, direction, distance):
    """Where a label of that size stands beside the point."""
    left = x + direction[0] * distance - (0.5 - direction[0] / 2) * width
    below = y + direction[1] * distance - (0.5 - direction[1] / 2) * height
    return left, below, left + width, below + height


def label(figure, axis, points):
    """Puts each point's name at the nearest place where nothing is yet."""
    scale = figure.dpi / 72
    bounds = axis.get_window_extent()
    pixels = [axis.transData.transform((x, y)) for x, y, _ in points]
    taken = [(x - 4 * scale, y - 4 * scale, x + 4 * scale, y + 4 * scale) for x, y in pixels]
    for (x, y, name), (left, below) in sorted(zip(points, pixels), key=lambda pair: tuple(pair[1])):
        text = axis.text(x, y, name, fontsize=7)
        size = text.get_window_extent()
        text.remove()
        places = [(distance, direction) for distance in DISTANCES for direction in DIRECTIONS]
        for distance, direction in places:
            box = box_of(left, below, size.width, size.height, direction, distance * scale)
            inside = bounds.x0 < box[0] and box[2] < bounds.x1 and bounds.y0 < box[1] and box[3] < bounds.y1
            if inside and not any(overlaps(box, other) for other in taken):
                break
        taken.append(box)
        axis.annotate(name, (x, y), fontsize=7, textcoords='offset points', xytext=((box[0] - left) / scale,
                                                                                    (box[1] - below) / scale),
                      arrowprops={'arrowstyle': '-', 'lw': 0.4, 'color': 'gray', 'shrinkA': 0, 'shrinkB': 3}
                      if distance > DISTANCES[1] else None)


def plot(rows, path):
    """As path.png and path.svg. Rows: name, ratio, both speeds, whether it is in memory."""
    import matplotlib
    matplotlib.use('Agg')
    matplotlib.rcParams.update({'svg.fonttype': 'none', 'svg.hashsalt': 'fpgz', 'font.size': 9})
    import matplotlib.pyplot as plt
    from matplotlib.ticker import LogLocator
    figure, axes = plt.subplots(1, 2, figsize=(12, 6), sharey=True, constrained_layout=True)
    for axis, place, title in zip(axes, (2, 3), ('compressing', 'restoring')):
        for (ours, in_memory), (style, color, name) in STYLES.items():
            some = [row for row in rows if (row[0].startswith('fpgz'), row[4]) == (ours, in_memory)]
            if some:
                axis.plot([row[place] for row in some], [row[1] for row in some], style, color=color, ms=4, lw=0.8,
                          label=name)
        axis.set_xscale('log')
        axis.margins(x=0.12, y=0.06)
        speeds = [row[place] for row in rows]
        axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if max(speeds) < 1000 * min(speeds) else (1, 3)))
        axis.xaxis.set_major_formatter('{x:g}')
        axis.minorticks_off()
        axis.set_xlabel(f'{title}, MB/s of one thread')
        axis.grid(alpha=0.3)
    axes[0].set_ylabel('stored / raw')
    figure.legend(*axes[0].get_legend_handles_labels(), loc='outside upper center', ncols=4, fontsize=8)
    figure.canvas.draw()
    figure.set_layout_engine('none')
    for axis, place in zip(axes, (2, 3)):
        label(figure, axis, [(row[place], row[1], row[0]) for row in rows])
    figure.savefig(f'{path}.png', dpi=150)
    figure.savefig(f'{path}.svg', metadata={'Date': None})
