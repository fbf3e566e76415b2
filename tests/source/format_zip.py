# SPDX-License-Identifier: MIT
"""Zip archives: NumPy's and PyTorch's, right and wrong. Pickles are made by Python's own module, of classes that only have
the names of PyTorch's."""
import collections
import io
import math
import os
import pickle
import random
import struct
import sys
import types
import zipfile

from expect import expect
from formats import CODE, alone, damaged, listed, packed, recovered, run, wave, whole, write

STORAGES = {'Float': 'f32', 'Double': 'f64', 'Half': 'f16', 'BFloat16': 'bf16', 'Long': 'i64', 'Int': 'i32', 'Short': 'i16',
            'Char': 'i8', 'Byte': 'u8', 'Bool': 'u8'}


def npy(dtype, shape, values, order='<'):
    letter = {'f': 'f', 'i': 'i', 'u': 'u'}[dtype[0]]
    text = repr({'descr': f'{order}{letter}{int(dtype[1:]) // 8}', 'fortran_order': False, 'shape': shape})
    text += ' ' * (-(11 + len(text)) % 64) + '\n'
    return b'\x93NUMPY\1\0' + struct.pack('<H', len(text)) + text.encode() + values


def archive(members, method=zipfile.ZIP_STORED, comment=b'', stream=False, level=None):
    """The bytes of an archive of (name, data) or (name, data, method); `stream`: lengths stand behind the data."""
    class Pipe(io.RawIOBase):
        def __init__(self):
            self.data = b''

        def writable(self):
            return True

        def write(self, data):
            self.data += bytes(data)
            return len(data)

    file = Pipe() if stream else io.BytesIO()
    with zipfile.ZipFile(file, 'w', method) as made:
        for name, data, *own in members:
            made.writestr(zipfile.ZipInfo(name), data, own[0] if own else method, level)
        made.comment = comment
    return file.data if stream else file.getvalue()


def zip64(members):
    """Every field that may be is in zip64's records."""
    data, directory = b'', b''
    for name, content in members:
        extra = struct.pack('<HHQQQ', 1, 24, len(content), len(content), len(data))
        directory += struct.pack('<IHHHHHHIIIHHHHHII', 0x02014b50, 45, 45, 0, 0, 0, 33, 0, 2**32 - 1, 2**32 - 1, len(name),
                                 len(extra) + 5, 3, 0, 0, 0, 2**32 - 1) + name + b'xx\1\0\0' + extra + b'rem'
        data += struct.pack('<IHHHHHIIIHH', 0x04034b50, 45, 0, 0, 0, 33, 0, 2**32 - 1, 2**32 - 1, len(name), 20) + name
        data += struct.pack('<HHQQ', 1, 16, len(content), len(content)) + content
    end = len(data) + len(directory)
    return (data + directory + struct.pack('<IQHHIIQQQQ', 0x06064b50, 44, 45, 45, 0, 0, len(members), len(members),
                                           len(directory), len(data)) +
            struct.pack('<IIQI', 0x07064b50, 0, end, 1) +
            struct.pack('<IHHHHIIH', 0x06054b50, 0, 0, 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1, 0))


class Tensor:
    """Becomes what a tensor of PyTorch is in a pickle."""

    def __init__(self, key, storage, shape, stride=None, first=0, values=None):
        self.key, self.storage, self.shape, self.first = key, storage, shape, first
        self.values = values
        count = 1
        steps = []
        for extent in reversed(shape):
            steps.insert(0, count)
            count *= extent
        self.values = values or count
        self.stride = tuple(stride or steps)


class Storage:
    def __init__(self, tensor):
        self.tensor = tensor


def fake_torch():
    torch, utils = types.ModuleType('torch'), types.ModuleType('torch._utils')
    sys.modules.update({'torch': torch, 'torch._utils': utils})
    for name in STORAGES:
        setattr(torch, name + 'Storage', type(name + 'Storage', (), {'__module__': 'torch'}))

    def _rebuild_tensor_v2(*_):
        pass

    def _rebuild_parameter(*_):
        pass

    for function in _rebuild_tensor_v2, _rebuild_parameter:
        function.__module__, function.__qualname__ = 'torch._utils', function.__name__
        setattr(utils, function.__name__, function)
    return torch, utils


TORCH, UTILS = fake_torch()


class Pickler(pickle.Pickler):
    def persistent_id(self, obj):
        if not isinstance(obj, Storage):
            return None
        tensor = obj.tensor
        return 'storage', getattr(TORCH, tensor.storage + 'Storage'), tensor.key, 'cpu', tensor.values

    def reducer_override(self, obj):
        if not isinstance(obj, Tensor):
            return NotImplemented
        return UTILS._rebuild_tensor_v2, (Storage(obj), obj.first, obj.shape, obj.stride, False, collections.OrderedDict())


def pickled(obj, protocol=2):
    file = io.BytesIO()
    Pickler(file, protocol).dump(obj)
    return file.getvalue()


def torch_file(obj, storages, protocol=2):
    return archive([('m/data.pkl', pickled(obj, protocol)), ('m/byteorder', b'little')] +
                   [('m/data/' + key, data) for key, data in storages.items()] + [('m/version', b'3\n')])


def test_npz():
    arrays = {'x': ('f32', (60, 100), wave('f32', 6000)), 'inner/y': ('f64', (3000,), wave('f64', 3000)),
              'z': ('i16', (20, 30, 10), wave('i16', 6000, True), True)}
    members = [(name + '.npy', npy(dtype, shape, values, '>' if big else '<')) for name, (dtype, shape, values, *big) in arrays.items()]
    members += [('notes.txt', b'some text ' * 50), ('text.npy', b'no array at all'), ('folder/', b'')]
    data = archive(members)
    whole('right.npz', data, arrays, 'zip')
    recovered('right.npz', data)
    expect('archived' not in packed('again.npz', data), 'a right file is warned of')
    whole('zip64.npz', zip64([(name.encode(), content) for name, content in members]), arrays, 'zip')
    whole('stream.npz', archive(members, stream=True), arrays, 'zip')
    whole('comment.npz', archive(members, comment=b'PK\5\6' * 16000), arrays, 'zip')
    packed('empty.zip', archive([]))
    one = ('a.npy', npy('f32', (6000,), wave('f32', 6000)))
    packed('record.npz', archive([('r.npy', npy('f32', (6000,), wave('f32', 6000)).replace(b"'<f4' ", b"[('k','<f4')]"))]))
    expect(run('-f', '--format', 'zip', 'right.npz').returncode == 0, '--format zip')
    many = archive([(f'{i}.npy', npy('u8', (), b'1')) for i in range(300)])
    packed('many.npz', many)

    # What lies is archived as bytes; what does not is an array still.
    kept, b = archive([one, ('b.npy', one[1])]), 30 + 5 + len(one[1])
    damaged('cut.npz', kept[:-1], 'without a directory')
    damaged('front.npz', kept[:100], 'without a directory')
    directory = kept.index(b'PK\1\2')
    second = kept.index(b'PK\1\2', directory + 4)

    def changed(at, value):
        return kept[:at] + value + kept[at + len(value):]

    for at, value, words, left in (
            (second, b'PK\1\3', 'directory of the zip archive', ['a']),                  # no entry
            (second + 28, b'\xff\xff', 'directory of the zip archive', ['a']),           # a name of 65535 bytes
            (second + 42, struct.pack('<I', 0), '1 of its 2 arrays', ['a']),             # the same member twice
            (second + 42, struct.pack('<I', 7), 'is not where', ['a']),
            (second + 42, struct.pack('<I', 2**32 - 1), 'is not where', ['a']),
            (second + 20, struct.pack('<II', 2**31, 2**31), 'is not where', ['a']),      # beyond the directory
            (second + 20, struct.pack('<II', 2**32 - 1, 2**32 - 1), 'is not where', ['a']),
            (second + 20, struct.pack('<II', 24000, 24000), 'ends before the last', ['a']),
            (b + 26, b'\x06', 'is not where', ['a']),                           # its own header has another name
            (len(kept) - 6, struct.pack('<I', 2**32 - 1), 'without a directory', []),
            (len(kept) - 10, struct.pack('<I', 2**31), 'without a directory', [])):
        damaged('lie.npz', changed(at, value), words, left)
    damaged('zip64.npz', zip64([(b'a.npy', one[1])]).replace(b'\1\0\x18\0', b'\1\0\x10\0'), 'directory of the zip', [])
    far = zip64([(b'a.npy', one[1])])
    at = far.index(b'PK\6\7')
    whole('locator.npz', far[:at + 8] + b'\xff' * 8 + far[at + 16:], {'a': ('f32', (6000,), wave('f32', 6000))}, 'zip')


def test_deflated():
    """Members that zlib can make again are arrays; others stay as they are."""
    noise = random.Random(1)
    values = struct.pack('<20000f', *(math.sin(i / 50) + noise.random() / 1000 for i in range(20000)))
    member = npy('f32', (200, 100), values)
    for level in 1, 6, 9:
        data = archive([('a.npy', member), ('text', b'text ' * 300)], zipfile.ZIP_DEFLATED, level=level)
        said = packed('deflated.npz', data)
        found = listed('deflated.npz')[0]
        expect('1 of its 2 members' in said and found == {'a': ('f32', (200, 100))}, level, said, found)
        part = run('-dc', '--to', 'raw', '--dataset', 'a', '--region', '10:12', 'deflated.npz.fpgz')
        expect(part.stdout == values[4000:4800], level, part.stderr)
        alone('deflated.npz', 'a', values)
        expect(run('-dc', '--to', 'npy', '--dataset', 'a', 'deflated.npz.fpgz').stdout.endswith(values), level, 'as NumPy')
    said = packed('stored.npz', archive([('a.npy', member)], zipfile.ZIP_DEFLATED, level=0))
    expect('in dataset a, are filtered chunks in stored blocks' in said and 'make again' not in said, said)
    # Of what is column-major, or has no axes, the values are in a row; of what is no array of numbers, all bytes.
    for shape, found in ('()', None), ('(20000,)', (20000,)), ('(200, 100)', (20000,)), ('(5, 10, 20, 20)', (20000,)), \
            ('(1, 2, 2, 5, 10, 100)', (20000,)), ('(200, 99)', (len(member) // 4,)), ('(200, 101)', (len(member) // 4,)):
        odd = member.replace(b'False', b'True ').replace(b'(200, 100)}'.ljust(40), f'{shape}}}'.encode().ljust(40))
        packed('odd.npz', archive([('a.npy', odd)], zipfile.ZIP_DEFLATED))
        if found:
            name = 'a.npy' if found != (20000,) else 'a'
            expect(listed('odd.npz')[0] == {name: ('f32', found)}, shape, listed('odd.npz'))
            expect(run('-dc', '--to', 'raw', '--dataset', name, 'odd.npz.fpgz').stdout.endswith(values), shape)
    for descr, found in ("'>c8'", {'a': ('f32', (200, 50, 2))}), ("[('x', '<f4'), ('y', '<f4')]", {'a.npy': ('u8', (len(member),))}), \
            ("'<U1'", {'a.npy': ('u8', (len(member),))}):
        header = repr({'descr': 0, 'fortran_order': False, 'shape': (200, 50)}).replace('0', descr, 1).ljust(117) + '\n'
        data = b'\x93NUMPY\1\0' + struct.pack('<H', len(header)) + header.encode() + values
        packed('odd.npz', archive([('a.npy', data)], zipfile.ZIP_DEFLATED))
        found = found if len(data) == len(member) else {name: (kind, (len(data),) if kind == 'u8' else shape) for name, (kind, shape) in found.items()}
        expect(listed('odd.npz')[0] == found, descr, listed('odd.npz'))
    # At a level that undoes no filters, the array is read from the restored file.
    packed('low.npz', archive([('a.npy', member)], zipfile.ZIP_DEFLATED), 0, '-1')
    expect(run('-dc', '--to', 'raw', '--dataset', 'a', 'low.npz.fpgz').stdout == values, 'of a container with bytes')
    write('lie.npz', archive([('a.npy', member)], zipfile.ZIP_DEFLATED)[:300] + bytes(40) + archive([('a.npy', member)], zipfile.ZIP_DEFLATED)[340:])
    result = run('-f', '--dataset', 'a', '-o', 'lie.fpgz', 'lie.npz')
    expect(result.returncode in (1, 2) and (b'damaged' in result.stderr or b'is not where' in result.stderr), result.stderr)
    # Two members of the same bytes, of which one is the other's copy.
    two = archive([('a.npy', member), ('b.npy', member)], zipfile.ZIP_DEFLATED)
    packed('two.npz', two)
    expect(listed('two.npz')[0] == {name: ('f32', (200, 100)) for name in 'ab'} and os.path.getsize('two.npz.fpgz') < 0.6 * len(two),
           'a copy', listed('two.npz'))
    data = archive([('a.npy', member), ('text', b'text ' * 300)], zipfile.ZIP_DEFLATED, level=9)
    packed('deflated.pt', archive([('m/data.pkl', pickled({'a': Tensor('0', 'Float', (200, 100))})),
                                   ('m/data/0', values, zipfile.ZIP_DEFLATED)]))
    expect(listed('deflated.pt')[0] == {'m/data/0': ('f32', (20000,))}, listed('deflated.pt'))
    directory = data.index(b'PK\1\2')
    second = data.index(b'PK\1\2', directory + 4)

    def changed(at, value):
        return data[:at] + value + data[at + len(value):]

    first = struct.unpack_from('<II', data, directory + 20)
    for lie in (changed(directory + 24, struct.pack('<I', 2**31 - 1)), changed(directory + 24, struct.pack('<I', len(member) - 1)),
                changed(directory + 20, struct.pack('<I', first[0] - 1)), changed(directory + 20, b'\1\0\0\0'),
                changed(35, b'\xff' * 100)):
        packed('lie.npz', lie)
        expect(not listed('lie.npz')[0], listed('lie.npz'))
    twice = changed(second + 8, data[directory + 8:directory + 28])[:second + 28] + data[second + 28:]
    twice = twice[:second + 42] + bytes(4) + twice[second + 46:]
    packed('twice.npz', twice, 2)


def test_torch():
    obj, storages, arrays = {'model': collections.OrderedDict(), 'epoch': 7, 'list': [1.5, None, True, 2**70, (1, 2)]}, {}, {}
    for i, (theirs, ours) in enumerate(STORAGES.items()):
        storages[str(i)] = wave(ours, 60 * 100)
        obj['model'][theirs + '.weight'] = Tensor(str(i), theirs, (60, 100))
        arrays[f'model.{theirs}.weight'] = ours, (60, 100), storages[str(i)]
    obj['states'] = {1: {'step': 3, 'x': Tensor('s1', 'Float', (30, 10, 20))}, 2: {'step': 4, 'x': Tensor('s2', 'Float', (6000,))}}
    for number, shape in (1, (30, 10, 20)), (2, (6000,)):
        storages[f's{number}'] = wave('f32', 6000)
        arrays[f'states.{number}.x'] = 'f32', shape, wave('f32', 6000)
    # Two views of one storage, one that is transposed, and a list: named by their members.
    storages.update(view=wave('f32', 6000), turned=wave('f32', 6000), listed=wave('f64', 3000), left=wave('f32', 6000))
    obj['view'] = Tensor('view', 'Float', (30, 100), values=6000)
    obj['other'] = Tensor('view', 'Float', (30, 100), first=3000, values=6000)
    obj['turned'] = Tensor('turned', 'Float', (60, 100), (1, 60))
    obj['tensors'] = [Tensor('listed', 'Double', (3000,))]
    arrays.update({'other': ('f32', (6000,), wave('f32', 6000)), 'turned': ('f32', (6000,), wave('f32', 6000)),
                   'm/data/listed': ('f64', (3000,), wave('f64', 3000))})
    for protocol in 2, 3, 4, 5:
        data = torch_file(obj, storages, protocol)
        packed('model.pt', data)
        found = listed('model.pt')
        expect(found == ({name: array[:2] for name, array in arrays.items()}, 'zip'), protocol, found)
    whole('model.pt', data, arrays, 'zip')

    one, values = pickled({'a': Tensor('0', 'Float', (60, 100))}), wave('f32', 6000)
    def with_pickle(program, data=values):
        return archive([('m/data.pkl', program), ('m/data/0', data)])

    whole('big.pt', archive([('m/byteorder', b'big'), ('m/data/0', wave('f32', 6000, True)), ('m/data.pkl', one)]),
          {'a': ('f32', (60, 100), wave('f32', 6000, True), True)}, 'zip')
    whole('one.pt', with_pickle(one), {'a': ('f32', (60, 100), values)}, 'zip')
    packed('short.pt', with_pickle(one, values[:-4]))
    expect(listed('short.pt')[0] == {'a': ('f32', (5999,))}, listed('short.pt'))
    damaged('odd.pt', with_pickle(one, values[:-1]), 'bytes of its values')
    for end in range(0, len(one), 9):
        write('cut.pt', with_pickle(one[:end]))
        expect(run('-f', '-q', 'cut.pt').returncode == 0, 'a pickle that is cut off', end)
    # Many keys that are too long for a name lead to one tensor: it is tried once, and then has none.
    first = one.index(b'X\7\0\0\0storage') - 1
    tensor = (b'ctorch._utils\n_rebuild_tensor_v2\n((' + one[first + 1:one.index(b'Q', first) + 1] +
              b'K\0K\x3cK\x64\x86K\x64K\1\x86tR')
    program = (tensor + b'r\0\2\0\0}(X\xff\3\0\0' + b'k' * 1023 + b'}(' + b'K\1j\0\2\0\0' * 100000 + b'u%suu.')
    for name, key in ('m/data/0', b'X\1\0\0\0bj\0\2\0\0'), ('m/data/0', b''):
        whole('keys.pt', with_pickle(program % key), {name: ('f32', (60, 100), values)}, 'zip')
    whole('key.pt', with_pickle(tensor + b'r\0\2\0\0}X\1\0\0\0bj\0\2\0\0s.'), {'b': ('f32', (60, 100), values)}, 'zip')
    for program in (b'', b'.', b'Q', b't', b'R', b'q\0', b'h\0', b'j\xff\xff\xff\x7f', b'(r\xff\xff\xff\x7f', b'((((1111',
                    b'X\xff\xff\xff\xff', b'\x8d' + b'\xff' * 8, b'cposix\nsystem\n(X\4\0\0\0exittR.', b'(' * 2000000, b'(2' * 1500000,
                    b'}(' + b'X\3\0\0\0abc}(' * 3000, b')' * 2000000, b'K\1\x85\x85\x85s', b'u', b'g9999999999999999999999\n',
                    b'\x93', b'0', b'2', b')Q', b'K\1\x85Q', b'\xff'):
        packed('odd.pt', with_pickle(program))
        expect(not listed('odd.pt')[0], program[:20], listed('odd.pt'))
    whole('untold.pt', with_pickle(b'(' + one[one.index(b'X\7\0\0\0storage'):]), {'m/data/0': ('f32', (6000,), values)}, 'zip')


def test():
    test_npz()
    test_deflated()
    test_torch()
