#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two batches of two "hosts" (host_shim.c), which no lock keeps apart, at the same time on one tree, killed at random
moments and begun again. Every source is there or comes out of its container, and neither host removes a temporary file
of the other.

usage: hosts.py FPGZ GENGRID SHIM SEED
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

GRIDS, ROUNDS, HOSTS = 60, 6, ('one', 'two')


def grids(gengrid):
    """Makes the grids; their bytes by name."""
    made = {}
    for i in range(GRIDS):
        os.makedirs(f'tree/{i % 3}', exist_ok=True)
        name = f'tree/{i % 3}/g{i}_{i % 19 + 1}x32x64.f32'
        subprocess.run([gengrid, 'wave', 'f32', f'{i % 19 + 1}x32x64', '--seed', str(i), '-o', name], check=True)
        with open(name, 'rb') as file:
            made[name] = file.read()
    return made


def start(host, shim, command):
    environment = dict(os.environ, LD_PRELOAD=shim, HOST_BOOT=os.path.abspath(f'boot.{host}'),
                       HOST_LOG=os.path.abspath(f'log.{host}'))
    return subprocess.Popen(command, env=environment, start_new_session=True, stderr=subprocess.PIPE)


def told(host):
    """The temporary files that a host made, and those that it removed."""
    made, removed = set(), set()
    if os.path.exists(f'log.{host}'):
        for line in open(f'log.{host}'):
            what, path = line.rstrip('\n').split(' ', 1)
            (made if what == 'made' else removed).add(path)
    return made, removed


def nothing_lost(fpgz, made):
    for name, content in made.items():
        try:
            with open(name, 'rb') as file:
                left = file.read()
        except FileNotFoundError:
            left = subprocess.run([fpgz, '-dc', name + '.fpgz'], capture_output=True, check=True).stdout
        assert left == content, f'{name} is lost'


def scenario(fpgz, gengrid, shim, chance, commands):
    made, kills = grids(gengrid), 0
    for number, host in enumerate(HOSTS):
        with open(f'boot.{host}', 'w') as file:
            file.write(f'{number:08x}-0000-0000-0000-000000000000\n')
    for attempt in range(ROUNDS):
        running = [start(host, shim, command) for host, command in zip(HOSTS, commands)]
        for process in chance.sample(running, chance.choice((1, 2))):
            time.sleep(chance.uniform(0.002, 0.01 + 0.02 * attempt))
            kills += process.poll() is None
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for process in running:
            errors = process.communicate(timeout=120)[1].decode()
            assert process.returncode in (0, 1, 2, -signal.SIGKILL), (process.returncode, errors)
        nothing_lost(fpgz, made)
    for host, command in zip(HOSTS, commands):
        process = start(host, shim, command)
        errors = process.communicate(timeout=120)[1].decode()
        assert process.returncode in (0, 1, 2), (process.returncode, errors)
    nothing_lost(fpgz, made)
    for name in made:
        packed = subprocess.run([fpgz, '-dc', name + '.fpgz'], capture_output=True)
        assert packed.returncode == 0 and packed.stdout == made[name], f'{name} does not restore: {packed.stderr}'
    names = {host: told(host) for host in HOSTS}
    for host, (own, removed) in names.items():
        # One that was killed before the shim could tell what it made has its host's mark at least.
        marks = {os.path.basename(path).split('-')[2] for path in own}
        others = {path for path in removed - own if os.path.basename(path).split('-')[2] not in marks}
        assert not others, f'host {host} removed what is not its own: {sorted(others)[:3]}'
    assert any(own for own, _ in names.values()), 'no temporary file was made: the shim was not asked'
    return kills, sum(len(removed) for _, removed in names.values())


def main():
    fpgz, gengrid, shim = map(os.path.abspath, sys.argv[1:4])
    seed = int(sys.argv[4])
    os.environ['ASAN_OPTIONS'] = 'verify_asan_link_order=0:detect_leaks=0'
    chance = random.Random(seed)
    batch = [fpgz, 'batch', '-q', '-T2']
    scenarios = {
        'a manifest each': [[*batch, *options, '--manifest', f'{host}.jsonl', 'tree']
                            for host in HOSTS for options in [chance.choice(([], ['--rm']))]],
        'a shard each': [[*batch, '--rm', '--manifest', 'm.jsonl', '--shard', f'{k}/2', 'tree'] for k in (1, 2)],
        'one manifest': [[*batch, *options, '--manifest', 'm.jsonl', 'tree']
                         for options in ([], ['--rm'])],
    }
    for name, commands in scenarios.items():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            kills, removed = scenario(fpgz, gengrid, shim, chance, commands)
            if name != 'a manifest each':
                check = subprocess.run([fpgz, 'batch', '-q', '--check', 'm.jsonl'], capture_output=True, text=True)
                assert check.returncode in (0, 2), check.stderr
            print(f'seed {seed}, {name}: {kills} kills, {removed} temporary files of its own removed')
            os.chdir('/')


if __name__ == '__main__':
    main()
