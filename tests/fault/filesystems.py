#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the command on file systems that are full, read-only, over quota, or another device, and on long names.

usage: filesystems.py FPGZ GENGRID SHIM COUNT   COUNT sizes of each full file system.
Whatever happens, no source is lost, a name is that of a whole file or of none, and what failed is told of, with exit
status 1. File systems are mounted where that is allowed; where it is not, shim.c makes the calls fail that would. Ends
in "N passed, N failed".
"""
import contextlib
import errno
import os
import shutil
import subprocess
import sys
import tempfile

GRID, SMALL = 'g_64x64x64.f32', 'small.f32'
PIECES = 'good-parts-any-order.fpgz'  # its chunks go to a pipe through $TMPDIR


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(data)


def files_below(top):
    return {os.path.relpath(os.path.join(folder, name), top): os.path.join(folder, name)
            for folder, _, names in os.walk(top) for name in names}


@contextlib.contextmanager
def mounted(kind, size, where='mount'):
    """A fresh file system of that many bytes; None where it cannot be had."""
    os.makedirs(where, exist_ok=True)
    if kind == 'tmpfs':
        command = ['mount', '-t', 'tmpfs', '-o', f'size={size}', 'tmpfs', where]
    else:
        with open('image', 'wb') as file:
            file.truncate(size)
        made = subprocess.run(['mkfs.ext4', '-q', '-F', '-O', '^has_journal', '-m', '0', 'image'], capture_output=True) \
            if shutil.which('mkfs.ext4') else None
        command = ['mount', '-o', 'loop', 'image', where] if made and made.returncode == 0 else ['false']
    if subprocess.run(command, capture_output=True).returncode:
        yield None
        return
    try:
        yield where
    finally:
        subprocess.run(['umount', where], check=True)


class Tasks:
    """What is done, from one folder to another, and how it may end."""

    def __init__(self, fpgz, gengrid, shim, containers):
        self.fpgz, self.shim, self.passed, self.failed, self.refused = fpgz, shim, 0, 0, 0
        os.mkdir('made')
        subprocess.run([gengrid, 'wave', 'f32', '64x64x64', '-o', f'made/{GRID}'], check=True)
        subprocess.run([gengrid, 'wave', 'f32', '8x8x8', '-o', f'made/{SMALL}'], check=True)
        subprocess.run([fpgz, '-q', '--chunk', '64K', f'made/{GRID}', f'made/{SMALL}'], check=True)
        self.good = {name: read(f'made/{name}') for name in os.listdir('made')}
        self.pieces = os.path.join(containers, PIECES)

    def judge(self, what, wrong):
        self.passed += not wrong
        self.failed += bool(wrong)
        if wrong:
            print(f'FAILED: {what}: {wrong[:300]}', flush=True)

    def run(self, arguments, **more):
        result = subprocess.run([self.fpgz, '-q', '-T2', *arguments] if arguments[0] != 'batch' else
                                [self.fpgz, 'batch', '-q', '-T2', *arguments[1:]], capture_output=True, timeout=120,
                                stdin=subprocess.DEVNULL, **more)
        self.refused += result.returncode == 1
        return result

    def content(self, path):
        """What a file holds, or its container restores; None where that is no whole file."""
        if path.endswith('.fpgz'):
            restored = subprocess.run([self.fpgz, '-dc', path], capture_output=True)
            data = restored.stdout if restored.returncode == 0 else None
        else:
            data = read(path)
        return data if data in (self.good[GRID], self.good[SMALL]) else None

    def wrong_in(self, folder, manifest=()):
        for name, path in files_below(folder).items():
            if os.path.basename(name).startswith('.fpgz-'):
                return f'{name} is left over'
            if os.path.basename(name) not in manifest and not self.content(path):
                return f'{name} is no whole file'
        return None

    def case(self, what, arguments, sources, source, target, must_fail, environment=None):
        """One run; `sources` are the files in `source` that it reads. With --rm, what it makes replaces them."""
        before = {name: read(os.path.join(source, name)) for name in sources}
        contents = {name: self.content(os.path.join(source, name)) for name in sources}
        result = self.run(arguments, env=environment)
        wrong = None
        if result.returncode not in (0, 1, 2) or (result.returncode == 1) != bool(result.returncode and b'fpgz: ' in result.stderr):
            wrong = f'exit status {result.returncode}, {result.stderr}'
        if must_fail and result.returncode != 1:
            wrong = f'exit status {result.returncode} where it cannot succeed'
        for name, data in before.items():
            path = os.path.join(source, name)
            if os.path.exists(path):
                wrong = wrong or (None if read(path) == data else f'{name} was changed')
            elif '--rm' not in arguments or result.returncode == 1 and len(before) == 1:
                wrong = f'{name} is lost'
            else:
                made = [other for other in files_below(target).values() if self.content(other) == contents[name]]
                wrong = wrong or (None if made else f'{name} is lost, with nothing in its place')
        for folder in {source, target}:
            wrong = wrong or self.wrong_in(folder, manifest=('m',))
        self.judge(what, wrong)
        return result

    def all(self, what, source, target, must_fail, environment=None):
        """Every task, with fresh sources each time."""
        s, t = source, target
        packed = GRID + '.fpgz'
        tasks = {
            'compress': ([f'{s}/{GRID}', '-o', f'{t}/{packed}'], [GRID]),
            'compress --rm': (['--rm', f'{s}/{GRID}', '-o', f'{t}/{packed}'], [GRID]),
            'compress -9': (['-9', f'{s}/{GRID}', '-o', f'{t}/{packed}'], [GRID]),
            'restore': (['-d', f'{s}/{packed}', '-o', f'{t}/{GRID}'], [packed]),
            'restore --rm': (['-d', '--rm', f'{s}/{packed}', '-o', f'{t}/{GRID}'], [packed]),
            'recover': (['--recover', f'{s}/{packed}', '-o', f'{t}/{GRID}'], [packed]),
            'batch': (['batch', '--manifest', f'{t}/m', '-o', f'{t}/c', f'{s}/{GRID}', f'{s}/{SMALL}'], [GRID, SMALL]),
            'batch --rm': (['batch', '--rm', '--manifest', f'{t}/m', '-o', f'{t}/c', f'{s}/{GRID}', f'{s}/{SMALL}'], [GRID, SMALL]),
            'batch --restore': (['batch', '--restore', 'archive/m', '-o', f'{t}/back'], []),
        }
        for name, (arguments, sources) in tasks.items():
            for file in sources:
                write(f'{s}/{file}', self.good[file])
            self.case(f'{what}: {name}', arguments, sources, s, t, must_fail, environment)
            for folder in {s, t}:
                for path in files_below(folder).values():
                    os.unlink(path)

    def archive(self):
        """A batch that can be restored."""
        for name in (GRID, SMALL):
            write(f'archive/files/{name}', self.good[name])
        assert self.run(['batch', '--manifest', 'archive/m', '-o', 'archive/c', 'archive/files']).returncode == 0


def full(tasks, count):
    """On file systems of too few bytes, from hardly any to enough; true when one could be mounted."""
    any_mounted = False
    for kind, least, most in (('tmpfs', 8 << 10, 1400 << 10), ('ext4', 256 << 10, 2600 << 10)):
        for i in range(count):
            size = (least + (most - least) * i // max(1, count - 1)) // 4096 * 4096
            with mounted(kind, size) as where:
                if where:
                    any_mounted = True
                    # The first sizes hold not even a container.
                    tasks.all(f'{kind} of {size} bytes', 'here', where, must_fail=kind == 'tmpfs' and size < 300 << 10 and i == 0)
    for size in (16 << 10, 700 << 10):
        with mounted('tmpfs', size) as where:
            if where:  # and then has room: the next run completes what the last one could not
                for name in (GRID, SMALL):
                    write(f'here/{name}', tasks.good[name])
                arguments = ['batch', '--rm', '--manifest', f'{where}/m', '-o', f'{where}/c', f'here/{GRID}', f'here/{SMALL}']
                tasks.run(arguments)
                subprocess.run(['mount', '-o', 'remount,size=8m', where], check=True)
                result = tasks.run(arguments)
                done = sorted(map(os.path.basename, files_below(f'{where}/c')))
                tasks.judge(f'a batch goes on in {size} bytes that became 8 MiB', None if result.returncode == 0 and
                            not files_below('here') and done == [GRID + '.fpgz', SMALL + '.fpgz'] else f'{result}, {done}')
    return any_mounted


def read_only(tasks):
    with mounted('tmpfs', 8 << 20) as where:
        if not where:
            return
        for name, data in tasks.good.items():
            write(f'{where}/{name}', data)
        subprocess.run(['mount', '-o', 'remount,ro', where], check=True)
        for what, arguments, status in (
                ('compress', [f'{where}/{GRID}', '-fo', f'{where}/x.fpgz'], 1),
                ('restore', ['-d', f'{where}/{GRID}.fpgz', '-fo', f'{where}/x'], 1),
                ('recover', ['--recover', f'{where}/{GRID}.fpgz', '-fo', f'{where}/x'], 1),
                ('batch', ['batch', '-S', '.z', '--manifest', 'here/m', f'{where}/{GRID}', f'{where}/{SMALL}'], 1),
                ('a manifest', ['batch', '--manifest', f'{where}/m', '-o', 'here/c', f'{where}/{GRID}'], 1),
                ('batch --restore', ['batch', '--restore', 'archive/m', '-o', f'{where}/back'], 1),
                ('compress --rm to elsewhere', ['--rm', f'{where}/{GRID}', '-o', f'here/{GRID}.fpgz'], 2),
                ('restore --rm to elsewhere', ['-d', '--rm', f'{where}/{GRID}.fpgz', '-o', f'here/{GRID}'], 2)):
            result = tasks.run(arguments)
            left = {name: read(path) for name, path in files_below(where).items()}
            wrong = tasks.wrong_in('here', manifest=('m',)) if left == tasks.good else f'{list(left)}'
            if result.returncode != status or (status == 1 and not result.stderr):
                wrong = f'exit status {result.returncode}, {result.stderr}'
            tasks.judge(f'read-only: {what}', wrong)
        for path in files_below('here').values():
            os.unlink(path)


def refused(tasks):
    """Calls that fail as they do over quota, on NFS as late as in close(), and on what is read-only."""
    for code in (errno.EDQUOT, errno.EROFS, errno.ENOSPC):
        for call, number in (('write', 1), ('write', 3), ('pwrite', 1), ('pwrite', 5), ('fsync', 1), ('close', 2), ('ftruncate', 1)):
            reached = os.path.abspath('reached')
            environment = dict(os.environ, LD_PRELOAD=tasks.shim, FAULT=f'{call}:{number}:{code}', FAULT_REACHED=reached,
                               ASAN_OPTIONS='verify_asan_link_order=0:detect_leaks=0:allocator_may_return_null=1')
            tasks.all(f'{errno.errorcode[code]} of {call} {number}', 'here', 'there', must_fail=False, environment=environment)


def other_device(tasks):
    with mounted('tmpfs', 16 << 20) as where:
        if not where:
            return
        tasks.all('from another device', where, 'here', must_fail=False)
        tasks.all('to another device', 'here', where, must_fail=False)
        for name in (GRID, GRID + '.fpgz'):
            write(f'{where}/{name}', tasks.good[name])
        os.symlink(os.path.abspath(f'{where}/linked'), 'here/link')
        result = tasks.run(['-d', f'{where}/{GRID}.fpgz', '-o', 'here/link'])
        tasks.judge('through a link to another device', None if result.returncode == 0 and os.path.islink('here/link') and
                    read(f'{where}/linked') == tasks.good[GRID] else str(result))
        os.unlink('here/link')
    with mounted('tmpfs', 4096) as where:
        if where:  # as a $TMPDIR
            restored = subprocess.run([tasks.fpgz, '-dc', tasks.pieces], capture_output=True).stdout
            result = tasks.run(['-dc', tasks.pieces], env=dict(os.environ, TMPDIR=where))
            tasks.judge('a full $TMPDIR', None if (result.returncode == 1 and result.stderr and restored.startswith(result.stdout)) or
                        (result.returncode == 0 and result.stdout == restored) else str(result)[:300])
            tasks.judge('a full $TMPDIR, emptied', None if not files_below(where) else f'{files_below(where)}')


def names(tasks):
    """Each length of a name near 255, and of a path near 4095: it works, or is an error that leaves nothing."""
    longest = os.pathconf('.', 'PC_NAME_MAX')
    for length in range(longest - 12, longest + 1):
        for letter in ('n', '\u00e9'):
            name = letter * ((length - 4) // len(letter.encode())) + '.f32'
            short = len(name.encode()) + 5 <= longest
            for options in ([], ['--rm']):
                write(f'here/{name}', tasks.good[SMALL])
                result = tasks.case(f'a name of {length} bytes', [*options, f'here/{name}'], [name], 'here', 'here', not short)
                if result.returncode == 0:
                    tasks.case(f'back to a name of {length} bytes', ['-df', *options, f'here/{name}.fpgz'], [name + '.fpgz'], 'here', 'here', False)
                for path in files_below('here').values():
                    os.unlink(path)
            write(f'here/{name}', tasks.good[SMALL])
            write(f'here/{SMALL}', tasks.good[SMALL])
            tasks.case(f'a batch with a name of {length} bytes', ['batch', '--rm', '--manifest', 'here/m', 'here'], [name, SMALL], 'here', 'here', not short)
            back = tasks.run(['batch', '--restore', 'here/m', '-o', 'there'])
            there = {os.path.basename(path) for path in files_below('there')}
            tasks.judge(f'restoring a name of {length} bytes', tasks.wrong_in('there') or
                        (None if back.returncode == (not short) and there == {SMALL, name} - ({name} if not short else set()) else f'{back}'))
            for folder in ('here', 'there'):
                for path in files_below(folder).values():
                    os.unlink(path)
    home, folder = os.open('.', os.O_RDONLY), 'p' * 200
    for length in range(4060, 4096):
        os.mkdir('deep') if not os.path.exists('deep') else None
        path, rest = 'deep/', length - len('deep/') - len('g.f32')
        while rest > 1:
            part = 'p' * min(200, rest - 1 if rest - 1 <= 200 or rest - 201 != 1 else 199)
            path, rest = path + part + '/', rest - len(part) - 1
        path += 'q' * rest
        for part in path.split('/')[:-1]:
            os.makedirs(part, exist_ok=True)
            os.chdir(part)
        name = path.split('/')[-1] + 'g.f32'
        with open(name, 'wb') as file:
            file.write(tasks.good[SMALL])
        here = os.open('.', os.O_RDONLY)
        os.fchdir(home)
        result = tasks.run(['--rm', path + 'g.f32'])
        os.fchdir(here)
        left = os.listdir('.')
        good = left == [name + '.fpgz'] if result.returncode == 0 else result.returncode == 1 and result.stderr and left == [name]
        if result.returncode == 0:
            good = good and subprocess.run([tasks.fpgz, '-dc', left[0]], capture_output=True).stdout == tasks.good[SMALL]
        tasks.judge(f'a path of {length} bytes', None if good else f'{result.returncode}, {result.stderr[-100:]}, {left}')
        for file in left:
            os.unlink(file)
        os.fchdir(home)
        os.close(here)
        subprocess.run(['rm', '-rf', 'deep'], check=True)
    os.close(home)


def main():
    fpgz, gengrid, shim = map(os.path.abspath, sys.argv[1:4])
    count = int(sys.argv[4])
    containers = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'testdata', 'containers')
    with tempfile.TemporaryDirectory() as top:
        os.chdir(top)
        tasks = Tasks(fpgz, gengrid, shim, containers)
        os.mkdir('here')
        os.mkdir('there')
        tasks.archive()
        if not full(tasks, count):
            print('no file system can be mounted here: those that are full or read-only are left to shim.c')
        read_only(tasks)
        refused(tasks)
        other_device(tasks)
        names(tasks)
        os.chdir('/')
    print(f'{tasks.passed} passed, {tasks.failed} failed; {tasks.refused} with an error')
    return 1 if tasks.failed or not tasks.passed else 0


if __name__ == '__main__':
    sys.exit(main())
