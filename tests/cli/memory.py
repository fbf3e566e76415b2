#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the command stays within --memory, by the peak of its resident memory, and says what it needs when it cannot.

usage: memory.py FPGZ GENGRID
"""
import os
import re
import subprocess
import sys
import tempfile

fpgz, gengrid = map(os.path.abspath, sys.argv[1:])
failed = 0


def expect(what, good, got):
    global failed
    if not good:
        failed += 1
        print(f'FAILED: {what}: {got}')


def run(*arguments, source=None, piped=False):
    """The exit status, the peak in bytes (at least this program's own, which it is forked from), and what was said."""
    feed = subprocess.Popen(['cat', source], stdout=subprocess.PIPE) if piped else None
    stdin = feed.stdout if piped else open(source or '/dev/null', 'rb')
    with stdin, open('stderr', 'w+', encoding='utf-8') as stderr:
        process = subprocess.Popen([fpgz, *arguments], stdin=stdin, stdout=subprocess.DEVNULL, stderr=stderr)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        stderr.seek(0)
        text = stderr.read()
    if feed:
        feed.wait()
    return process.returncode, usage.ru_maxrss * 1024, text


def within(megabytes, *arguments, **how):
    code, peak, text = run(*arguments, '--memory', f'{megabytes}M', '-T3', **how)
    expect(f'{arguments} {how} in {megabytes} MiB', code == 0 and peak <= megabytes << 20,
           f'exit {code}, {peak / 2**20:.1f} MiB, {text}')


def needs(megabytes, *arguments, **how):
    """It does not go with that, tells with what, and goes with that."""
    code, _, text = run(*arguments, '--memory', f'{megabytes}M', '-T3', **how)
    told = re.search(r'needs (\d+) MiB.* --memory allows (\d+) MiB', text)
    expect(f'{arguments} {how} is refused in {megabytes} MiB', code == 1 and told and int(told[2]) == megabytes, text)
    if told:
        within(int(told[1]), *arguments, **how)
        expect(f'{arguments}: it needs more', int(told[1]) > megabytes, text)


def same(a, b):
    return subprocess.run(['cmp', '-s', a, b]).returncode == 0


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    grid, turbulence = 'w_48x512x512.f32', 't_24x512x512.f64'
    subprocess.run([gengrid, 'wave', 'f32', '48x512x512', '-o', grid], check=True)
    subprocess.run([gengrid, 'turbulence', 'f64', '24x512x512', '-o', turbulence], check=True)

    codecs = re.findall(r'^(\w+) +f', subprocess.run([fpgz, '--codecs'], capture_output=True, text=True, check=True).stdout, re.M)
    for codec in (*codecs, 'prans:setting=high'):
        source = turbulence if codec == 'gfc' else grid
        within(48, '-kfo', 'c.fpgz', '--codec', codec, source)
        within(48, '-t', 'c.fpgz')
        within(48, '-dcf', source='c.fpgz', piped=True)
    for level in (1, 5):
        for megabytes in (32, 150):
            within(megabytes, f'-{level}kf', '--verify', '-o', 'c.fpgz', grid)
            within(megabytes, f'-{level}cf', '--dtype', 'f64', '--shape', '*x512x512', source=turbulence, piped=True)
            within(megabytes, '-dfo', 'restored', 'c.fpgz')
            expect(f'restored in {megabytes} MiB', same(grid, 'restored'), level)
    within(150, '-d', '--region', ':,100:300,:', '-fo', 'part', 'c.fpgz')
    within(150, '--recover', '-qfo', 'restored', 'c.fpgz')
    expect('recovered', same(grid, 'restored'), '')

    # The bytes depend on a limit only where a chunk is too large for it, and not on the threads.
    subprocess.run([fpgz, '-5', '-kfo', 'free.fpgz', grid], check=True)
    within(310, '-5', '-kfo', 'c.fpgz', grid)
    expect('the same container', same('c.fpgz', 'free.fpgz'), '')
    subprocess.run([fpgz, '-q5T1', '--memory', '40M', '-kfo', 'one.fpgz', grid], check=True)
    subprocess.run([fpgz, '-q5T8', '--memory', '40M', '-kfo', 'eight.fpgz', grid], check=True)
    expect('the same container in 40 MiB', same('one.fpgz', 'eight.fpgz') and not same('one.fpgz', 'free.fpgz'), '')

    needs(16, '-c5', grid)
    needs(17, '-c5', turbulence)
    needs(48, '-cf', '--codec', 'prans', '--chunk', '16M', grid)
    subprocess.run([fpgz, '-q', '--codec', 'prans', '--chunk', '16M', '-fo', 'large.fpgz', grid], check=True)
    needs(40, '-dcf', 'large.fpgz')
    needs(40, '-t', source='large.fpgz', piped=True)
    needs(40, '--recover', '-fo', 'restored', 'large.fpgz')
    expect('nothing is left of what was refused', not [name for name in os.listdir() if name.startswith('.fpgz')], '')

    within(100, 'batch', '-q', '--manifest', 'm.jsonl', grid, turbulence)
    within(100, 'batch', '-q', '--check', 'm.jsonl')

    if not subprocess.run([fpgz, '-d', '--to', 'h5', '-qfo', 'g.h5', grid + '.fpgz'], capture_output=True).returncode:
        within(64, '-5kf', 'g.h5')
        within(64, '-dfo', 'restored', 'g.h5.fpgz')
        expect('the restored file', same('g.h5', 'restored'), '')
        name = subprocess.run([fpgz, '-l', '--json', 'g.h5.fpgz'], capture_output=True, text=True, check=True).stdout
        within(100, '-5f', '--dataset', re.search(r'"dataset": "([^"]+)"', name)[1], '-o', 'd.fpgz', 'g.h5')
sys.exit(1 if failed else 0)
