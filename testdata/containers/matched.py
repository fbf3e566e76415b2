# SPDX-License-Identifier: MIT
"""Containers of prans' format of matches: exact ones and differences, and streams that are wrong."""
import math
import struct

import codec_prans
from bins import bfloat16
from containers import array_section, chunk_fields, chunk_section, file_section, member, rechunked, split
from lifted import LIFTED
from prans import lcg, pack
from streams import Wrong
from xxh3 import xxh3

MATCHED = 6
DESCRIPTION = 32  # where the inner streams begin


def runs(count, fresh, again, seed=31):
    """Runs of 23 values: `fresh` makes a value; a value that comes again goes through `again`."""
    random, values = lcg(seed), []
    while len(values) < count:
        place = next(random)
        if place % 3 == 0 or len(values) < 23:
            values += [fresh(next(random)) for _ in range(23)]
        else:
            start, sign = place // 8 % (len(values) - 22), -1 if place & 4 else 1
            values += [again(sign * value, next(random)) for value in values[start:start + 23]]
    return values[:count]


def number(random):
    """From 1 to 2, of 24 bits."""
    return 1 + random % 2**23 / 2**23


def grids():
    yield 'exact-f32', 'f32', 'values again, or negated', '40x50', pack('f', runs(2000, number, lambda value, _: value))
    yield 'exact-f64', 'f64', 'values again, or negated', '900', \
        pack('d', runs(900, lambda random: number(random) + random / 2**60, lambda value, _: value))
    yield 'close-f32', 'f32', 'values with other last bits', '4x5x100', \
        pack('f', runs(2000, number, lambda value, random: value * (1 + random % 5 / 2**23)))
    yield 'close-f64', 'f64', 'values with other last bits', '30x30', \
        pack('d', runs(900, lambda random: number(random) + random / 2**60, lambda value, random: value * (1 + random % 9 / 2**52)))
    yield 'exact-bf16', 'bf16', 'values again, or negated', '3000', bfloat16(runs(3000, lambda random: random % 2**15 * 3.0**(random % 7), lambda value, _: value))
    yield 'exact-i16', 'i16', 'values again, or negated', '50x70', pack('h', runs(3500, lambda random: random % 2**15, lambda value, _: value))
    yield 'exact-u8', 'u8', 'bytes again', '6000', pack('B', runs(6000, lambda random: random % 2**8, lambda value, _: abs(value)))
    yield 'close-i64', 'i64', 'values that are close', '1000', \
        pack('q', runs(1000, lambda random: random << 31 | random * 7919 % 2**31, lambda value, random: value + random % 7))
    yield 'exact-u32', 'u32', 'a run again and again', '700', pack('I', [i * i * 2654435761 % 2**32 for i in range(29)] * 24 + [5] * 4)


def lifted_differences(make):
    """A container of f32 whose differences are lifted: those of one match, of all values behind the first thousand."""
    random = lcg(5)
    values = [int(1e6 * math.sin(0.9 * i)) + next(random) % 1000 for i in range(6000)]
    row = make.compress('sine_6000.i32', pack('i', values), '--codec', 'prans:setting=high', pipe=False)
    fields = chunk_fields(split(row)[2])
    stream = fields['stream']
    assert stream[0] == LIFTED
    literals = pack('I', [next(random) for _ in range(1000)])
    matched = bytes([MATCHED, 1, 1, 0]) + struct.pack('<7I', 24, 1, 1000, len(literals), 4, 4, 4) + literals + \
        struct.pack('<3I', 1000, 5999, 2 * 1003) + stream
    data = codec_prans.decode(matched, 4, [7000], fields['parameters'], 'f')
    return member([file_section(b'lifted.f32', 28000), array_section(1, [7000], 28000),
                   chunk_section(8, [7000], fields['parameters'], matched, xxh3(data))])


def make_good(make):
    for name, dtype, what, shape, data in grids():
        make.unrepeated(f'matched-{name}', what, f'{name}_{shape}.{dtype}', data, '--codec', 'prans')
    name, dtype, what, shape, data = next(grids())
    make.unrepeated('matched-high-f32', what + ', in the high setting', f'{name}_{shape}.{dtype}', data, '--codec', 'prans:setting=high')
    make.by_hand('matched-lifted-f32', 'differences of f32 that are lifted, as no writer codes them', lifted_differences(make))


def make_bad(make):
    random = lcg(7)
    values = [next(random) % 2**24 for _ in range(60)]
    data = pack('i', values + values[5:30] + [next(random) % 2**24 for _ in range(9)] + values[5:50] + values[2:20])
    wrong = Wrong(make, data, 'i', 'prans', 'again')
    stream = wrong.stream
    tokens, literals, *lengths = struct.unpack_from('<6I', stream, 8)
    assert stream[0] == MATCHED and stream[1] == 0 and lengths[1:] == [4 * tokens] * 3
    fields = DESCRIPTION + lengths[0]
    count, length, source = (fields + 4 * tokens * i for i in range(3))
    wrong.name = 'matched'
    wrong.lengths(4)
    wrong('front', 'the stream ends within its description', stream[:30])
    wrong.patched('description', 'the description is of another length', 'I', 4, 20)
    wrong.patched('depth-8', 'sources of sources deeper than 7', 'B', 2, 8)
    wrong.patched('depth-0', 'sources deeper than declared', 'B', 2, 0)
    wrong.patched('tokens-0', 'no token', 'I', 8, 0)
    wrong.patched('tokens', 'more tokens than half of the values', 'I', 8, wrong.values // 2 + 1)
    wrong.patched('literals-0', 'no literal', 'I', 12, 0)
    wrong.patched('literals-more', 'a literal more', 'I', 12, literals + 1)
    wrong.patched('literals-all', 'more literals than values', 'I', 12, 2**32 - 1)
    wrong.patched('stream-beyond', 'an inner stream ends behind the whole', 'I', 16, 2**32 - 1)
    wrong.patched('stream-less', 'an inner stream is shorter', 'I', 20, 4 * tokens - 1)
    wrong.patched('differences', 'differences that there are not', 'B', 1, 1)
    wrong.patched('fresh-more', 'a token has more literals than there are', 'I', count, literals + 1)
    wrong.patched('fresh-less', 'tokens have fewer literals', 'I', count, 59)
    wrong.patched('length-more', 'a match ends behind the values', 'I', length, 2**32 - 1)
    wrong.patched('length-less', 'matches are shorter', 'I', length, 23)
    wrong.patched('source-beyond', 'a source before the chunk', 'I', source, (60 + 1 + 3) << 1)
    wrong.patched('source-far', 'a source that is as far as can be', 'I', source, 2**32 - 2)
    nested = stream[:16] + struct.pack('<I', len(stream)) + stream[20:DESCRIPTION] + stream + stream[fields:]
    wrong('nested', 'matches of matches', nested)
    middle = stream[:DESCRIPTION] + b'\1' + stream[DESCRIPTION + 1:]
    wrong('middle', 'literals that are integers in the middle format', middle)
    for name, at, value in (('flags', 1, 2), ('reserved', 3, 1)):
        changed = bytearray(stream)
        changed[at] = value
        make.unsupported(f'matched-{name}', f'byte {at} is {value}', 'chunk 0',
                         wrong.container(rechunked(wrong.chunk, stream=bytes(changed))))
