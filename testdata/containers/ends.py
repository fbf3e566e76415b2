# SPDX-License-Identifier: MIT
"""Containers with short ends, which no index stands before."""
import heads
from containers import END, INDEX, MARKER, PRIVATE, SHORT_END, Section, file_section, flip, member, plus, ramp, tiny_sections

DATA = ramp('f', 12)


def short(sections, **more):
    return member(sections + [Section(SHORT_END)], **more)


def make_good(make):
    make.plain('short-end', 'a small file, without an index', 'ramp_10x11.f32', ramp('f', 10, 11), '--codec', 'ndzip')
    make.plain('short-end-chunks', 'three chunks, without an index', 'ramp_700.f32', ramp('f', 700), '--codec', 'store',
               '--chunk', '1K')
    make.plain('short-end-empty', 'nothing from a pipe', None, b'', '--codec', 'ndzip', '--dtype', 'f64', '--shape', '*x7', pipe=True)
    tiny = tiny_sections(DATA)
    make.by_hand('short-end-old', 'sections as fpgz 0.1 wrote them, and a short end', short(tiny))
    skip = Section(PRIVATE, b'head', b'body')
    make.by_hand('short-end-eight', 'eight sections before it', short(tiny[:2] + 3 * [skip] + tiny[2:]))
    make.by_hand('short-end-concatenated', 'ends of both types', short(tiny) + member(tiny) + short(heads.columns()) + member(tiny))


def make_bad(make):
    tiny = tiny_sections(DATA)
    skip, whole = Section(PRIVATE, b'head', b'body'), short(tiny)
    other, second = short([file_section(b'tinx.f32', 48)] + tiny[1:]), whole.index(MARKER, 17)
    for name, what, words, container in (
            ('check', 'the end has a wrong check of the sections', 'does not close', short(tiny, end=lambda f: [f[0] ^ 1, f[1]])),
            ('length', 'the end tells a wrong length of the member', 'does not close', short(tiny, end=plus(1, -1))),
            ('nine', 'nine sections before it', 'does not close', short(tiny[:2] + 4 * [skip] + tiny[2:])),
            ('head', 'a byte more in the head', 'contradict', member(tiny + [Section(SHORT_END, b'!')])),
            ('body', 'a body', 'contradict', member(tiny + [Section(SHORT_END, b'', b'body')])),
            ('index', 'an index before it', 'stands behind the index', short(tiny + [Section(INDEX)])),
            ('none', 'an end that is not short, without an index', 'does not close',
             member(tiny + [Section(END)], end=lambda fields: [16, *fields[1:]])),
            ('chunk-lost', 'the last chunk is missing, and all checksums are made anew', 'not the whole file', short(tiny[:-1])),
            ('number', 'a wrong number', 'stands where section 5 should', member(tiny + [Section(SHORT_END, number=6)])),
            ('cut', 'the last byte is missing', 'cut off', whole[:-1]),
            ('flip', 'a bit is flipped: the length', 'header is damaged', flip(whole, len(whole) - 3)),
            ('other', 'the first section is that of another file', 'does not close', whole[:second] + other[second:])):
        make.bad('short-end-' + name, what, words, container, 'short-end-old')
