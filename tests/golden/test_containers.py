#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the containers of testdata/containers with fpgz and with the independent decoder.

usage: test_containers.py FPGZ CONTAINERS [some|quick]   some: in one of the ways that there are, and listed by one
                                                         process
                                                         quick: without the independent decoder; a process reads many
                                                         containers, and one in four in one of the other ways
"""
import functools
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'decoder'))
from errors import Damaged, Missing, Unsupported  # noqa: E402
from fpgz_decode import MAGIC, restore  # noqa: E402

MODE, MTIME = 0o640, 1_000_000_000  # of the files that were compressed
EVERY_BIT = ('good-tiny.fpgz', 'good-f64-constant.fpgz', 'good-short-end-old.fpgz', 'good-compact-tiny.fpgz')
EVERY_LENGTH = ('good-tiny.fpgz', 'good-f64-constant.fpgz', 'good-private.fpgz', 'good-concatenated.fpgz',
                'good-short-end-concatenated.fpgz', 'good-compact-concatenated.fpgz')
SAMPLES, QUICK_SAMPLES = 30, 3  # of a container's bits; the independent decoder, which is slow, sees some of them
INDEPENDENT_SAMPLES = 1
SHARED = '/dev/shm'
FILES_A_PROCESS = 2000  # the kernel limits how long a command line may be


def read(*path):
    with open(os.path.join(*path), 'rb') as file:
        return file.read()


def write(path, data):
    with open(path, 'wb') as file:
        file.write(data)


def independent(container):
    """What the independent decoder restores, and the exception that ended it, if one did."""
    restored = bytearray()
    try:
        restore(container, restored.extend)
    except (Damaged, Unsupported) as error:
        return bytes(restored), error
    return bytes(restored), None


class Test:
    def __init__(self, fpgz, containers, folder, extent):
        self.fpgz, self.containers, self.folder = fpgz, containers, folder
        self.together, self.quick = extent in ('some', 'quick'), extent == 'quick'
        self.levels = re.search(r'^cpu levels: (.*)', self.run('-V').stdout.decode(), re.M)[1].split()
        # Containers that need a codec of a library that this build lacks are left out.
        self.lacks = re.findall(r'^(\w+) +not in this fpgz', self.run('--codecs').stdout.decode(), re.M)
        self.passed = self.failed = 0

    def run(self, *options, data=None):
        return subprocess.run([self.fpgz, *options], input=b'' if data is None else data, cwd=self.folder,
                              capture_output=True, timeout=60, check=False)

    def from_file(self, name, *options):
        """(words, result) of fpgz on the container."""
        return ' '.join(options), self.run(*options, os.path.join(self.containers, name))

    def from_pipe(self, name, *options):
        return ' '.join(options) + ' from a pipe', self.run(*options, data=read(self.containers, name))

    @functools.cache  # many that must be refused were made of the same
    def restored(self, name):
        """As independent() says, or fpgz in its place."""
        if self.quick:
            return self.from_file(name, '-dc')[1].stdout, None
        return independent(read(self.containers, name))

    def choose(self, name, ways):
        """Ways to read the container in a process of its own."""
        chance = random.Random(name)
        if self.quick:
            return chance.sample(ways, 1) if chance.random() < 0.25 else []
        return chance.sample(ways, 1) if self.together else ways

    def report(self, words, problems):
        self.passed += not problems
        self.failed += bool(problems)
        print(f'{words}: {"; ".join(problems[:5]) if problems else "ok"}', flush=True)

    def good(self, case):
        name, problems = case['file'], []

        def wrong(data):
            return hashlib.sha256(data).hexdigest() != case['sha256'] or len(data) != case['bytes']

        ways = [(self.from_file, '-t', '-T4'), (self.from_pipe, '-t', '-T1')]
        for level in self.levels:
            ways += [(self.from_file, '-dc', '--cpu-level', level, '-T1'),
                     (self.from_pipe, '-dc', '--cpu-level', level, '-T4')]
        for reads, *options in self.choose(name, ways):
            words, result = reads(name, *options)
            if result.returncode or (result.stdout or result.stderr if '-t' in options else wrong(result.stdout)):
                problems.append(f'{words}: exit {result.returncode}, {result.stderr or "other bytes"}')
        if not self.together:
            result = self.run('-l', '-v', '-v', os.path.join(self.containers, name))
            if result.returncode:
                problems.append(f'-l -v -v: exit {result.returncode}, {result.stderr}')
        restored, error = self.restored(name)
        if not isinstance(error, Missing) and (error or wrong(restored)):
            problems.append(f'{"-dc" if self.quick else "the independent decoder"}: {error or "other bytes"}')
        if 'recipe' in case and self.remake(case['recipe'], restored) != read(self.containers, name):
            problems.append('compressed again, it differs')
        self.report(name, problems)

    def remake(self, recipe, data):
        if recipe['pipe']:
            return self.run('-c', *recipe['options'], data=data).stdout
        path = os.path.join(self.folder, recipe['source'])
        write(path, data)
        os.chmod(path, MODE)
        os.utime(path, (MTIME, MTIME))
        container = self.run('-c', *recipe['options'], recipe['source']).stdout
        os.remove(path)
        return container

    def refused(self, case):
        name, problems = case['file'], []
        ways = ((self.from_file, '-t'), (self.from_pipe, '-t'), (self.from_pipe, '-dc', '-T1'),
                (self.from_file, '-dc', '-T4'), (self.from_file, '-d', '-o', 'restored'))
        ways = self.choose(name, ways)
        if not ways:
            return
        right = self.restored(case['base'])[0] if 'base' in case else b''
        for reads, *options in ways:
            words, result = reads(name, *options)
            message = result.stderr.decode().replace(name, '')
            if result.returncode != 1 or not any(part in message for part in case['words'].split('|')):
                problems.append(f'{words}: exit {result.returncode}, {message}')
            if not right.startswith(result.stdout):
                problems.append(f'{words}: wrote what is wrong')
            if os.listdir(self.folder):
                problems.append(f'{words}: left {os.listdir(self.folder)}')
                os.remove(os.path.join(self.folder, os.listdir(self.folder)[0]))
        if not self.together:
            # The index may be right although other sections are not.
            result = self.run('-l', '-v', '-v', os.path.join(self.containers, name))
            if result.returncode not in (0, 1):
                problems.append(f'-l -v -v: exit {result.returncode}')
        if not self.quick:
            restored, error = independent(read(self.containers, name))
            if not isinstance(error, Missing) and not isinstance(error, Damaged if name.startswith('bad-') else Unsupported):
                problems.append(f'the independent decoder says {error!r}')
            if not right.startswith(restored):
                problems.append('the independent decoder restores what is wrong')
        self.report(name, problems)

    def all_at_once(self, cases):
        """Lists and tests all in one process each."""
        paths = {os.path.join(self.containers, case['file']): case for case in cases}
        result = self.run('-l', '-v', '-v', *paths)
        self.report('all: -l -v -v', [] if result.returncode == 1 else [f'exit {result.returncode}'])
        result = self.run('-t', '-T1', *paths)
        said = {path: '' for path in paths}
        for line in result.stderr.decode().splitlines():
            path = line.removeprefix('fpgz: ').split(': ')[0]
            if path in said:
                said[path] += line.replace(path, '')
        for path, case in paths.items():
            words = case['words'].split('|') if case['exit'] else []
            right = any(part in said[path] for part in words) if words else not said[path]
            self.report(case['file'] + ': -t', [] if right and result.returncode == 1 else [said[path] or 'passes'])

    def names(self):
        """A reader must not use such a name for a file."""
        for name in 'good-name-2e.fpgz', 'good-name-2e2e.fpgz', 'good-pipe.fpgz':
            with tempfile.TemporaryDirectory(dir=self.folder) as inner:
                write(os.path.join(inner, name), read(self.containers, name))
                result = self.run('-d', '-N', os.path.join(inner, name))
                problems = [] if result.returncode == 1 else [f'exit {result.returncode}']
                if os.listdir(inner) != [name] or len(os.listdir(self.folder)) != 1:
                    problems.append('made a file')
                self.report(f'{name}: restored as named', problems)

    def all_refused(self, words, damaged):
        """damaged: name -> container. Every one must be named on standard error, for fpgz -t takes many."""
        problems, names = [], list(damaged)
        os.makedirs(os.path.join(self.folder, 'damaged'), exist_ok=True)
        for at in range(0, len(names), FILES_A_PROCESS):
            # The same files again and again: new ones cost more than all else.
            files = {f'damaged/{i}': name for i, name in enumerate(names[at:at + FILES_A_PROCESS])}
            for file, name in files.items():
                write(os.path.join(self.folder, file), damaged[name])
            result = self.run('-t', '-T1', *files)
            if result.returncode != 1:
                problems.append(f'exit {result.returncode}')
            named = {line.split(': ')[1] for line in result.stderr.decode().splitlines() if line.startswith('fpgz: ')}
            problems += [f'{name} passes' for file, name in files.items() if file not in named]
        for name in random.Random(1).sample(names, 0 if self.quick else min(len(names), INDEPENDENT_SAMPLES)):
            if not independent(damaged[name])[1]:
                problems.append(f'{name} passes the independent decoder')
        self.report(f'{words} ({len(names)})', problems)

    def flips(self, name):
        """Copies of the container with one bit flipped."""
        container = read(self.containers, name)
        bits = range(8 * len(container))
        if name not in EVERY_BIT:
            bits = random.Random(name).sample(bits, QUICK_SAMPLES if self.quick else SAMPLES)
        damaged = {}
        for bit in bits:
            copy = bytearray(container)
            copy[bit // 8] ^= 1 << bit % 8
            damaged[f'{name}: byte {bit // 8}, bit {bit % 8}'] = bytes(copy)
        return damaged

    def truncations(self, name):
        container = read(self.containers, name)
        # Cut between two members, what is left is right.
        self.all_refused(f'{name}: truncated', {f'length-{length}': container[:length] for length in range(len(container))
                                                if length == 0 or not container.startswith(MAGIC, length)})


def main():
    fpgz, containers = map(os.path.abspath, sys.argv[1:3])
    with open(os.path.join(containers, 'expect.json'), encoding='ascii') as file:
        cases = json.load(file)
    # In memory where that can be: thousands of small files, 16 MB together, take seconds on a disk.
    with tempfile.TemporaryDirectory(dir=SHARED if os.access(SHARED, os.W_OK) else None) as folder:
        test = Test(fpgz, containers, folder, ''.join(sys.argv[3:]))
        listed = {case['file'] for case in cases}
        cases = [case for case in cases if case.get('needs') not in test.lacks]
        for case in cases:
            (test.refused if case['exit'] else test.good)(case)
        present = {name for name in os.listdir(containers) if name.endswith('.fpgz')}
        test.report('expect.json lists all containers', sorted(listed ^ present))
        test.names()
        flipped = [test.flips(case['file']) for case in cases if not case['exit']]
        if test.together:
            test.all_at_once(cases)
        if test.quick:
            test.all_refused('bits flipped', {name: copy for copies in flipped for name, copy in copies.items()})
        else:
            for copies in flipped:
                test.all_refused('bits flipped', copies)
        for name in EVERY_LENGTH:
            test.truncations(name)
    print(f'{test.passed} passed, {test.failed} failed')
    return 1 if test.failed else 0


if __name__ == '__main__':
    sys.exit(main())
