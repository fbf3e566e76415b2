#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives tools/fpgz.sbatch with a Slurm of its own on loopback: an array of 4 tasks over a few hundred grids, of which
one is killed with SIGKILL and requeued. Then every grid is in the manifest, once, and nothing was done twice.

usage: slurm.py FPGZ GENGRID SBATCH-SCRIPT
Needs root and Debian's packages slurm-wlm and munge; exits 77 without.
"""
import collections
import glob
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

GRIDS = 240
PROGRAMS = ('munged', 'slurmctld', 'slurmd', 'sbatch', 'squeue', 'scontrol', 'scancel')
CONFIGURATION = """\
ClusterName=fpgz
SlurmctldHost=localhost
SlurmUser=root
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
KillWait=2
NodeName=localhost NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=500 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def wait_for(what, condition, seconds=100):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f'FAILED: {what} did not come about in {seconds} s')
        time.sleep(0.05)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(('', 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def start_slurm(folder):
    """Daemons that write their process numbers to folder/*.pid."""
    for name in ('state', 'spool'):
        os.mkdir(f'{folder}/{name}')
    with open(f'{folder}/munge.key', 'wb', opener=lambda path, flags: os.open(path, flags, 0o600)) as key:
        key.write(os.urandom(128))
    with open(f'{folder}/slurm.conf', 'w') as conf:
        conf.write(CONFIGURATION.format(folder=folder, ports=free_ports(2), cpus=os.cpu_count()))
    os.environ['SLURM_CONF'] = f'{folder}/slurm.conf'
    output('munged', '--force', f'--key-file={folder}/munge.key', f'--socket={folder}/munge.socket',
           f'--pid-file={folder}/munged.pid', f'--log-file={folder}/munged.log', f'--seed-file={folder}/munge.seed')
    output('slurmctld', '-f', f'{folder}/slurm.conf')
    output('slurmd', '-f', f'{folder}/slurm.conf', '-N', 'localhost')
    wait_for('a node', lambda: subprocess.run(['scontrol', 'show', 'node', 'localhost'], capture_output=True,
                                              text=True).stdout.find('State=IDLE') >= 0)


def stop_slurm(folder):
    numbers = []
    for name in ('slurmd', 'slurmctld', 'munged'):
        try:
            numbers.append(int(open(f'{folder}/{name}.pid').read()))
            os.kill(numbers[-1], 15)
        except (OSError, ValueError):
            pass
    wait_for('the end of the daemons', lambda: not any(os.path.exists(f'/proc/{number}') for number in numbers), 30)


def lines(path):
    try:
        return open(path, encoding='utf-8').read().splitlines()
    except FileNotFoundError:
        return []


def run(fpgz, gengrid, script, folder):
    os.chdir(folder)
    os.environ['PATH'] = os.path.dirname(fpgz) + ':' + os.environ['PATH']
    os.makedirs('grids/deep')
    for i in range(GRIDS):
        name = f'grids/{"deep/" if i % 3 else ""}{i}_16x64x64.f32'
        output(gengrid, 'wave', 'f32', '16x64x64', '--seed', str(i), '-o', name)
    sources = {name for name in glob.glob('grids/**/*.f32', recursive=True)}

    submit = ['sbatch', '--parsable', script, 'all.jsonl', '-9', 'grids']
    job = output(*submit).strip()
    task, journal = f'{job}_1', 'all.jsonl.1-of-4'
    wait_for('some of the second task', lambda: len(lines(journal)) > 2)
    output('scancel', '--signal=KILL', '--full', task)
    wait_for('the end of the second task', lambda: task not in output('squeue', '-h', '-o', '%i').split())
    before = lines(journal)
    output('scontrol', 'requeue', task)
    output('scontrol', 'update', f'jobid={task}', 'starttime=now')
    wait_for('the end of the array', lambda: not output('squeue', '-h').strip())

    log = ''.join(open(name).read() for name in glob.glob(f'fpgz-{job}_*.log'))
    after = lines(journal)
    assert len(before) < len(after), f'the task was killed when it had done all its {len(before)} files'
    assert after[:len(before)] == before, 'what the killed task had written changed'
    records = [json.loads(line) for name in glob.glob('all.jsonl.*-of-4') for line in lines(name)]
    counts = collections.Counter(record['source'] for record in records)
    assert set(counts) == sources, f'{len(counts)} files of {len(sources)} are in the manifest:\n{log}'
    assert set(counts.values()) == {1}, f'done twice: {[name for name, n in counts.items() if n > 1]}'
    assert all(record['status'] == 'ok' for record in records), log
    assert not glob.glob('grids/**/.fpgz-*', recursive=True), 'a temporary file is left'
    output('fpgz', 'batch', '--check', 'all.jsonl')

    # Once more: there is nothing to do.
    again = output(*submit).strip()
    wait_for('the second array', lambda: not output('squeue', '-h').strip())
    for name in glob.glob(f'fpgz-{again}_*.log'):
        assert ' 0 files archived' in open(name).read(), open(name).read()
    assert len(glob.glob(f'fpgz-{again}_*.log')) == 4
    print(f'{len(records)} files by 4 tasks, one killed after {len(before)} of {len(after)} and requeued')


def main():
    fpgz, gengrid, script = map(os.path.abspath, sys.argv[1:])
    if os.geteuid() != 0 or not all(map(shutil.which, PROGRAMS)):
        print('skipped: needs root, slurm-wlm and munge')
        sys.exit(77)
    for name in list(os.environ):
        if name.startswith(('SLURM', 'SBATCH', 'FPGZ')):
            del os.environ[name]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        try:
            try:
                start_slurm(folder)
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
                print(f'skipped: Slurm does not start here: {error}')
                sys.exit(77)
            run(fpgz, gengrid, script, folder)
        finally:
            stop_slurm(folder)
            os.chdir('/')


main()
