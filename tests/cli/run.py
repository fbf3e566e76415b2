#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a script of commands against the built programs and compares what they print.

usage: run.py FPGZ GENGRID TESTDATA FILE.test...
In a test file, each "$ command" runs in bash, in a scratch folder that all commands of the file share; fpgz, gengrid and
the Python of this script are on its PATH, and $testdata is the folder of grids. The lines behind it say what is expected:
"? N" the exit status (0 when not said), "! text" a line of stderr, anything else a line of stdout. "..." stands for any
text, a line of "..." alone for any lines. "# text" is a comment. A command "skip-unless COMMAND" ends the file early,
without failing, where COMMAND does not succeed.
"""
import os
import re
import subprocess
import sys
import tempfile


def parse(path):
    cases = []
    for line in open(path, encoding='utf-8').read().splitlines():
        if line.startswith('$ '):
            cases.append({'command': line[2:], 'status': 0, 'out': [], 'err': []})
        elif line.startswith('#') or not line:
            continue
        elif line.startswith('? '):
            cases[-1]['status'] = int(line[2:])
        elif line.startswith('! '):
            cases[-1]['err'].append(line[2:])
        else:
            cases[-1]['out'].append(line)
    return cases


def matches(expected, got):
    pattern = ''.join('(?:.*\n)*' if line == '...' else '.*'.join(map(re.escape, line.split('...'))) + '\n'
                      for line in expected)
    return re.fullmatch(pattern, got) is not None


def run_file(path, environment):
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in parse(path):
            command = case['command']
            if command.startswith('skip-unless '):
                if subprocess.run(['bash', '-c', command[12:]], cwd=folder, env=environment,
                                  capture_output=True).returncode:
                    print(f'{os.path.basename(path)}: the rest is skipped: {command[12:]}')
                    break
                continue
            result = subprocess.run(['bash', '-c', command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                    capture_output=True, timeout=120)
            out, err = (text.decode(errors='backslashreplace') for text in (result.stdout, result.stderr))
            if result.returncode == case['status'] and matches(case['out'], out) and matches(case['err'], err):
                passed += 1
                continue
            failed += 1
            print(f'FAILED: {os.path.basename(path)}: $ {command}\n'
                  f'  expected status {case["status"]}, got {result.returncode}\n'
                  f'  expected stdout {case["out"]}\n  got {out.splitlines()}\n'
                  f'  expected stderr {case["err"]}\n  got {err.splitlines()}')
    return passed, failed


def run(programs):
    fpgz, gengrid, testdata, *files = sys.argv[1:]
    # A python3 of PATH may be a script that looks for one, which takes longer than most commands here.
    os.symlink(sys.executable, os.path.join(programs, 'python3'))
    folders = [os.path.dirname(os.path.abspath(program)) for program in (fpgz, gengrid)] + [programs]
    environment = {'PATH': ':'.join(folders + [os.environ['PATH']]), 'testdata': os.path.abspath(testdata), 'LC_ALL': 'C',
                   'TZ': 'UTC', 'HOME': '/nonexistent'}
    for name in ('ASAN_OPTIONS', 'UBSAN_OPTIONS', 'TMPDIR', 'FPGZ_OPTS'):
        if name in os.environ:
            environment[name] = os.environ[name]
    counts = [run_file(path, environment) for path in files]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0 if passed else 77  # 77: all was skipped


def main():
    with tempfile.TemporaryDirectory() as programs:
        return run(programs)


sys.exit(main())
