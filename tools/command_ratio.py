#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What of the in-memory speed the whole command has on small files: processor time of one thread, to new files and to
/dev/null, beside `level_bench` and beside what starting, reading and writing take by themselves.

usage: command_ratio.py [-LEVEL] [--rounds N] FPGZ LEVEL_BENCH FILE_AxBxC.DTYPE...

Prints medians of taking turns, sums over the files in ms, and their ratios to the times in memory (compressing: the choice of a
codec, and encoding; the command also decodes the stream, and compares). "least" is the time in memory and what cat takes
for the same bytes: its start, reading the input, writing the output.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import tempfile


def spent(words, target):
    """Processor time of a command whose output is `target`, in ms."""
    output = [(os.POSIX_SPAWN_OPEN, 1, target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
    child = os.posix_spawnp(words[0], words, os.environ, file_actions=output)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f'{" ".join(words)}: exit status {os.waitstatus_to_exitcode(status)}')
    return 1e3 * (usage.ru_utime + usage.ru_stime)


def in_memory(bench, level, path):
    """Compressing and restoring, in ms."""
    words = [bench, level, path]
    fields = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()[-1].split()
    choose, encode, decode = (float(field) * os.path.getsize(path) / 1e6 for field in fields[-3:])
    return choose + encode, decode


def measure(options, path, folder):
    """By what is measured: its times, one a round."""
    raw, out = os.path.join(folder, os.path.basename(path)), os.path.join(folder, 'out')
    shutil.copy(path, raw)
    packed = raw + '.fpgz'
    pack, unpack = [options.fpgz, '-T1', '-q', options.level], [options.fpgz, '-T1', '-q', '-d']
    subprocess.run([*pack, '-o', packed, raw], check=True)
    times = {}
    for _ in range(options.rounds):
        memory = in_memory(options.bench, options.level, raw)
        row = {'compress': memory[0], 'restore': memory[1]}
        for name, words in (('compress', pack), ('restore', unpack)):
            source = packed if words is unpack else raw
            row[f'{name} to a file'] = spent([*words, '-o', out, source], '/dev/null')
            os.remove(out)
            row[f'{name} to null'] = spent([*words, '-c', source], '/dev/null')
        for name, source in (('raw', raw), ('packed', packed)):
            row[f'cat {name} to a file'] = spent(['cat', source], out)
            os.remove(out)
            row[f'cat {name} to null'] = spent(['cat', source], '/dev/null')
        for name, source, target in (('compress', 'raw', 'packed'), ('restore', 'packed', 'raw')):
            row[f'{name} to null, least'] = row[name] + row[f'cat {source} to null']
            writing = row[f'cat {target} to a file'] - row[f'cat {target} to null']
            row[f'{name} to a file, least'] = row[f'{name} to null, least'] + max(writing, 0)
        for name, time in row.items():
            times.setdefault(name, []).append(time)
    os.remove(raw)
    os.remove(packed)
    return {name: statistics.median(rounds) for name, rounds in times.items()}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('usage: ')[1].split('\n', maxsplit=1)[0])
    for level in range(1, 10):
        parser.add_argument(f'-{level}', dest='level', action='store_const', const=f'-{level}', default='-5')
    parser.add_argument('--rounds', type=int, default=9)
    parser.add_argument('fpgz', type=os.path.abspath)
    parser.add_argument('bench', type=os.path.abspath)
    parser.add_argument('file', nargs='+')
    options = parser.parse_args()
    sums = {}
    with tempfile.TemporaryDirectory(dir='.') as folder:
        for path in options.file:
            for name, time in measure(options, path, folder).items():
                sums[name] = sums.get(name, 0) + time
    for way in ('compress', 'restore'):
        print(f'{way + " in memory":25} {sums[way]:8.1f} ms')
        for name in (f'{way} to null', f'{way} to null, least', f'{way} to a file', f'{way} to a file, least'):
            print(f'  {name:23} {sums[name]:8.1f} ms, ratio {sums[way] / sums[name]:.2f}')


if __name__ == '__main__':
    main()
