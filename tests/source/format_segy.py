# SPDX-License-Identifier: MIT
"""SEG-Y files, right and wrong."""
import struct

from expect import expect
from formats import SIZE, damaged, listed, packed, recovered, run, wave, whole, write

FORMATS = {1: 'u32', 2: 'i32', 3: 'i16', 4: 'u32', 5: 'f32', 6: 'f64', 8: 'i8', 9: 'i64', 10: 'u32', 11: 'u16', 12: 'u64', 16: 'u8'}
FIELDS = (('i', 7), ('h', 4), ('i', 8), ('h', 2), ('i', 4), ('h', 46), ('i', 5), ('h', 20))


def put(data, at, code, value, order='>'):
    struct.pack_into(order + code, data, at, value)


def segy(code, traces, samples, order='>', texts=0, wide=False):
    """A file, and its arrays."""
    dtype, rows, where = FORMATS[code], {}, 0
    size = SIZE[dtype]
    head = bytearray(b'\xc3' + b'\x40' * 3199 + bytes(400))
    put(head, 3220, 'H', 0 if wide else samples, order)
    put(head, 3224, 'H', code, order)
    put(head, 3504, 'H', texts, order)
    if order == '<' or wide:
        put(head, 3296, 'I', 0x01020304, order)
        put(head, 3500, 'H', 0x200, order)
    if wide:
        put(head, 3268, 'I', samples, order)
    values, data = wave(dtype, traces * samples, order == '>'), head + bytes(3200 * texts)
    for i in range(traces):
        trace, where = bytearray(), 0
        for letter, count in FIELDS:
            first = where + 1
            fields = [i // (k + 1) % 100 for k in range(count)]
            if first == 89:
                fields[(114 - 88) // 2] = 0 if wide else samples
            part = struct.pack(f'{order}{count}{letter}', *fields)
            where += len(part)
            key = f'header.{first}-{where}', 'i32' if letter == 'i' else 'i16', count
            rows[key] = rows.get(key, b'') + part
            trace += part
        data += trace + values[i * samples * size:(i + 1) * samples * size]
    arrays = {name: (kind, (traces, count), part, order == '>') for (name, kind, count), part in rows.items()}
    arrays['samples'] = dtype, (traces, samples), values, order == '>'
    return bytes(data), arrays


def test():
    for code in FORMATS:
        data, arrays = segy(code, 90, 200)
        if code in (1, 3):
            whole('right.sgy', data, arrays, 'segy')
            continue
        packed('right.sgy', data)
        expect(listed('right.sgy')[0] == {name: array[:2] for name, array in arrays.items()}, code, listed('right.sgy'))
    recovered('right.sgy', data)
    expect('archived' not in packed('again.sgy', data), 'a right file is warned of')
    for order, texts, wide in ('<', 0, False), ('>', 2, False), ('>', 0, True), ('<', 1, True):
        whole('right.sgy', *segy(5, 60, 150, order, texts, wide), 'segy')

    data, arrays = segy(5, 80, 100)
    record = 240 + 400
    damaged('cut.sgy', data[:-1], 'cut off', arrays)
    other = bytearray(data)
    put(other, 3600 + 40 * record + 114, 'H', 99)
    packed('other.sgy', bytes(other))
    expect(not listed('other.sgy')[0], 'traces that differ')
    write('other.sgy', bytes(other))
    result = run('-f', '--format', 'segy', 'other.sgy')
    expect(result.returncode == 2 and b'of one length' in result.stderr, result.stderr)
    # One of the headers may be wrong.
    wrong = bytearray(data)
    put(wrong, 3220, 'H', 7)
    whole('wrong.sgy', bytes(wrong), arrays, 'segy')
    wrong = bytearray(data)
    for trace in range(80):
        put(wrong, 3600 + trace * record + 114, 'H', 7)
    packed('wrong.sgy', bytes(wrong))
    expect(listed('wrong.sgy')[0]['samples'] == ('f32', (80, 100)), listed('wrong.sgy'))
    for at, value in (3224, 7), (3224, 0xffff), (3504, 0xffff), (3504, 30), (0, 0):
        odd = bytearray(data)
        put(odd, at, 'H', value)
        packed('odd.sgy', bytes(odd))
        expect(listed('odd.sgy') == ({}, None) or not listed('odd.sgy')[0], at, value, listed('odd.sgy'))
    result = run('-f', '--format', 'segy', 'odd.sgy')
    expect(result.returncode == 0, 'without a card of text, --format says so', result.stderr)
    none = bytearray(data)
    for at in 3220, 3600 + 114:
        put(none, at, 'H', 0)
    packed('none.sgy', bytes(none))
    packed('headers.sgy', data[:3600])
