#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All figures of the GPU in one call, checked: every codec's kernels beside the copy bandwidth of the same run, nvCOMP's
where its library is there and no codec is named (gpu_nvcomp.py), prans' with many chunks in flight, chunks from memory to
memory across the bus, arrays that the library codes in the GPU's memory, and the command on a file in the page cache, with
the GPU and without. Every stream is compared with the CPU's and every grid is restored. Exits 1 where anything differs, 77
without a GPU.

usage: gpu_table.py BUILD-FOLDER [--size GIB] [--rounds N] [CODEC]...
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time


def gives(command, path):
    """Whether the command writes what the file holds."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        same = subprocess.run(['cmp', '-', path], stdin=process.stdout).returncode == 0
    return same and process.returncode == 0


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def measure_command(fpgz, path, size, rounds, threads, codec):
    """A row: wall clock to /dev/null by the CPU alone, with the GPU, and as auto decides; both ways."""
    devices = ('cpu', 'cuda', 'auto')
    base = [fpgz, '-T', str(threads)]
    compress = base + ['--codec', codec, '-c', path]
    packed = path + '.fpgz'
    subprocess.run(base + ['--device', 'cpu', '--codec', codec, '-fo', packed, path], check=True)
    restore = base + ['-dc', packed]
    same = all(gives(command + ['--device', device], expected)
               for command, expected in ((compress, packed), (restore, path)) for device in ('cuda', 'auto'))
    row = f'{codec:6} -T {threads or os.cpu_count():<3}'
    for command in (compress, restore):
        times = {device: [] for device in devices}
        for _ in range(rounds):
            for device in devices:
                times[device].append(seconds(command + ['--device', device]))
        row += ''.join(f'{statistics.median(times[device]):8.3f}' for device in devices)
        row += f'{size / 1e9 / statistics.median(times["cuda"]):7.1f} '
    os.remove(packed)
    print(row + ('  ok' if same else '  FAILED: bytes differ'), flush=True)
    return same


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition('usage: ')[2])
    parser.add_argument('build')
    parser.add_argument('codec', nargs='*')
    parser.add_argument('--size', type=int, default=4, help='GiB of the file')
    parser.add_argument('--rounds', type=int, default=5)
    options = parser.parse_args()
    fpgz, gengrid, bench, chunks, arrays = (os.path.join(options.build, name) for name in (
        'src/fpgz', 'tools/gengrid', 'tools/gpu_bench', 'tools/gpu_chunks', 'tools/gpu_arrays'))
    nvcomp = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'gpu_nvcomp.py')
    has_prans = not options.codec or 'prans' in options.codec
    others = [codec for codec in options.codec if codec != 'prans']
    commands = [[bench] + others] if others or not options.codec else []
    optional = [] if options.codec else [[sys.executable, nvcomp, options.build]]
    commands += optional + ([[chunks]] if has_prans else [])
    commands.append([arrays] + options.codec)
    ok = True
    for command in commands:
        status = subprocess.run(command).returncode
        if status == 77 and command not in optional:
            return 77
        ok &= status in (0, 77)
    with tempfile.TemporaryDirectory() as folder:
        part = os.path.join(folder, 'part')
        path = os.path.join(folder, f'wave_{options.size * 1024}x512x512.f32')
        subprocess.run([gengrid, 'wave', 'f32', '512x512x512', '-o', part], check=True)
        subprocess.run(['bash', '-c', f'for i in {{1..{options.size * 2}}}; do cat "$0"; done > "$1"', part, path],
                       check=True)
        os.remove(part)
        size = os.path.getsize(path)
        print(f'the command, {options.size} GiB in the page cache to /dev/null, seconds of wall clock (medians of '
              f'{options.rounds}), and GB/s with cuda')
        print(f'{"":13}{"compression: cpu, cuda, auto":^31} {"decompression: cpu, cuda, auto":^31}')
        for codec, threads in (('ndzip', 0), ('ndzip', 2), ('arith', 0), ('prans', 0)):
            if not options.codec or codec in options.codec:
                ok &= measure_command(fpgz, path, size, options.rounds, threads, codec)
    print('all is equal' if ok else 'FAILED')
    return not ok


if __name__ == '__main__':
    sys.exit(main())
