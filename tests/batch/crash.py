#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills batches at random moments with SIGKILL, sometimes one of the processes alone, and begins them again. At every
moment a source or its complete container is there; at the end the manifest tells of every file.

usage: crash.py FPGZ GENGRID [SEED]
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

GRIDS, KILLS = 120, 12


def grids(gengrid):
    """Makes the grids; their bytes by name."""
    made = {}
    for i in range(GRIDS):
        folder = f'tree/{i % 5}'
        os.makedirs(folder, exist_ok=True)
        name = f'{folder}/g{i}_{i % 29 + 1}x32x64.f32'
        subprocess.run([gengrid, 'wave', 'f32', f'{i % 29 + 1}x32x64', '--seed', str(i), '-o', name], check=True)
        made[name] = open(name, 'rb').read()
    return made


def run_killed(command, delay, victim):
    """True when it was killed, False when it ended before."""
    process = subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE)
    time.sleep(delay)
    killed = process.poll() is None
    try:
        if victim == 'a child':
            children = open(f'/proc/{process.pid}/task/{process.pid}/children').read().split()
            os.kill(int(children[0]), signal.SIGKILL)
        elif killed:
            (os.killpg if victim == 'all' else os.kill)(process.pid, signal.SIGKILL)
    except (OSError, IndexError):  # there is no child, or none any more
        pass
    errors = process.communicate(timeout=60)[1].decode()
    if victim == 'a child' and process.returncode == 1:
        assert 'ended by signal 9' in errors, errors
    else:
        assert process.returncode == 0 or killed and process.returncode == -signal.SIGKILL, errors
    return process.returncode != 0


def nothing_lost(fpgz, made):
    """Each grid is there, or comes out of its container."""
    gone = [name for name in made if not os.path.exists(name)]
    for name in made.keys() - gone:
        assert open(name, 'rb').read() == made[name], name
    if gone:
        restored = subprocess.run([fpgz, '-dc'] + [name + '.fpgz' for name in gone], check=True, capture_output=True)
        assert restored.stdout == b''.join(made[name] for name in gone)


def scenario(fpgz, gengrid, chance, options):
    made = grids(gengrid)
    command = [fpgz, 'batch', '--manifest', 'm.jsonl', *options, 'tree']
    kills = 0
    for attempt in range(KILLS):
        killed = run_killed(command, chance.uniform(0.002, 0.006 + 0.003 * attempt), chance.choice(['all', 'all', 'the first', 'a child']))
        kills += killed
        nothing_lost(fpgz, made)
        if killed and chance.random() < 0.3:
            with open('m.jsonl', 'ab') as manifest:
                manifest.write(b'{"source": "tree/0/g0')
    final = subprocess.run(command, capture_output=True, text=True)
    assert final.returncode == 0, final.stderr
    nothing_lost(fpgz, made)
    records = [json.loads(line) for line in open('m.jsonl', encoding='utf-8') if not line.endswith('#torn\n')]
    lines = [(record['source'], record['status'] == 'ok') for record in records]
    good = [name for name, ok in dict(lines).items() if ok]
    assert sorted(good) == sorted(made), 'not each file'
    # What failed as an archived file was looked at again is told once more.
    assert all(lines.count((name, True)) <= 1 + lines.count((name, False)) for name in made), 'a file twice'
    left = [name for _, _, names in os.walk('tree') for name in names if name.startswith('.fpgz-')]
    assert not left, left
    check = subprocess.run([fpgz, 'batch', '--check', 'm.jsonl'], capture_output=True, text=True)
    assert check.returncode == 0, check.stderr
    restore = subprocess.run([fpgz, 'batch', '--restore', 'm.jsonl', '-o', 'again'], capture_output=True, text=True)
    assert restore.returncode == 0, restore.stderr
    for name, content in made.items():
        assert open(f'again/{name}', 'rb').read() == content, name
    print(f'batch {" ".join(options)}: {len(good)} files, {kills} kills')


def main():
    fpgz, gengrid = map(os.path.abspath, sys.argv[1:3])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 30)
    print(f'seed {seed}')
    # The leak sanitizer looks on from a child of the process that ends, and waits for ever when that is killed.
    os.environ['ASAN_OPTIONS'] = ':'.join(filter(None, (os.environ.get('ASAN_OPTIONS'), 'detect_leaks=0')))
    chance = random.Random(seed)
    for options in ([], ['--rm', '-T', '3'], ['--output-dir', 'out', '-1']):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            scenario(fpgz, gengrid, chance, options)
            os.chdir('/')


main()
