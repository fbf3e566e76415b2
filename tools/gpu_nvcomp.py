#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nvCOMP's Bitcomp, Cascaded and ANS on the grids of gpu_bench, in the memory of a GPU: what they store of what there was, and
GB/s of raw data, kernels only (medians). Every grid is restored and compared. They take chunks of 64 KiB, as nvCOMP
advises, and leave each chunk's bytes where they are: putting these together is not timed. Needs the library of nvCOMP 6,
which `pip install nvidia-libnvcomp-cu13` (or -cu12) brings. Exits 1 where a grid is not restored, 77 without the library
or a GPU.

usage: gpu_nvcomp.py BUILD-FOLDER [--runs N] [--chunk BYTES] [--grid DTYPE SHAPE]...
"""
import argparse
import array
import ctypes
import glob
import importlib.util
import os
import statistics
import struct
import subprocess
import sys

KINDS = ('wave', 'turbulence')
GRIDS = (('f32', '512x512x512'), ('f64', '256x512x512'))
MAJOR = 6  # the options' layout
# Numbers of nvcompType_t.
CHAR, UINT, ULONGLONG, FLOAT32, FLOAT64, BITS = 0, 5, 7, 11, 12, 0xFF


class Options(ctypes.Structure):
    """Options of any codec and direction: 64 bytes, passed by value."""
    _fields_ = [('words', ctypes.c_uint64 * 8)]


def options(layout, *values):
    return Options.from_buffer_copy(struct.pack(layout, *values).ljust(64, b'\0'))


def codecs(dtype):
    """Name, options that compress, options that restore: the library's defaults but for the type of values."""
    words, floats, coded = (UINT, FLOAT32, FLOAT32) if dtype == 'f32' else (ULONGLONG, FLOAT64, CHAR)
    any_backend = options('<I', 0)
    return (('Bitcomp', options('<iIdI', 0, floats, 0.0, 0), any_backend),
            ('Cascaded', options('<IIQQQB', words, 1, 1, 0, 7, 3), options('<I4xIIQQ', 0, BITS, 0, 0, 0)),
            ('ANS', options('<II', 0, coded), options('<II', 0, BITS)))


class Skip(Exception):
    """There is no library or no GPU."""


def library():
    try:
        found = importlib.util.find_spec('nvidia.libnvcomp')
    except ImportError:
        found = None
    paths = [path for folder in found.submodule_search_locations for path in
             glob.glob(os.path.join(folder, 'lib*', f'libnvcomp.so.{MAJOR}'))] if found else []
    if not paths:
        raise Skip(f'nvCOMP {MAJOR} is not there (pip install nvidia-libnvcomp-cu13)')
    return ctypes.CDLL(paths[0])


class Device:
    """The driver: memory, a stream and two events on the first GPU."""

    def __init__(self):
        try:
            self.driver = ctypes.CDLL('libcuda.so.1')
        except OSError as error:
            raise Skip('no driver of a GPU') from error
        if self.driver.cuInit(0):
            raise Skip('no GPU')
        context, self.stream, self.events = ctypes.c_void_p(), ctypes.c_void_p(), (ctypes.c_void_p(), ctypes.c_void_p())
        self.call('cuDevicePrimaryCtxRetain', ctypes.byref(context), 0)
        self.call('cuCtxSetCurrent', context)
        self.call('cuStreamCreate', ctypes.byref(self.stream), 0)
        for event in self.events:
            self.call('cuEventCreate', ctypes.byref(event), 0)
        self.held = []

    def call(self, name, *arguments):
        status = getattr(self.driver, name)(*arguments)
        if status:
            sys.exit(f'FAILED: {name}: CUDA error {status}')

    def room(self, size):
        """Memory, as long as release() is not called."""
        place = ctypes.c_uint64()
        self.call('cuMemAlloc_v2', ctypes.byref(place), ctypes.c_size_t(max(size, 256)))
        self.held.append(place.value)
        return place.value

    def put(self, data):
        """A copy of bytes, or of an array's."""
        data = bytes(data)
        place = self.room(len(data))
        self.call('cuMemcpyHtoD_v2', ctypes.c_uint64(place), data, ctypes.c_size_t(len(data)))
        return place

    def get(self, place, size):
        data = ctypes.create_string_buffer(size)
        self.call('cuMemcpyDtoH_v2', data, ctypes.c_uint64(place), ctypes.c_size_t(size))
        return data.raw

    def release(self):
        for place in self.held:
            self.call('cuMemFree_v2', ctypes.c_uint64(place))
        self.held = []

    def seconds(self, work, place, size):
        """The GPU's time for what `work` enqueues. The memory is spoiled before: this also keeps the queue busy meanwhile."""
        self.call('cuMemsetD8Async', ctypes.c_uint64(place), ctypes.c_ubyte(0xA5), ctypes.c_size_t(size), self.stream)
        self.call('cuEventRecord', self.events[0], self.stream)
        work()
        self.call('cuEventRecord', self.events[1], self.stream)
        self.call('cuEventSynchronize', self.events[1])
        milliseconds = ctypes.c_float()
        self.call('cuEventElapsedTime', ctypes.byref(milliseconds), *self.events)
        return milliseconds.value / 1e3


def sizes(values):
    return array.array('Q', values).tobytes()


def measure(nvcomp, device, codec, data, chunk, runs):
    """A row's figures: ratio, compression, decompression (GB/s), whether all is restored."""
    name, compressing, restoring = codec
    pointer, size_t = ctypes.c_uint64, ctypes.c_size_t

    def call(what, *arguments):
        status = getattr(nvcomp, f'nvcompBatched{name}{what}')(*arguments)
        if status:
            sys.exit(f'FAILED: nvcomp {name} {what}: status {status}')

    total = len(data)
    lengths = [min(chunk, total - at) for at in range(0, total, chunk)]
    count, longest, room = len(lengths), size_t(), [size_t(), size_t()]
    call('CompressGetMaxOutputChunkSize', size_t(chunk), compressing, ctypes.byref(longest))
    stride = -(-longest.value // 256) * 256
    for way, given in enumerate((compressing, restoring)):
        call(('CompressGetTempSize', 'DecompressGetTempSize')[way], size_t(count), size_t(chunk), given,
             ctypes.byref(room[way]), size_t(total), device.stream)
    values, packed, restored = device.put(data), device.room(stride * count), device.room(total)
    chunks, slots, places = (device.put(sizes(base + k * step for k in range(count)))
                             for base, step in ((values, chunk), (packed, stride), (restored, chunk)))
    raw, coded, given = device.put(sizes(lengths)), device.put(bytes(8 * count)), device.put(bytes(8 * count))
    scratch, statuses = device.room(max(room[0].value, room[1].value)), device.put(b'\xff' * (4 * count))

    def compress():
        call('CompressAsync', pointer(chunks), pointer(raw), size_t(chunk), size_t(count), pointer(scratch), room[0],
             pointer(slots), pointer(coded), compressing, pointer(statuses), device.stream)

    def restore():
        call('DecompressAsync', pointer(slots), pointer(coded), pointer(raw), pointer(given), size_t(count),
             pointer(scratch), room[1], pointer(places), restoring, pointer(statuses), device.stream)

    rates, good = [], True
    for work, place, size in ((compress, packed, stride * count), (restore, restored, total)):
        times = [device.seconds(work, place, size) for _ in range(runs + 1)]
        rates.append(total / 1e9 / statistics.median(times[1:]))  # the first one warms up
        good &= not any(device.get(statuses, 4 * count))
    good &= device.get(restored, total) == data
    stored = sum(array.array('Q', device.get(coded, 8 * count)))
    device.release()
    return stored / total, *rates, good


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition('usage: ')[2])
    parser.add_argument('build')
    parser.add_argument('--runs', type=int, default=15)
    parser.add_argument('--chunk', type=int, default=65536)
    parser.add_argument('--grid', nargs=2, action='append')
    chosen = parser.parse_args()
    try:
        nvcomp = library()
        device = Device()
    except Skip as why:
        print(f'nvCOMP left out: {why}')
        return 77
    ok = True
    print(f'{f"nvCOMP, chunks of {chosen.chunk} bytes":36} ratio   compr. decomp.')
    for dtype, shape in chosen.grid or GRIDS:
        for kind in KINDS:
            data = subprocess.run([os.path.join(chosen.build, 'tools/gengrid'), kind, dtype, shape],
                                  stdout=subprocess.PIPE, check=True).stdout
            for codec in codecs(dtype):
                ratio, compressed, restored, same = measure(nvcomp, device, codec, data, chosen.chunk, chosen.runs)
                ok &= same
                print(f'{f"{codec[0]} {dtype} {shape} {kind}":36} {ratio:.4f} {compressed:7.0f} {restored:7.0f}'
                      f'{"" if same else "  FAILED: not restored"}', flush=True)
    return not ok


if __name__ == '__main__':
    sys.exit(main())
