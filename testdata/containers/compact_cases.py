# SPDX-License-Identifier: MIT
"""Compact members: raw files of one chunk, without section headers."""
from containers import chunk_section, compact_member, flip, member, ramp, store_chunk, swapped, tiny_sections, zigzag
from xxh3 import xxh3

DATA = ramp('f', 12)
CHUNK = store_chunk(0, 0, DATA)
ARRAY = [12]
TIMES = (0o640, zigzag(10**9), 5)


def make_good(make):
    make.plain('compact', 'a small file', 'ramp_12x11.f32', ramp('f', 12, 11), '--codec', 'ndzip')
    make.plain('compact-lossy', 'errors behind the checksum', 'constant_64.f32', bytes(256), '--codec', 'frsz2:bits=16')
    make.plain('compact-pipe', 'from a pipe: no name, no mode, no time', None, ramp('d', 20, 3), '--codec', 'store', '--dtype', 'f64',
               '--shape', '20x3', pipe=True)
    make.by_hand('compact-tiny', 'stored, with mode and time', compact_member(b'tiny.f32', ARRAY, CHUNK, 3, TIMES))
    make.by_hand('compact-extents', 'the coding extents are those of the array', compact_member(b'tiny.f32', ARRAY, CHUNK, 4))
    make.by_hand('compact-shape', 'big-endian, and of another shape than the chunk',
                 compact_member(b'', [2, 3, 2], chunk_section(0, [12], [], swapped(DATA, 4), xxh3(DATA)), layout=1))
    make.by_hand('compact-concatenated', 'members of both versions', compact_member(b'a.f32', ARRAY, CHUNK) + member(tiny_sections(DATA)) +
                 2 * compact_member(b'', ARRAY, CHUNK, 1, (0o600,)))


def make_bad(make):
    whole = compact_member(b'tiny.f32', ARRAY, CHUNK, 3, TIMES)
    other = chunk_section(0, [12], [], DATA, xxh3(DATA) ^ 1)
    for name, what, words, container in (
            ('check', 'the front has a wrong check', 'front is damaged', compact_member(b'tiny.f32', ARRAY, CHUNK, check=1)),
            ('flip', 'a bit is flipped in the name', 'front is damaged', flip(whole, 40)),
            ('long', 'the numbers would be too long', 'front is damaged', compact_member(b'tiny.f32', ARRAY, CHUNK, length=16385)),
            ('endless', 'the length of the numbers has no end', 'front is damaged', whole[:16] + b'\xff' * 4 + whole[20:]),
            ('more', 'a byte behind the last number', 'contradict', compact_member(b'tiny.f32', ARRAY, CHUNK, more=b'\0')),
            ('less', 'the numbers end early', 'contradict', compact_member(b'tiny.f32', ARRAY, chunk_section(0, [], [], DATA, xxh3(DATA)))),
            ('name', 'a name with a slash', 'contradict', compact_member(b'a/b.f32', ARRAY, CHUNK)),
            ('name-zero', 'a name with a byte that is 0', 'contradict', compact_member(b'a\0b.f32', ARRAY, CHUNK)),
            ('mode', 'a mode of more bits', 'contradict', compact_member(b'tiny.f32', ARRAY, CHUNK, 1, (0o10000,))),
            ('nanoseconds', 'a whole second of nanoseconds', 'contradict', compact_member(b'tiny.f32', ARRAY, CHUNK, 2, (0, 10**9))),
            ('no-array', 'no dimensions', 'contradict', compact_member(b'tiny.f32', [], CHUNK)),
            ('dimensions', '33 dimensions', 'contradict', compact_member(b'tiny.f32', [12] + 32 * [1], CHUNK)),
            ('extents', 'an array of another size', 'not the whole file', compact_member(b'tiny.f32', [13], CHUNK)),
            ('extents-other', 'coding extents of more dimensions than the array', 'chunk 0 has no values',
             compact_member(b'tiny.f32', ARRAY, chunk_section(0, [3, 4], [], DATA, xxh3(DATA)), 4)),
            ('layout', 'the layout of a group', 'cannot be that of a raw file', compact_member(b'tiny.f32', ARRAY, CHUNK, layout=8)),
            ('raw', 'the checksum of other bytes', 'chunk 0', compact_member(b'tiny.f32', ARRAY, other)),
            ('stream', 'a bit of the stream is flipped', 'chunk 0', flip(whole, len(whole) - 10)),
            ('end', 'the end tells another length', 'does not close', compact_member(b'tiny.f32', ARRAY, CHUNK, end=1)),
            ('cut', 'the last byte is missing', 'cut off', whole[:-1]),
            ('cut-stream', 'half the stream is missing', 'cut off', whole[:-28]),
            ('cut-front', 'half the front is missing', 'cut off', whole[:44]),
            ('trailing', 'a byte follows', 'behind a complete container: not an fpgz container', whole + b'!')):
        make.bad('compact-' + name, what, words, container, **({'base': 'compact-tiny'} if name in ('extents', 'end', 'cut', 'trailing') else {}))
    make.unsupported('compact-flags', 'flags of a compact member', 'flags', compact_member(b'tiny.f32', ARRAY, CHUNK, 8))
    make.unsupported('compact-dtype', 'a dtype that is none', 'dtype 4', compact_member(b'tiny.f32', ARRAY, CHUNK, dtype=4))
    make.unsupported('compact-codec', 'a private codec', 'coded by codec 36864', compact_member(b'tiny.f32', ARRAY, chunk_section(0x9000, [12], [], DATA, xxh3(DATA))))
    make.unsupported('compact-parameters', 'five parameters', '5 codec parameters',
                     compact_member(b'tiny.f32', ARRAY, chunk_section(0, [12], [0] * 5, DATA, xxh3(DATA))))
