#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs batches of one manifest at once: parts of a tree by --shard, and several runs of the same file, of which all but one
wait or are refused. Some are killed at random moments, lines are torn, and sources change in between. Then all other lines
are whole, --check is content, and what is restored is what the sources held last.

usage: concurrent.py FPGZ GENGRID [ROUNDS [SEED]]
"""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../decoder'))
import xxh3

GRIDS, PHASES, LARGEST = 40, 4, 64 << 20


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))


def change(gengrid, chance, made, count):
    """Writes some of the grids, new ones at first; `made` has their bytes by name."""
    for i in chance.sample(range(GRIDS), count):
        name = f'tree/{i % 4}/g{i}_{i % 9 + 1}x32x64.f32'
        os.makedirs(os.path.dirname(name), exist_ok=True)
        subprocess.run([gengrid, 'wave', 'f32', f'{i % 9 + 1}x32x64', '--seed', str(chance.randrange(1 << 30)), '-o', name],
                       check=True)
        made[name] = open(name, 'rb').read()


def run_at_once(commands, chance):
    """Kills about half of them at random moments; how many that reached, and of the others the statuses and messages."""
    processes = [subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE, preexec_fn=limit)
                 for command in commands]
    kills = 0
    for process in chance.sample(processes, len(processes) // 2):
        time.sleep(chance.uniform(0, 0.05))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            kills += 1
    ended = []
    for process in processes:
        errors = process.communicate(timeout=120)[1].decode()
        if process.returncode != -signal.SIGKILL:
            ended.append((process.returncode, errors))
    return kills, ended


def tear(chance):
    """As a machine that stops while a line is written."""
    paths = [name for name in sorted(os.listdir('.')) if name.startswith('m.jsonl') and os.path.getsize(name)]
    if paths and chance.random() < 0.5:
        path = chance.choice(paths)
        with open(path, 'rb') as file:
            line = file.readline()
        with open(path, 'ab') as file:
            file.write(line[:chance.randrange(len(line))])


def check_lines():
    """Each line of each file of the manifest is whole or torn, and the numbers of a file's lines count up."""
    torn = 0
    for path in os.listdir('.'):
        if not path.startswith('m.jsonl'):
            continue
        last = 0
        for line in open(path, 'rb'):
            if not line.endswith(b'}\n'):
                torn += 1
                continue
            body, check = line.rsplit(b', "check": ', 1)
            assert json.loads(b'[' + check.rstrip(b'}\n') + b']') == ['%016x' % xxh3.xxh3(body)], line
            sequence = json.loads(line)['sequence']
            assert sequence > last, f'{path}: {sequence} behind {last}'
            last = sequence
    return torn


def scenario(fpgz, gengrid, chance):
    made, kills, refused = {}, 0, 0
    batch = [fpgz, 'batch', '--memory', '256M', '-T2', '--manifest', 'm.jsonl']
    change(gengrid, chance, made, GRIDS)
    for phase in range(PHASES):
        parts = chance.choice([1, 2, 3, 4])
        commands = [batch + ['--shard', f'{k}/{parts}', 'tree'] for k in range(parts)]
        for _ in range(3):
            killed, ended = run_at_once(commands * 4 if parts == 1 else commands, chance)  # 1: all have the same file
            kills += killed
            for status, errors in ended:
                assert status == 0 or status == 1 and 'another run has it' in errors, errors
                refused += status
            tear(chance)
        for command in commands:
            final = subprocess.run(command, capture_output=True, text=True, timeout=120, preexec_fn=limit)
            assert final.returncode == 0, final.stderr
        torn = check_lines()
        check = subprocess.run([fpgz, 'batch', '--check', 'm.jsonl'], capture_output=True, text=True, timeout=120)
        assert check.returncode == 0 and f'{len(made)} files are good, 0 before' in check.stderr, check.stderr
        restore = [fpgz, 'batch', '--restore', 'm.jsonl', '-o', f'again{phase}']
        run_at_once([restore + ['--shard', f'{k}/2'] for k in (0, 1)], chance)
        restored = subprocess.run(restore, capture_output=True, text=True, timeout=120)
        assert restored.returncode == 0, restored.stderr
        for name, content in made.items():
            assert open(f'again{phase}/{name}', 'rb').read() == content, name
        change(gengrid, chance, made, GRIDS // 3)
    return f'{kills} kills, {refused} refused, {torn} lines torn'


def main():
    fpgz, gengrid = map(os.path.abspath, sys.argv[1:3])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
    # The leak sanitizer looks on from a child of the process that ends, and waits for ever when that is killed.
    os.environ['ASAN_OPTIONS'] = ':'.join(filter(None, (os.environ.get('ASAN_OPTIONS'), 'detect_leaks=0')))
    failed = 0
    for round_seed in range(seed, seed + rounds):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                print(f'seed {round_seed}: {scenario(fpgz, gengrid, random.Random(round_seed))}', flush=True)
            except (AssertionError, OSError, subprocess.SubprocessError, ValueError) as error:
                failed += 1
                print(f'FAILED: seed {round_seed}: {error!r}', flush=True)
            os.chdir('/')
    print(f'{rounds - failed} passed, {failed} failed')
    return 1 if failed else 0


sys.exit(main())
