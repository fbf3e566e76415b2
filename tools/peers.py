# SPDX-License-Identifier: MIT
"""Compressors of arrays from PyPI, for compare.py: in an environment of their own, and from memory to memory.

A peer has a name, pack(array) and unpack(bytes, array); the array that unpack() gets tells dtype and shape alone.
"""
import importlib
import importlib.metadata
import lzma
import os
import subprocess
import sys

PACKAGES = ('numpy', 'pcodec', 'openzl', 'geozl', 'blosc2', 'fpzip', 'zfpy', 'matplotlib')
INSIDE = 'FPGZ_COMPARE_PEERS'


def enter(folder):
    """Goes on in the virtual environment of the folder, which is made where it is not there, with what can be had."""
    if os.environ.get(INSIDE) == folder:
        return
    python = os.path.join(folder, 'bin', 'python3')
    if not os.path.exists(python):
        print(f'making {folder}', flush=True)
        subprocess.run([sys.executable, '-m', 'venv', folder], check=True)
    for package in PACKAGES:
        known = subprocess.run([python, '-m', 'pip', 'show', '-q', package], capture_output=True)
        if known.returncode:
            tried = subprocess.run([python, '-m', 'pip', 'install', '-q', '--only-binary', ':all:', package],
                                   capture_output=True, text=True)
            if tried.returncode:
                print(f'{package}: cannot be installed: {(tried.stderr.strip() or "no reason").splitlines()[-1]}')
    sys.stdout.flush()
    os.execve(python, [python, *sys.argv], {**os.environ, INSIDE: folder})


def module_of(package):
    """The module, or None with a line that says why not."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        print(f'left out: {package} ({error})')
        return None


class Pcodec:
    def __init__(self, module, level):
        self.name, self.module, self.level = f'pcodec {level}', module, level
        importlib.import_module('pcodec.standalone')

    def pack(self, array):
        config = self.module.ChunkConfig(compression_level=self.level)
        return self.module.standalone.simple_compress(array.reshape(-1), config)

    def unpack(self, packed, _array):
        return self.module.standalone.simple_decompress(packed)


class Geozl:
    """The graph that makes the smallest frame of an array, found before and not timed."""
    name = 'geozl'

    def __init__(self, module):
        self.module = module

    def prepare(self, array):
        numpy = importlib.import_module('numpy')
        rows = numpy.ascontiguousarray(array.reshape(1, -1) if array.ndim < 2 else array)
        best = self.module.profile(rows, prior=None, reps=1)[0]['graph']
        self.graph, self.rows = self.module.graph(rows, best), rows

    def pack(self, _array):
        return self.module.compress(self.rows, graph=self.graph)

    def unpack(self, packed, _array):
        return self.module.decompress(packed)


class Openzl:
    """OpenZL's graphs for fields of numbers, of which the one that makes less is taken; found before, not timed."""
    name = 'openzl'

    def __init__(self, _module):
        self.ext = importlib.import_module('openzl.ext')

    def prepare(self, array):
        graphs = (self.ext.graphs.Compress(), self.ext.graphs.FieldLz())
        self.contexts = [self.context(graph) for graph in graphs]
        self.contexts = [min(self.contexts, key=lambda context: len(self.compress(context, array)))]

    def context(self, graph):
        compressor, context = self.ext.Compressor(), self.ext.CCtx()
        compressor.set_parameter(self.ext.CParam.FormatVersion, self.ext.MAX_FORMAT_VERSION)
        compressor.select_starting_graph(graph(compressor))
        context.ref_compressor(compressor)
        context.set_parameter(self.ext.CParam.StickyParameters, 1)
        return context, compressor

    def compress(self, context, array):
        words = array.reshape(-1).view(f'u{array.dtype.itemsize}')
        return context[0].compress([self.ext.Input(self.ext.Type.Numeric, words)])

    def pack(self, array):
        return self.compress(self.contexts[0], array)

    def unpack(self, packed, _array):
        return self.ext.DCtx().decompress(packed)[0].content.as_nparray()


class Blosc2:
    def __init__(self, module, filter):
        self.name, self.module, self.filter = f'blosc2 zstd {filter}', module, filter
        module.set_nthreads(1)

    def pack(self, array):
        return self.module.compress(array, typesize=array.dtype.itemsize, clevel=9, codec=self.module.Codec.ZSTD,
                                    filter=self.module.Filter[self.filter.upper()])

    def unpack(self, packed, _array):
        return self.module.decompress(packed)


def folded(array):
    """With at most four axes, none of which has one value."""
    extents = [extent for extent in array.shape if extent > 1] or [1]
    while len(extents) > 4:
        extents[:2] = [extents[0] * extents[1]]
    return array.reshape(extents)


class Fpzip:
    name = 'fpzip'

    def __init__(self, module):
        self.module = module

    def pack(self, array):
        return self.module.compress(folded(array), precision=0, order='C')

    def unpack(self, packed, _array):
        return self.module.decompress(packed, order='C')


class Zfpy:
    name = 'zfpy'

    def __init__(self, module):
        self.module = module

    def pack(self, array):
        return self.module.compress_numpy(folded(array))

    def unpack(self, packed, _array):
        return self.module.decompress_numpy(packed)


class ShuffledXz:
    name = 'shuffle + xz -6'

    def pack(self, array):
        return lzma.compress(array.reshape(-1, 1).view('u1').T.tobytes(), preset=6)

    def unpack(self, packed, array):
        numpy = importlib.import_module('numpy')
        return numpy.frombuffer(lzma.decompress(packed), 'u1').reshape(array.dtype.itemsize, -1).T.copy()


def peers():
    """All that can be had here, with their versions printed."""
    makers = {'pcodec': (lambda module: Pcodec(module, 8), lambda module: Pcodec(module, 12)), 'geozl': (Geozl,),
              'openzl': (Openzl,), 'blosc2': (lambda module: Blosc2(module, 'shuffle'),
                                              lambda module: Blosc2(module, 'bitshuffle')),
              'fpzip': (Fpzip,), 'zfpy': (Zfpy,)}
    found, versions = [], []
    if not module_of('numpy'):
        return found
    for package, classes in makers.items():
        module = module_of(package)
        if not module:
            continue
        versions.append(f'{package} {importlib.metadata.version(package)}')
        for make in classes:
            try:
                found.append(make(module))
            except Exception as error:  # pylint: disable=broad-except
                print(f'left out: {package} ({error})')
    print('; '.join(versions))
    return found + [ShuffledXz()]
