# SPDX-License-Identifier: MIT
"""Containers of dtypes other than f32 and f64."""
import struct

from containers import array_section, chunk_section, file_section, member, store_chunk, swapped
from xxh3 import xxh3

# dtype, struct's code, number in array sections
TYPES = (('i8', 'b', 13), ('i16', 'h', 5), ('i32', 'i', 6), ('i64', 'q', 7), ('u16', 'H', 8), ('u32', 'I', 9), ('u64', 'Q', 10),
         ('f16', 'e', 11), ('bf16', 'H', 12))


def steps(name, code):
    """240 values, of which integers wrap."""
    if name == 'f16':
        return struct.pack('<240e', *(i / 8 - 9 for i in range(240)))
    bits = 8 * struct.calcsize(code)
    words = ((i * i // 7 - 1000) % 2**bits for i in range(240))
    return struct.pack(f'<240{code.upper()}', *words)


def make_good(make):
    for name, code, _ in TYPES:
        data = steps(name, code)
        make.plain(f'{name}-store', 'values as they are', f'steps_12x20.{name}', data, '--codec', 'store')
        make.unrepeated(f'{name}-deflate', 'big-endian values', f'steps_12x20.{name}', swapped(data, struct.calcsize(code)),
                        '--codec', 'deflate', '--endian', 'big')


def make_bad(make):
    data = steps('i32', 'i')
    head = file_section(b'steps.i32', 960), array_section(6, [240], 960)
    words = struct.pack('<2I', 0x63706D00, 240) + data
    for name, codec, parameters, extents in (('mpc', 3, (1,), [240]), ('ndzip', 1, (), [240]), ('arith', 5, (4096,), [240]),
                                             ('predict', 6, (0, 1, 0, 32), [12, 20]), ('frsz2', 4, (8,), [240])):
        errors = bytes(16) if name == 'frsz2' else b''
        make.bad(f'i32-{name}', f'integers by {name}', f'cannot have been coded by {name}',
                 member([*head, chunk_section(codec, extents, parameters, words, xxh3(data), errors=errors)]))
    make.bad('i16-size', 'a chunk of one value too many', 'is larger than the 960 bytes',
             member([file_section(b'steps.i16', 960), array_section(5, [480], 960), store_chunk(0, 0, data + b'xx', 2)]))
