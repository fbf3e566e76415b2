#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of any bytes, of files, in containers and of datasets: what is printed of them steers no terminal, is UTF-8 and
keeps to its line; JSON and manifests give them back exactly.

usage: names.py FPGZ DECODER [quick]   DECODER is the folder of containers.py; quick: every second name
"""
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import threading
import time
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
sys.path.insert(0, sys.argv[2])
import containers  # noqa: E402
from expect import expect, run_in_scratch  # noqa: E402

FPGZ = os.path.abspath(sys.argv[1])

# Each with what is printed of it.
NAMES = {
    b'esc\x1b[31m': 'esc\\x1b[31m', b'line\nfpgz: x': 'line\\nfpgz: x', b'tab\t': 'tab\\t', b'del\x7f': 'del\\x7f',
    b'c1\xc2\x9b2J': 'c1\\u009b2J', b'raw\x9b2J': 'raw\\x9b2J', b'no\xff\xfeutf': 'no\\xff\\xfeutf',
    b'overlong\xc0\x9b': 'overlong\\xc0\\x9b', b'half\xe2\x80': 'half\\xe2\\x80', b'surrogate\xed\xa0\x80': 'surrogate\\xed\\xa0\\x80',
    '\u202egpj'.encode(): '\\u202egpj', '\u2028line'.encode(): '\\u2028line', b'back\\slash': 'back\\\\slash',
    'Übermaß-格子-𝄞'.encode(): 'Übermaß-格子-𝄞', ('ü' * 120).encode(): 'ü' * 120, b'\x1b' * 200: '\\x1b' * 200,
}
if sys.argv[3:] == ['quick']:
    NAMES = dict(list(NAMES.items())[::2])


def steers(letter):
    return unicodedata.category(letter) in ('Cc', 'Zl', 'Zp') or letter in '\u061c\u200e\u200f\u202a\u202b\u202c\u202d' \
        '\u202e\u2066\u2067\u2068\u2069'


def check(printed, *what):
    """The lines of what was printed for people."""
    try:
        lines = printed.decode().split('\n')
    except UnicodeDecodeError as error:
        expect(False, *what, error)
        return []
    expect(not any(steers(letter) for line in lines for letter in line), *what, printed)
    return lines


def run(*arguments, status=None, out=True, **options):
    """Runs the command; returns its result when all that it printed is as it should be."""
    result = subprocess.run([FPGZ, *arguments], capture_output=True, timeout=120, **options)
    expect(result.returncode in (0, 1, 2) if status is None else result.returncode == status, arguments, result)
    if out:
        check(result.stdout, arguments)
    for line in check(result.stderr, arguments)[:-1]:
        expect(line.startswith('fpgz: '), arguments, result.stderr)
    return result


def told(result, shown, *what):
    expect(shown in (result.stdout + result.stderr).decode(errors='replace'), *what, shown, result)


def parsed(result):
    """The objects that --json printed."""
    objects = [json.loads(line) for line in (result.stdout + result.stderr).splitlines() if line.startswith(b'{')]
    expect(objects, result)
    return objects


def as_bytes(text):
    return text.encode(errors='surrogateescape')


def files(name, shown):
    """The name as a file's, in what is said of files."""
    path, packed = name, name + b'.fpgz'
    with open(path, 'wb') as file:
        file.write(struct.pack('<64f', *range(64)))
    told(run('-v', '--codec', 'mpc', '--dtype', 'f32', path, status=0), shown + ': f32 64', name)
    told(run(path, status=1), shown + '.fpgz exists already', name)
    told(run('-d', packed, status=1), shown + ' exists already', name)
    told(run('-dfv', '-o', 'other', packed, status=0), shown + '.fpgz: restored', name)
    told(run('-dfv', '-o', name + b'.out', packed, status=0), shown + '.fpgz', name)
    told(run('-tv', packed, status=0), shown + '.fpgz: all is well', name)
    told(run(packed, status=2), shown + '.fpgz: warning', name)
    for options in ['-l'], ['-lv'], ['-lvv']:
        result = run(*options, packed, status=0)
        told(result, shown + '.fpgz\n', name)
        expect(result.stdout.count(b'\n') == (2 if options == ['-l'] else 3 + (options == ['-lvv'])), name, result.stdout)
    told(run('-lv', packed, status=0), f'    name {shown}, mode', name)
    shutil.copyfile(packed, b'stored.fpgz')
    run('-dN', 'stored.fpgz', status=1)
    told(run('-df', 'stored.fpgz', status=0), f'was made from {shown}; restored as stored', name)
    for operation in ['-t'], ['-l'], ['-df', '-o', 'other']:
        for item in parsed(run(*operation, '--json', packed, status=0)):
            expect(as_bytes(item['file']) == packed, name, item)
            expect(as_bytes(item.get('name', path.decode(errors='surrogateescape'))) == path, name, item)
    lost = open(packed, 'rb').read()
    with open(packed, 'wb') as file:
        file.write(lost[:-200])
    told(run('-t', packed, status=1), shown + '.fpgz: ', name)
    told(run('--recover', '-f', '-o', 'other', packed), shown + '.fpgz: ', name)
    if len(name) < 120:
        told(run('-o', name + b'/none', 'other', status=1), shown, name)
        told(run('--' + os.fsdecode(name), status=1), f"unrecognized option '--{shown}'", name)
        for option in '--codec', '--dtype', '--region', '--shape', '--memory', '--shard', '--fill', '-T':
            run(option, name, '-d', packed, status=1)
    if b'\n' not in name:
        told(run('--files-from', '-', '-q', input=name + b'.none\n', status=1), shown + '.none: cannot open', name)


def datasets(name, shown):
    """The name as an array's in a container, and as that of a dataset in an HDF5 file."""
    values = struct.pack('<1024f', *range(1024))
    head = containers.part_section(0, 1, [1024], 4096, name=b'/' + name)
    sections = [containers.file_section(b'x.f32', len(values)), head, containers.store_chunk(0, 0, values)]
    whole = containers.member(sections)
    with open('array.fpgz', 'wb') as file:
        file.write(whole)
    with open('hurt.fpgz', 'wb') as file:
        file.write(whole.replace(values[16:32], bytes(16)))
    part = shown[:20]
    told(run('-lv', 'array.fpgz', status=0), 'dataset /' + shown, name)
    told(run('-lvv', 'array.fpgz', status=0), ' of /' + shown, name)
    told(run('-t', 'hurt.fpgz', status=1), 'chunk 0 of /' + part, name)
    told(run('--recover', '-f', '-o', 'other', 'hurt.fpgz', status=2), ' of /' + part, name)
    result = run('-d', '-f', '--dataset', b'none' + name, '-o', 'other', 'array.fpgz', status=1)
    told(result, 'has no dataset none' + part, name)
    expect(as_bytes(parsed(run('-l', '--json', 'array.fpgz', status=0))[0]['dataset']) == b'/' + name, name)
    if not HDF5:
        return
    run('-df', '--to', 'h5', '-o', 'array.h5', 'array.fpgz', status=0)
    run('-f', 'array.h5', status=0)
    told(run('-lv', 'array.h5.fpgz', status=0), ' /' + shown, name)
    run('--dataset', b'none' + name, '-o', 'other.fpgz', 'array.h5', status=1)
    run('-vf', '--dataset', b'/' + name, '-o', 'other.fpgz', 'array.h5', status=0)
    told(run('-lv', 'other.fpgz', status=0), 'dataset /' + shown, name)


def benches():
    name, shown = next(iter(NAMES.items()))
    with open(name, 'wb') as file:
        file.write(struct.pack('<1024f', *range(1024)))
    options = ['--bench', '--codec', 'store', '--cpu-level', 'c', '-T1', '--dtype', 'f32']
    told(run(*options, name, status=0), shown + ': f32', name)
    expect(as_bytes(parsed(run(*options, '--json', name, status=0))[0]['file']) == name, name)
    if HDF5:
        told(run(*options[:-2], 'array.h5', status=0), 'array.h5: /', name)


def batches():
    """A manifest has the names as they are."""
    os.mkdir('tree')
    for name in NAMES:
        with open(b'tree/' + name, 'wb') as file:
            file.write(bytes(100))
    lines = check(run('batch', '-v', '--manifest', 'm', '-o', 'archive', 'tree', status=0).stderr, 'batch')
    for name, shown in NAMES.items():
        expect(any(f'tree/{shown}: ' in line for line in lines), name, lines)
    with open('m', 'rb') as file:
        manifest = file.read()
    check(manifest, 'manifest')
    sources = {as_bytes(json.loads(line)['source']) for line in manifest.splitlines()}
    expect(sources == {b'tree/' + name for name in NAMES}, sources)
    run('batch', '-v', '--check', 'm', status=0)
    run('batch', '-v', '--restore', 'm', '-o', 'again', status=0)
    expect(set(os.listdir(b'again/tree')) == set(NAMES), os.listdir(b'again/tree'))
    # As an earlier fpgz wrote it: C1 and what changes the direction of text as it is, no sequence and no check.
    old = re.sub(rb'\\u(009b|20..)', lambda found: chr(int(found[1], 16)).encode(), manifest)
    with open('old', 'wb') as file:
        file.write(re.sub(rb', "sequence".*', b'}', old))
    run('batch', '--restore', 'old', '-o', 'old-again', status=0)
    expect(set(os.listdir(b'old-again/tree')) == set(NAMES), os.listdir(b'old-again/tree'))
    with open('m', 'a') as file:
        file.write('no record\n')
    run('batch', '--check', 'm', status=2)


def progress(name):
    """A line of progress on a terminal of 60 columns, of a FIFO that brings its bytes slowly."""
    os.mkfifo(name)
    piece = bytes(1 << 20)

    def feed():
        with open(name, 'wb') as file:
            file.write(piece)
            time.sleep(1.3)
            file.write(piece)
            file.write(piece)

    threading.Thread(target=feed).start()
    here, there = pty.openpty()
    os.set_blocking(here, True)
    import fcntl
    import termios
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack('4H', 24, 60, 0, 0))
    subprocess.run([FPGZ, '--dtype', 'f32', '--chunk', '256K', '-T1', '-f', '-o', 'other', name], stderr=there, timeout=60)
    os.write(there, b'end')
    printed = b''
    while not printed.endswith(b'end'):
        printed += os.read(here, 65536)
    os.close(here)
    os.close(there)
    shown = [line for line in printed[:-3].split(b'\r') if b'ratio' in line]
    expect(shown, name, printed)
    for line in shown:
        text = check(line.removesuffix(b'\x1b[K'), name)
        expect(text and len(text[0].encode()) < 60, name, text)


def everything():
    for name, shown in NAMES.items():
        files(name, shown)
        datasets(name, shown)
    benches()
    batches()
    progress(b'\x1b[2J-\xc2\x9b')
    progress(('日本' * 20).encode())


def main():
    try:
        everything()
    except OSError as error:
        if error.errno != 84:  # EILSEQ: a file system that takes no name that is not UTF-8
            raise
        print('skipped: the file system does not take such names')


HDF5 = 'none' not in subprocess.run([FPGZ, '-V'], capture_output=True, text=True).stdout
if not HDF5:
    print('no HDF5 library: its datasets are skipped')
run_in_scratch(main)
