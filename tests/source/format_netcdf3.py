# SPDX-License-Identifier: MIT
"""netCDF-3 files, right and wrong."""
import struct

from expect import expect
from formats import SIZE, attributes, damaged, odd_attributes, packed, recovered, run, swapped, wave, whole, write

TYPES = {'i8': 1, 'u8': 2, 'i16': 3, 'i32': 4, 'f32': 5, 'f64': 6, 'u16': 8, 'u32': 9, 'i64': 10, 'u64': 11}
CLASSIC = ('i8', 'u8', 'i16', 'i32', 'f32', 'f64')
ATTRIBUTES = ((b'units', 2, b'K'), (b'_FillValue', 5, struct.pack('>f', 1e20)), (b'none', 2, b''))


class File:
    """dims: (name, length), 0 for the records; variables: (name, dtype, dims, values of all records)."""

    def __init__(self, version, dims, variables, records=0, stated=None, **changes):
        self.version, self.dims, self.variables, self.records = version, dims, variables, records
        self.stated = records if stated is None else stated
        self.changes = changes  # of a variable: what its header says instead
        self.wide = 'Q' if version == 5 else 'I'

    def number(self, value, code=None):
        code = code or self.wide
        return struct.pack('>' + code, value % 256**struct.calcsize(code))

    def name(self, text):
        return self.number(len(text)) + text + bytes(-len(text) % 4)

    def things(self, tag, items):
        return self.number(tag if items else 0, 'I') + self.number(len(items)) + b''.join(items)

    def attributes(self, which):
        return self.things(12, [self.name(name) + self.number(kind, 'I') + self.number(len(value) // (4 if kind == 5 else 1)) +
                                value + bytes(-len(value) % 4) for name, kind, value in which])

    def of_records(self, dims):
        return bool(dims) and self.dims[dims[0]][1] == 0

    def header(self, begins):
        variables = []
        for (name, dtype, dims, values), begin in zip(self.variables, begins):
            said = {'type': TYPES[dtype], 'dims': dims, 'begin': begin, 'size': len(values), **self.changes.get(name, {})}
            variables.append(self.name(name.encode()) + self.number(len(said['dims'])) + b''.join(map(self.number, said['dims'])) +
                             self.attributes(ATTRIBUTES) + self.number(said['type'], 'I') + self.number(said['size']) +
                             self.number(said['begin'], 'I' if self.version == 1 else 'Q'))
        return (b'CDF' + bytes([self.version]) + self.number(self.stated) +
                self.things(10, [self.name(name.encode()) + self.number(length) for name, length in self.dims]) +
                self.attributes(((b'title', 2, b'a file'),)) + self.things(11, variables))

    def bytes(self):
        at, begins, fixed = len(self.header([0] * len(self.variables))), [], b''
        records = [variable for variable in self.variables if self.of_records(variable[2])]
        for variable in self.variables:
            begins.append(at + len(fixed))
            if variable not in records:
                fixed += variable[3] + bytes(-len(variable[3]) % 4)
        record = at + len(fixed)
        rows = {variable[0]: len(variable[3]) // self.records for variable in records} if self.records else {}
        for i, variable in enumerate(self.variables):
            if variable in records:
                begins[i] = record
                size = rows.get(variable[0], 0)
                record += size if len(records) == 1 else size + -size % 4
        out = self.header(begins) + fixed
        for i in range(self.records):
            for name, _, _, values in records:
                out += values[i * rows[name]:(i + 1) * rows[name]]
                out += b'' if len(records) == 1 else bytes(-rows[name] % 4)
        return out


def right(version, types):
    """Fixed and record variables of each type, some with padding."""
    dims, variables, arrays = [('time', 0), ('y', 33), ('x', 61)], [], {}
    for dtype in types:
        for name, along in ('fixed_' + dtype, False), ('moving_' + dtype, True):
            shape = (7, 33, 61) if along else (33, 61)
            count = 33 * 61 * (7 if along else 1)
            values = wave(dtype, count, True)
            variables.append((name, dtype, [0, 1, 2] if along else [1, 2], values))
            if len(values) > 4000:  # smaller ones may be no arrays
                arrays[name] = dtype, shape, values, True
    variables.append(('scalar', 'f64', [], bytes(8)))
    return File(version, dims, variables, 7), arrays


def test():
    for version, types in (1, CLASSIC), (2, ('i16', 'f64')), (5, list(TYPES)):
        file, arrays = right(version, types)
        data = file.bytes()
        name = f'right{version}.nc'
        said = packed(name, data)
        expect('archived as bytes' not in said, name, said)
        if version == 2:
            whole(name, data, {**arrays, 'scalar': ('f64', (1,), bytes(8))}, 'netCDF-3')
            recovered(name, data)
        streaming = File(version, file.dims, file.variables, 7, stated=-1).bytes()
        result = packed('streaming.nc', streaming)
        expect('archived as bytes' not in result, 'streaming', result)
        for key, (dtype, _, values, _) in list(arrays.items())[version::7]:
            alone = run('-dc', '--to', 'raw', '--dataset', key, 'streaming.nc.fpgz').stdout
            expect(alone == b''.join(values[i:i + SIZE[dtype]][::-1] for i in range(0, len(values), SIZE[dtype])), version, key)
            region = run('-dc', '--to', 'raw', '--dataset', key, '--region', '2:3', 'streaming.nc.fpgz').stdout
            expect(len(region) in (33 * 61 * SIZE[dtype], 61 * SIZE[dtype]) and region in alone, version, key, 'a region')
    attributes('right1.nc', 'fixed_f64', (b'units', 4, 0, b'\1\0\0\0K'), (b'_FillValue', 3, 4, struct.pack('<f', 1e20)),
               (b'none', 4, 0, bytes(4)))
    # A lone record variable has no padding, whatever its type is.
    for dtype in 'i8', 'i16', 'f32':
        values = wave(dtype, 5 * 3001, True)
        whole(f'lone_{dtype}.nc', File(1, [('t', 0), ('x', 3001)], [('v', dtype, [0, 1], values)], 5).bytes(),
              {'v': (dtype, (5, 3001), values, True)}, 'netCDF-3')
    # Few steps of nodes without an order are coded along time, and come back as they were.
    state, nodes = 1, []
    for _ in range(3001):
        state = state * 1103515245 + 12345 & 0x7fffffff
        nodes.append((state / 2**20, state % 9973 / 2**10))
    steps = b''.join(struct.pack('>d', at + speed * step + step * step / 64) for step in range(12) for at, speed in nodes)
    for name, dims in ('nodes', [('t', 0), ('x', 3001)]), ('fixed', [('t', 12), ('x', 3001)]):
        data = File(2, dims, [('v', 'f64', [0, 1], steps), ('w', 'f32', [0], bytes(48))], 12).bytes()
        whole(name + '.nc', data, {'v': ('f64', (12, 3001), steps, True), 'w': ('f32', (12,), bytes(48), True)}, 'netCDF-3')
        expect(b' as 3001x12 ' in run('-lvv', name + '.nc.fpgz').stdout, name, 'is not turned')
        recovered(name + '.nc', data)
        for options in ('--chunk', '64K'), ('--memory', '64M'):
            expect(run('-f', *options, name + '.nc').returncode == 0, options)
            expect(run('-dc', name + '.nc.fpgz').stdout == data, name, options)
            part = run('-dc', '--to', 'raw', '--dataset', 'v', '--region', '3:5,7:9', name + '.nc.fpgz').stdout
            rows = [steps[8 * (3001 * t + x):][:8][::-1] for t in (3, 4) for x in (7, 8)]
            expect(part == b''.join(rows), name, options, 'a region')
    # The same steps in a row, with some values behind them: the rows are found.
    data = File(2, [('x', 12 * 3001 + 5)], [('v', 'f64', [0], steps + bytes(40))]).bytes()
    whole('row.nc', data, {'v': ('f64', (12 * 3001 + 5,), steps + bytes(40), True)}, 'netCDF-3')
    expect(b' as 3001x12 ' in run('-lvv', 'row.nc.fpgz').stdout, 'row.nc', 'is not folded and turned')
    part = run('-dc', '--to', 'raw', '--dataset', 'v', '--region', '36000:36017', 'row.nc.fpgz').stdout
    expect(part == swapped(steps[8 * 36000:] + bytes(40), 8), 'row.nc', 'a region')
    recovered('row.nc', data)
    # An array that the container does not have is read from the file.
    expect(run('-dc', '--to', 'raw', '--dataset', 'scalar', 'right1.nc.fpgz').stdout == bytes(8), 'a scalar')
    alone = run('--dataset', 'moving_f64', '-f', '-o', 'alone.fpgz', 'right2.nc')
    expect(alone.returncode == 0 and run('-dc', 'alone.fpgz').stdout == run('-dc', '--to', 'raw', '--dataset', 'moving_f64',
                                                                           'right2.nc.fpgz').stdout, '--dataset', alone.stderr)
    missing = run('--dataset', 'nothing', '-f', '-o', 'alone.fpgz', 'right2.nc')
    expect(missing.returncode == 1 and b'holds no dataset nothing; it has fixed_i16, moving_i16' in missing.stderr, missing.stderr)

    a, b = wave('f32', 6000, True), wave('f64', 3000, True)
    dims, variables = [('t', 0), ('x', 6000), ('y', 3000)], [('a', 'f32', [1], a), ('b', 'f64', [2], b)]
    data = File(1, dims, variables).bytes()
    damaged('cut.nc', data[:-9], '1 of its 2 arrays', ['a'])
    for name, begin in ('far', 2**31 - 8), ('overlap', 6000), ('front', 0):
        said = packed(name + '.nc', File(1, dims, variables, b={'begin': begin}).bytes(), 2)
        expect('1 of its 2 arrays' in said, name, said)
    for name, change in (('type', {'type': 12}), ('id', {'dims': [3]}), ('ids', {'dims': [1] * 2 + [9]}), ('inner', {'dims': [1, 0]})):
        damaged(name + '.nc', File(2, dims, variables, b=change).bytes(), 'netCDF header')
    damaged('huge.nc', File(5, [('x', 2**62), ('y', 2**62)], [('v', 'f32', [0, 1], b'')]).bytes(), 'cannot be as large')
    damaged('many.nc', File(5, [('t', 0), ('x', 6000)], [('v', 'f32', [0, 1], a), ('w', 'f32', [0, 1], a)], 1, 2**63).bytes(),
            'archived as bytes')
    records = File(5, [('t', 0), ('x', 2**61)], [('v', 'f64', [0, 1], b''), ('w', 'f64', [0, 1], b'')]).bytes()
    damaged('record.nc', records, 'netCDF header')
    # Attributes with types that there are not, with more values than the file has bytes, and with such names.
    for version, wide in (1, 4), (5, 8):
        fair = File(version, dims, variables).bytes()
        at = fair.index(b'units\0\0\0')
        for change, place, size in ((0, at + 8, 4), (12, at + 8, 4), (2**32 - 1, at + 8, 4), (2**31 - 1, at + 12, wide),
                                    (2**(8 * wide) - 1, at + 12, wide), (2**(8 * wide - 3), at - wide, wide), (0, at - wide, wide)):
            odd_attributes('odd.nc', fair[:place] + change.to_bytes(size, 'big') + fair[place + size:], 'a')
        odd_attributes('odd.nc', fair.replace(b'units', b'\0/\xff\n.'), 'a')
    header = File(5, dims, variables).header([0, 0])
    for length in range(16, len(header), 23):
        packed('cut_header.nc', header[:length], 2)
    write('deep.nc', File(2, dims, [('v', 'f32', [1] * 5, a)] * 300).bytes())
    expect(run('-f', 'deep.nc').returncode == 2, 'extents of 6000^5')
