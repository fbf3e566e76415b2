# SPDX-License-Identifier: MIT
"""Containers of the codecs from gfc on: streams that are right, and streams that are wrong under right checksums."""
import lzma
import math
import struct
import subprocess
import zlib

from containers import (array_section, chunk_fields, chunk_section, file_section, member, noise, ramp, rechunked,
                   split, store_chunk, swapped)
from xxh3 import xxh3

GFC, MPC, FRSZ2, ARITH, PREDICT, DEFLATE, PRANS, ZSTD, LZMA, DELTA_LZMA, DELTA_ZSTD = range(2, 13)
NAMES = {GFC: 'gfc', MPC: 'mpc', FRSZ2: 'frsz2', ARITH: 'arith', PREDICT: 'predict', DEFLATE: 'deflate',
         PRANS: 'prans', ZSTD: 'zstd', LZMA: 'lzma', DELTA_LZMA: 'delta-lzma', DELTA_ZSTD: 'delta-zstd'}
NDZIP = 1


# --- grids ---

def small_words(count):
    """f64 whose words are small, so that gfc's differences are short from the first group on."""
    return struct.pack(f'<{count}Q', *(i * i % 251 + 3 * (i % 3) for i in range(count)))


def two_values(dtype, count):
    return struct.pack(f'<{count}{dtype}', *(2.0 if i * i % 47 == 1 else 0.0 for i in range(count)))


def with_special(data, dtype):
    """NaN with payloads, infinities, zeros and denormals among the values; 5 of them are exceptions to frsz2."""
    code, size, field, nan = ('I', 4, 23, 0x7FC00123) if dtype == 'f' else ('Q', 8, 52, 0x7FF8000000000123)
    infinity = 2**(8 * size - 1) - 2**field
    sign = 2**(8 * size - 1)
    data = bytearray(data)
    for at, word in ((0, nan), (31, infinity), (32, sign | infinity), (33, sign), (40, sign | 5), (64, infinity | 1),
                     (len(data) // size - 1, sign | nan)):
        struct.pack_into('<' + code, data, at * size, word)
    return bytes(data)


def falling(dtype, count):
    """Differences below 0 at the end, where mpc's last segment then has its stray word."""
    return ramp(dtype, count - 3) + struct.pack(f'<3{dtype}', 1.5, 1.25, 1)


def drifting(dtype, slices, count):
    """Slices that follow from those before them, more or less."""
    return struct.pack(f'<{slices * count}{dtype}', *(1 + i / 64 + t * (i % 5) / 2**12 + t * t * (i % 3) / 2**16
                                                      for t in range(slices) for i in range(count)))


# --- right ones ---

def piece(make, data, dtype, codec, shape=None):
    """The only chunk of data under a codec."""
    shape = shape or len(data) // struct.calcsize(dtype)
    name = f'piece_{shape}.{"f32" if dtype == "f" else "f64"}'
    chunk = split(make.compress(name, data, '--codec', codec, pipe=False))[2]
    assert chunk_fields(chunk)['codec'] or codec == 'store'
    return chunk


def restored_by_hand(name, dtype, chunks):
    """Sections of chunks that were made one by one."""
    size, values = struct.calcsize(dtype), [math.prod(chunk_fields(chunk)['extents']) for chunk in chunks]
    firsts = [sum(values[:i]) for i in range(len(values))]
    return [file_section(name, sum(values) * size), array_section(size // 4, [sum(values)], max(values) * size)] + \
           [rechunked(chunk, number=i, first=first) for i, (chunk, first) in enumerate(zip(chunks, firsts))]


def good_gfc(make):
    make.plain('gfc', 'four parts; a short last group, alone in its part', 'small_300.f64', small_words(300),
               '--codec', 'gfc:blocks=2,warps=2,dim=2')
    make.plain('gfc-empty-parts', 'parts of one group, and six that are empty', 'small_70.f64', small_words(70),
               '--codec', 'gfc:blocks=3,warps=3,dim=1')
    make.plain('gfc-fill', 'one part; the last group is filled up from values before', 'small_77.f64', small_words(77),
               '--codec', 'gfc:blocks=1,warps=1,dim=3')
    make.plain('gfc-sample', 'dim by a sample', 'ramp_10x12.f64', ramp('d', 10, 12), '--codec', 'gfc:blocks=2,warps=1')
    make.plain('gfc-big-endian', 'big-endian values', 'big_70.f64', swapped(small_words(70), 8), '--codec',
               'gfc:blocks=1,warps=2,dim=3', '--endian', 'big')
    data = small_words(70)
    chunk = piece(make, data, 'd', 'gfc:blocks=1,warps=2,dim=3')
    make.good('gfc-own-parameters', 'the stream is cut otherwise than the parameters say: it counts',
              member(restored_by_hand(b'small_70.f64', 'd', [rechunked(chunk, parameters=(2, 3, 0))])), data)


def good_mpc(make):
    for dtype, name in (('f', 'f32'), ('d', 'f64')):
        make.plain(f'mpc-{name}', 'a whole segment', f'ramp_1024.{name}', ramp(dtype, 1024), '--codec', 'mpc:dim=1')
        container = make.plain(f'mpc-stray-{name}', 'a short segment: a word more than the bitmaps tell',
                               f'falling_1100.{name}', falling(dtype, 1100), '--codec', 'mpc:dim=3')
        sections = split(container)
        word = struct.calcsize(dtype)
        groups = -(-1100 // (8 * word))
        bits = int.from_bytes(sections[2].body[8:8 + groups * word], 'little').bit_count()
        assert len(sections[2].body) == 8 + (groups + bits + 1) * word
        make.good(f'mpc-no-stray-{name}', 'the same without that word',
                  member(sections[:2] + [sections[2].with_body(sections[2].body[:-word])]), falling(dtype, 1100))
        make.plain(f'mpc-sample-{name}', 'dim by a sample', f'ramp_10x12.{name}', ramp(dtype, 10, 12), '--codec', 'mpc')


def good_frsz2(make):
    make.unrepeated('frsz2-f32', 'half of the bits', 'ramp_20x30.f32', ramp('f', 20, 30), '--codec', 'frsz2')
    make.unrepeated('frsz2-f64', '21 bits: codes lie across containers', 'ramp_20x15.f64', ramp('d', 20, 15),
                    '--codec', 'frsz2:bits=21')
    make.unrepeated('frsz2-2-bits', 'codes of 2 bits: wider exponents', 'ramp_500.f64', ramp('d', 500), '--codec',
                    'frsz2:bits=2')
    make.unrepeated('frsz2-256', 'the exponents end on a multiple of 256 bytes', 'ramp_4096.f32', ramp('f', 4096),
                    '--codec', 'frsz2:bits=2')
    for dtype, name, bits in (('f', 'f32', 8), ('d', 'f64', 33)):
        make.unrepeated(f'frsz2-exceptions-{name}', 'NaN and infinities, -0 and denormals', f'special_300.{name}',
                        with_special(ramp(dtype, 300), dtype), '--codec', f'frsz2:bits={bits}')
    make.unrepeated('frsz2-big-endian', 'big-endian values', 'big_300.f64', swapped(ramp('d', 300), 8), '--codec',
                    'frsz2:bits=9', '--endian', 'big')
    make.unrepeated('frsz2-max-error', 'each chunk has the bits that it needs', 'rising_4296.f32',
                    ramp('f', 4096) + struct.pack('<200f', *range(200)), '--codec', 'frsz2',
                    '--max-error', '0.3', '--chunk', '16K')
    make.unrepeated('frsz2-stored', 'the second chunk, all NaN, is stored', 'nan_4128.f32',
                    ramp('f', 4096) + b'\xff' * 4 * 32, '--codec', 'frsz2:bits=2', '--chunk', '16K')
    parts = [(ramp('f', 150), 'frsz2'), (ramp('f', 100), 'mpc'), (drifting('f', 5, 40), 'predict:block=32', '5x40'),
             (ramp('f', 250), 'frsz2:bits=5'), (ramp('f', 60), 'deflate'), (noise(9), 'store')]
    sections = restored_by_hand(b'mixed_769.f32', 'f', [piece(make, data, 'f', *codec) for data, *codec in parts])
    make.by_hand('lossy-mixed', 'lossy and lossless chunks', member(sections))
    chunk = sections[2]
    make.by_hand('lossy-infinite', 'an error is infinite, the other -0',
                 member(restored_by_hand(b'ramp_150.f32', 'f', [rechunked(chunk, errors=struct.pack('<2d', math.inf, -0.0))])))


def good_others(make):
    make.plain('arith-f32', 'five blocks, the last one short', 'two_600.f32', two_values('f', 600), '--codec',
               'arith:block=512')
    make.plain('arith-f64', 'blocks that are no multiple of values', 'ramp_400.f64', ramp('d', 400), '--codec',
               'arith:block=777')
    make.plain('arith-one-symbol', 'one byte has all of the interval', 'zero_500.f32', bytes(2000), '--codec', 'arith')

    for dtype, name, options in (('f', 'f32', ('previous', 3, 0, 32)), ('d', 'f64', ('parallelogram', 1, 0, 32)),
                                 ('f', 'f32', ('mean', 5, 3, 64)), ('d', 'f64', ('mean', 4, 3, 64)),
                                 ('f', 'f32', ('median', 2, 2, 32)), ('d', 'f64', ('median', 3, 4, 32)),
                                 ('f', 'f32', ('lagrange', 16, 2, 1024)), ('d', 'f64', ('lagrange', 3, 4, 96))):
        slices = 18 if options[1] == 16 else 5
        make.plain(f'predict-{options[0]}-{name}', f'{slices} slices of 36 values', f'drifting_{slices}x36.{name}',
                   drifting(dtype, slices, 36), '--codec',
                   'predict:predictor={},window={},prefix={},block={}'.format(*options))
    make.plain('predict-big-endian', 'big-endian values', 'big_5x40.f32', swapped(drifting('f', 5, 40), 4), '--codec',
               'predict:block=32', '--endian', 'big')
    text = b''.join(b'%d bottles of beer on the wall, ' % i for i in range(99, 59, -1))
    make.plain('bytes-arith', 'bytes, which are no grid', 'text.u8', text, '--dtype', 'u8', '--codec', 'arith')
    make.plain('bytes-store', 'bytes as they are', 'text.u8', text[:99], '--dtype', 'u8', '--codec', 'store')
    make.unrepeated('bytes-deflate', 'bytes, where shuffle means nothing', 'text.u8', text, '--dtype', 'u8', '--codec',
                    'deflate:shuffle=1')
    # A writer would store these.
    data = drifting('f', 1, 20)
    for name, words, extents in (('1d', 'one extent', (20,)), ('2d', 'two extents', (1, 20))):
        chunk = chunk_section(PREDICT, extents, (2, 3, 0, 32), struct.pack('<4BI', 2, 3, 2, 0, 32) + data, xxh3(data))
        make.good(f'predict-slice-{name}', f'one slice, under {words}; longer than it is raw',
                  member(restored_by_hand(b'slice_20.f32', 'f', [chunk])), data)

    for dtype, name in (('f', 'f32'), ('d', 'f64')):
        make.unrepeated(f'deflate-{name}', 'with shuffle', f'ramp_9x30.{name}', ramp(dtype, 9, 30), '--codec', 'deflate')
        make.unrepeated(f'deflate-plain-{name}', 'without shuffle', f'ramp_9x30.{name}', ramp(dtype, 9, 30), '--codec',
                        'deflate:level=9,shuffle=0')

    for codec in 'zstd', 'lzma':
        needs = {'needs': codec}
        for dtype, name in (('f', 'f32'), ('d', 'f64')):
            make.unrepeated(f'{codec}-{name}', 'with shuffle', f'ramp_9x30.{name}', ramp(dtype, 9, 30), '--codec', codec, **needs)
            make.unrepeated(f'{codec}-plain-{name}', 'without shuffle', f'ramp_9x30.{name}', ramp(dtype, 9, 30), '--codec',
                            f'{codec}:level=9,shuffle=0', **needs)
        make.unrepeated(f'bytes-{codec}', 'bytes, where shuffle means nothing', 'text.u8', text, '--dtype', 'u8', '--codec',
                        f'{codec}:shuffle=1', **needs)

    falls = struct.pack('<300h', *(1000 - i * i for i in range(181)), *range(32000, 31881, -1))
    for codec in 'delta-lzma', 'delta-zstd':
        needs = {'needs': codec}
        for dtype, name in (('f', 'f32'), ('d', 'f64')):
            make.unrepeated(f'{codec}-{name}', 'differences', f'ramp_9x30.{name}', ramp(dtype, 9, 30), '--codec', codec, **needs)
        make.unrepeated(f'{codec}-i16', 'differences that wrap', 'falls_300.i16', falls, '--codec', codec, **needs)
        make.unrepeated(f'bytes-{codec}', 'differences of bytes', 'text.u8', text, '--dtype', 'u8', '--codec', f'{codec}:level=9', **needs)


def make_good(make):
    good_gfc(make)
    good_mpc(make)
    good_frsz2(make)
    good_others(make)


# --- wrong ones ---

DTYPES = {'f': 'f32', 'd': 'f64', 'h': 'i16', 'i': 'i32', 'q': 'i64'}      # by struct's code


class Wrong:
    """Changes one good chunk; the check of its raw bytes stays right, so that another fault must be found."""

    def __init__(self, make, data, dtype, codec, name, shape=None, needs=None, good=None):
        """good: the name of a container of the data, for fpgz may write another format since."""
        container = make.containers['good-' + good] if good else make.compress(
            f'{name}_{shape or len(data) // struct.calcsize(dtype)}.{DTYPES[dtype]}', data, '--codec', codec, pipe=False)
        self.make, self.sections, self.needs = make, split(container), {'needs': needs} if needs else {}
        self.chunk = self.sections[2]
        fields = chunk_fields(self.chunk)
        assert fields['codec'], f'{name} is stored'
        self.codec, self.stream, self.parameters, self.errors = \
            fields['codec'], fields['stream'], fields['parameters'], fields['errors']
        self.name, self.values = NAMES[self.codec], math.prod(fields['extents'])

    def container(self, chunk):
        return member(self.sections[:2] + [chunk] + self.sections[3:])

    def __call__(self, name, what, stream):
        self.make.bad(f'{self.name}-{name}', what, f'chunk 0 (values 0 to {self.values - 1}, ',
                      self.container(rechunked(self.chunk, stream=stream)), **self.needs)

    def patched(self, name, what, layout, at, *values):
        stream = bytearray(self.stream)
        struct.pack_into('<' + layout, stream, at, *values)
        self(name, what, bytes(stream))

    def head(self, name, what, words=None, **changes):
        self.make.bad(f'{self.name}-{name}', what, words or f'cannot have been coded by {self.name}',
                      self.container(rechunked(self.chunk, **changes)), **self.needs)

    def parameter(self, name, what, index, value):
        parameters = list(self.parameters)
        parameters[index] = value
        self.head('parameter-' + name, what, parameters=parameters)

    def lengths(self, unit):
        self('empty', 'the stream is empty', b'')
        self('short', 'the stream ends too early', self.stream[:-unit])
        self('long', 'zeros follow the stream', self.stream + bytes(unit))

    def heads(self):
        self.head('few-parameters', 'a parameter is missing', parameters=self.parameters[:-1])
        self.head('many-parameters', 'a parameter more than the codec has', parameters=self.parameters + (1,))
        self.head('extents', 'more coding extents than the codec takes', extents=(1, 1, self.values))


def bad_gfc(make):
    wrong = Wrong(make, small_words(70), 'd', 'gfc:blocks=1,warps=2,dim=3', 'small')
    stream = wrong.stream
    first, second = struct.unpack_from('<2I', stream, 7)
    wrong.lengths(1)
    wrong.patched('count', 'a value less in the stream than in the head', 'I', 3, 69)
    for name, at in (('blocks', 0), ('warps', 1), ('dim', 2)):
        wrong.patched(f'{name}-0', f'{name} is 0', 'B', at, 0)
    wrong.patched('dim-33', 'dim is 33', 'B', 2, 33)
    wrong.patched('parts', '65025 parts: their lengths alone exceed the stream', '2B', 0, 255, 255)
    wrong.patched('lengths', 'the lengths of parts shift their border', '2I', 7, first + 1, second - 1)
    wrong.patched('length-beyond', 'a part is longer than the stream', 'I', 7, 2**32 - 1)
    wrong.patched('lengths-wrap', 'the lengths of parts add up modulo 2^32', '2I', 7, first + second + 2**31, 2**31)
    wrong('surplus', 'a part has a byte behind its last group',
          stream[:7] + struct.pack('<2I', first + 1, second) + stream[15:15 + first] + b'\0' + stream[15 + first:])
    wrong.patched('codes', 'a code asks for a byte more', 'B', 15, stream[15] | 7)
    wrong.parameter('warps', 'a parameter of 33 warps', 1, 33)
    wrong.parameter('dim', 'a parameter dim of 33', 2, 33)
    single = rechunked(wrong.chunk, extents=(140,))
    make.bad('gfc-f32', 'gfc of f32', 'cannot have been coded by gfc',
             member([wrong.sections[0], array_section(1, [140], 560), single]))


def bad_mpc(make):
    wrong = Wrong(make, falling('f', 100), 'f', 'mpc:dim=1', 'falling')
    stream = wrong.stream
    bitmap, = struct.unpack_from('<I', stream, 8)
    wrong.lengths(1)
    wrong.heads()
    wrong('words-long', 'a word follows the stray one', stream + bytes(4))
    wrong('words-short', 'two words are missing, the stray one and another', stream[:-8])
    wrong('bitmaps-short', 'the stream ends within the bitmaps', stream[:20])
    wrong.patched('count', 'a value less in the stream than in the head', 'I', 4, 99)
    wrong.patched('count-more', 'far more values in the stream than in the head', 'I', 4, 2**32 - 1)
    wrong.patched('dim-33', 'dim is 33', 'I', 0, 0x63706D20)
    wrong.patched('dtype', 'the first word of a stream of f64', 'I', 0, 0x43504D00)
    wrong.patched('bits', 'all bits of a bitmap', 'I', 8, 2**32 - 1)
    wrong.parameter('dim', 'a parameter dim of 33', 0, 33)
    whole = Wrong(make, ramp('d', 1024), 'd', 'mpc:dim=1', 'ramp')
    whole('stray', 'a word more behind a whole segment', whole.stream + bytes(8))


def bad_frsz2(make):
    wrong = Wrong(make, with_special(ramp('f', 150), 'f'), 'f', 'frsz2:bits=8', 'special')
    stream, errors = wrong.stream, wrong.errors
    codes = 256 + 5 * 32
    count, = struct.unpack_from('<Q', stream, codes)
    assert count == 5 and len(stream) == codes + 8 + 12 * 5
    exceptions = [stream[codes + 8 + 12 * i:codes + 20 + 12 * i] for i in range(count)]

    def with_exceptions(name, what, parts, claim=None):
        wrong('exceptions-' + name, what,
              stream[:codes] + struct.pack('<Q', len(parts) if claim is None else claim) + b''.join(parts))

    wrong.lengths(4)
    wrong('codes-short', 'the stream ends within the codes', stream[:codes - 32])
    wrong('exponents-short', 'the stream ends within the padding of the exponents', stream[:200])
    with_exceptions('0', 'exceptions that are none', [])
    with_exceptions('more', 'more exceptions are told than there are', exceptions, 6)
    with_exceptions('fewer', 'fewer exceptions are told than there are', exceptions, 4)
    with_exceptions('wrap', 'as many exceptions as make 60 bytes modulo 2^64', exceptions, 5 + 2**62)
    with_exceptions('swapped', 'two exceptions are swapped', [exceptions[1], exceptions[0]] + exceptions[2:])
    with_exceptions('twice', 'an exception stands twice', exceptions[:1] + exceptions)
    with_exceptions('beyond', 'an exception is behind the last value', exceptions + [struct.pack('<QI', 150, 0x7F800000)])
    with_exceptions('finite', 'an exception is finite, and what the code says', exceptions[:3] +
                    [struct.pack('<QI', 33, 0x80000000)] + exceptions[3:])
    wrong('exceptions-half', 'the number of exceptions is cut', stream[:codes + 4])
    wrong('exceptions-lost', 'no exceptions, where values are none', stream[:codes])
    wrong.patched('exponent', 'an exponent below the least', 'b', 0, -128)
    wrong.parameter('bits-1', 'codes of 1 bit', 0, 1)
    wrong.parameter('bits-33', 'codes of 33 bits for f32', 0, 33)
    wrong.head('other-bits', 'codes of fewer bits than the stream has', f'chunk 0 (values 0 to {wrong.values - 1}, ',
               parameters=(7,))

    double = Wrong(make, ramp('d', 100), 'd', 'frsz2:bits=9', 'ramp')
    double.patched('exponent-f64', 'an exponent above the greatest', 'h', 0, 1024)

    for name, what, change in (('errors-nan', 'an error that is no number', struct.pack('<d', math.nan) + errors[8:]),
                               ('errors-relative-nan', 'a relative error that is no number',
                                errors[:8] + struct.pack('<d', math.nan)),
                               ('errors-negative', 'an error below 0', struct.pack('<d', -1e-300) + errors[8:]),
                               ('errors-half', 'one error', errors[:8]),
                               ('errors-more', 'three errors', errors + bytes(8))):
        wrong.head(name, what, 'contradict', errors=change)
    wrong.head('errors-missing', 'a lossy chunk that tells no errors', errors=b'')


def bad_errors(make):
    """A lossless chunk does not tell errors."""
    data = ramp('f', 12)
    for name, chunk in (('store', store_chunk(0, 0, data)),
                        ('ndzip', chunk_section(NDZIP, (12,), (), data, xxh3(data))),
                        ('mpc', split(make.compress('ramp_100.f32', ramp('f', 100), '--codec', 'mpc', pipe=False))[2])):
        make.bad(f'{name}-errors', 'a lossless chunk that tells errors', f'cannot have been coded by {name}',
                 member(restored_by_hand(b'ramp.f32', 'f', [rechunked(chunk, errors=bytes(16))])))


def bad_bytes(make):
    """Few codecs take bytes."""
    data = ramp('f', 25)
    for codec, parameters in (NDZIP, ()), (MPC, (1,)), (FRSZ2, (2,)):
        name = NAMES.get(codec, 'ndzip')
        chunk = chunk_section(codec, (100,), parameters, data, xxh3(data), errors=bytes(16 * (codec == FRSZ2)))
        make.bad(f'{name}-bytes', f'{name} of bytes', f'cannot have been coded by {name}',
                 member([file_section(b'text.u8', 100), array_section(3, [100], 100), chunk]))


def bad_arith(make):
    wrong = Wrong(make, two_values('f', 600), 'f', 'arith:block=512', 'two')
    stream = wrong.stream
    lengths = struct.unpack_from('<5I', stream, 524)
    codes = stream[544:]
    wrong.lengths(1)
    wrong('lengths-short', 'the stream ends within the lengths of blocks', stream[:540])
    wrong.patched('count', 'a byte less in the stream than in the head', 'Q', 0, 2399)
    wrong.patched('count-more', 'far more bytes in the stream than in the head', 'Q', 0, 2**64 - 1)
    wrong.patched('block', 'the size of a block is not the parameter', 'I', 8, 1024)
    # Symbols above all that occur do not move the others.
    wrong.patched('sum-more', 'frequencies with a sum of 2^15 + 1', 'H', 12 + 2 * 255, 1)
    wrong.patched('sum-wrap', 'frequencies with a sum of 2^15 + 2^16', '2H', 12 + 2 * 254, 2**15, 2**15)
    wrong.patched('sum-0', 'frequencies of 0', '256H', 12, *[0] * 256)
    wrong.patched('lengths', 'the lengths of blocks shift their border', '2I', 524, lengths[0] + 1, lengths[1] - 1)
    wrong.patched('lengths-wrap', 'the lengths of blocks add up modulo 2^32', '2I', 524, lengths[0] + 2**31,
                  lengths[1] + 2**31)
    wrong('surplus', 'a zero byte at the end of a block',
          stream[:524] + struct.pack('<I', lengths[0] + 1) + stream[528:544] + codes[:lengths[0]] + b'\0' + codes[lengths[0]:])
    wrong('block-short', 'a block without its last byte, which is 0 or not needed',
          stream[:540] + struct.pack('<I', lengths[4] - 1) + codes[:-1])
    wrong.parameter('block-511', 'blocks of 511 bytes', 0, 511)


def bad_predict(make):
    wrong = Wrong(make, drifting('f', 4, 36), 'f', 'predict:predictor=previous,window=3,block=32', 'drifting', '4x36')
    stream = wrong.stream
    lengths = 8 + 4 * 36                # of 6 blocks, 32 values and 4 in turn
    prefixes = lengths + 4 * 6
    length, second = struct.unpack_from('<2I', stream, lengths)
    packed, = struct.unpack_from('<I', stream, prefixes)
    wrong.lengths(4)
    # Not one of these would change what is restored, for "previous" does without a window.
    wrong.patched('predictor', 'a predictor that is not the parameter', 'B', 0, 4)
    wrong.patched('window', 'a window that is not the parameter', 'B', 1, 4)
    wrong.patched('prefix', 'prefixes that are not the parameter', 'B', 2, 3)
    wrong.patched('reserved', 'a byte of the header that is not 0', 'B', 3, 1)
    wrong.patched('block', 'the size of a block is not the parameter', 'I', 4, 64)
    wrong('prefixes-short', 'the stream ends within the prefixes', stream[:prefixes + 10])
    wrong.patched('lengths', 'lengths of blocks that are not those of the prefixes', '2I', lengths, length + 1, second - 1)
    wrong.patched('length-beyond', 'a block is longer than the stream', 'I', lengths, 2**32 - 1)
    wrong.patched('prefix-less', 'a prefix that asks for more bytes than there are', 'I', prefixes, packed & ~3 if packed & 3
                  else packed | 3)
    wrong.head('extents', 'more coding extents than the codec takes', extents=(1, 4, 36))
    wrong.parameter('predictor', 'a parameter of predictor 5', 0, 5)
    wrong.parameter('window-17', 'a parameter of a window of 17', 1, 17)
    wrong.parameter('prefix-f32', 'a parameter of prefixes of 4 bits for f32', 2, 4)
    wrong.parameter('block-48', 'a parameter of blocks of 48 values', 3, 48)
    wrong.parameter('block-0', 'a parameter of blocks of no values', 3, 0)
    wrong.parameter('block-65568', 'a parameter of blocks of 65568 values', 3, 65568)
    double = Wrong(make, drifting('d', 4, 36), 'd', 'predict:prefix=4,block=32', 'drifting', '4x36')
    double.parameter('prefix-f64', 'a parameter of prefixes of 2 bits for f64', 2, 2)
    # The same length, with a prefix above 8 and one that makes up for it.
    at = 8 + 8 * 36 + 4 * 6
    packed, = struct.unpack_from('<Q', double.stream, at)
    prefix = [packed >> 4 * i & 15 for i in range(16)]
    i, j = sorted(range(16), key=prefix.__getitem__)[::15]
    moved = 9 - prefix[j]
    assert prefix[i] >= moved
    double.patched('prefix-9', 'a prefix of 9, of 8 bytes', 'Q', at, packed + (moved << 4 * j) - (moved << 4 * i))


def bad_deflate(make):
    data = ramp('f', 100)
    wrong = Wrong(make, data, 'f', 'deflate:shuffle=0', 'ramp')
    stream = zlib.compress(data)
    wrong('empty', 'the stream is empty', b'')
    wrong('short', 'the stream ends within its checksum', stream[:-1])
    wrong('no-checksum', 'the stream ends before its checksum', stream[:-4])
    wrong('long', 'a zero byte follows the stream', stream + bytes(1))
    wrong('checksum', 'the checksum is wrong', stream[:-1] + bytes([stream[-1] ^ 1]))
    wrong('less', 'the stream holds a word less', zlib.compress(data[:-4]))
    wrong('more', 'the stream holds a word more', zlib.compress(data + bytes(4)))
    wrong('far-more', 'the stream holds far more', zlib.compress(data + bytes(100000)))
    wrong('header', 'the header fails its check', b'\x78\x9d' + stream[2:])
    wrong('dictionary', 'a dictionary is needed', b'\x78\xbb' + struct.pack('>I', zlib.adler32(data)) + stream[2:])
    coder = zlib.compressobj(wbits=31)
    wrong('gzip', 'a gzip stream', coder.compress(data) + coder.flush())
    wrong.heads()
    wrong.parameter('level-0', 'level 0', 0, 0)
    wrong.parameter('level-10', 'level 10', 0, 10)
    wrong.parameter('shuffle', 'shuffle 2', 1, 2)


def bad_zstd(make):
    data = ramp('f', 100)
    wrong = Wrong(make, data, 'f', 'zstd:shuffle=0', 'ramp', needs='zstd')
    stream = wrong.stream

    def frame(content, *options):
        options = options or ('--no-check', f'--stream-size={len(content)}')
        return subprocess.run(['zstd', '-qc', *options], input=content, stdout=subprocess.PIPE, check=True).stdout

    wrong('empty', 'the stream is empty', b'')
    wrong('short', 'the stream ends within its last block', stream[:-1])
    wrong('long', 'a zero byte follows the frame', stream + bytes(1))
    wrong('frames', 'an empty frame follows', stream + frame(b''))
    wrong('skippable', 'a skippable frame stands before', struct.pack('<2I', 0x184D2A50, 0) + stream)
    wrong('skippable-only', 'nothing but a skippable frame of that many bytes', struct.pack('<2I', 0x184D2A50, 400) + bytes(400))
    wrong('unknown-size', 'the frame does not tell its size', frame(data, '--no-check'))
    wrong('checksum', 'the frame has a checksum, and it is wrong', frame(data, '--check', f'--stream-size={len(data)}')[:-4] + bytes(4))
    wrong('less', 'the frame holds a word less', frame(data[:-4]))
    wrong('more', 'the frame holds a word more', frame(data + bytes(4)))
    wrong('far-more', 'the frame holds far more', frame(data + bytes(100000)))
    wrong('dictionary', 'a dictionary is needed', stream[:4] + bytes([stream[4] | 1]) + stream[5:6] + b'\x07' + stream[6:])
    wrong('magic', 'a frame of an older format', b'\x27' + stream[1:])
    wrong('block', 'a block of the reserved type', stream[:7] + bytes([stream[7] | 6]) + stream[8:])
    wrong.heads()
    wrong.parameter('level-0', 'level 0', 0, 0)
    wrong.parameter('level-20', 'level 20', 0, 20)
    wrong.parameter('shuffle', 'shuffle 2', 1, 2)


def bad_lzma(make):
    data = ramp('f', 100)
    wrong = Wrong(make, data, 'f', 'lzma:shuffle=0', 'ramp', needs='lzma')
    stream = wrong.stream

    def raw(content):
        return lzma.compress(content, lzma.FORMAT_RAW, filters=[{'id': lzma.FILTER_LZMA2, 'preset': 6}])

    wrong('empty', 'the stream is empty', b'')
    wrong('short', 'the byte that ends the stream is missing', stream[:-1])
    wrong('cut', 'the stream ends within a chunk', stream[:-9])
    wrong('long', 'a zero byte follows the stream', stream + bytes(1))
    wrong('less', 'the stream holds a word less', raw(data[:-4]))
    wrong('more', 'the stream holds a word more', raw(data + bytes(4)))
    wrong('far-more', 'the stream holds far more', raw(data + bytes(100000)))
    wrong('xz', 'a container of .xz', lzma.compress(data))
    wrong('control', 'a reserved control byte', b'\x03' + stream[1:])
    wrong('no-reset', 'the first chunk does not reset the dictionary', bytes([stream[0] & 0x9F]) + stream[1:])
    wrong.heads()
    wrong.parameter('level-10', 'level 10', 0, 10)
    wrong.parameter('shuffle', 'shuffle 2', 1, 2)


def bad_delta(make):
    for codec, most in (('delta-lzma', 9), ('delta-zstd', 19)):
        wrong = Wrong(make, ramp('f', 100), 'f', codec, 'ramp', needs=codec)
        stream = wrong.stream
        wrong('empty', 'the stream is empty', b'')
        wrong('short', 'the last byte of the stream is missing', stream[:-1])
        wrong('long', 'a zero byte follows the stream', stream + bytes(1))
        wrong.heads()
        wrong.parameter(f'level-{most + 1}', f'level {most + 1}', 0, most + 1)


def make_bad(make):
    bad_gfc(make)
    bad_mpc(make)
    bad_frsz2(make)
    bad_errors(make)
    bad_bytes(make)
    bad_arith(make)
    bad_predict(make)
    bad_deflate(make)
    bad_zstd(make)
    bad_lzma(make)
    bad_delta(make)
