#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the lists of codecs, CPU levels and formats to write that are written by hand are those of the program.

usage: lists.py FPGZ SOURCE-ROOT LEVELS CODECS   LEVELS: the CPU levels of all machines, CODECS: those that the test of
kernels runs for, each separated by commas
"""
import os
import re
import subprocess
import sys

fpgz, root, levels, tested = sys.argv[1:]
levels = levels.split(',')
failed = 0


def expect(what, expected, got):
    global failed
    if expected != got:
        failed += 1
        print(f'FAILED: {what}: expected {expected}, got {got}')


def run(*options):
    return subprocess.run([fpgz, *options], capture_output=True, text=True, check=True).stdout


def read(*path):
    with open(os.path.join(root, *path), encoding='utf-8') as file:
        return file.read()


def between(text, first, last):
    return text.split(first, 1)[1].split(last, 1)[0]


# Name, types, dimensions, lossless, backends of each codec; lines of parameters are indented.
codecs = re.findall(r'^([\w-]+) +([\w,]+) +[\d-]+ +(?:yes|no) +(\S+)', run('--codecs'), re.M)
names = {name for name, *_ in codecs} | set(re.findall(r'^([\w-]+) +not in this fpgz', run('--codecs'), re.M))
if len(names) < 9:
    sys.exit(f'FAILED: --codecs prints no more than {names}')
manual, container = read('man', 'fpgz.1'), read('man', 'fpgz.5')

expect('codecs of README.md', names, set(re.findall(r'^\| `([\w-]+)` \|', between(read('README.md'), '## Codecs', '\n## '), re.M)))
expect('codecs of fpgz(1)', names, set(re.findall(r'^([\w-]+)\tT\{', between(manual, '.SH CODECS', '.SH'), re.M)))
table = re.findall(r'^(\d+)\t([\w-]+)\tsee below', between(container, '.SH CODECS', '.SS'), re.M)
expect('codecs of fpgz(5)', names, {name for _, name in table})
expect('sections of fpgz(5)', {(name, id) for id, name in table},
       set(re.findall(r'^\.SS ([\w-]+) \((\d+)\)', between(container, '.SH CODECS', '.SH'), re.M)))
decoder = between(read('tests', 'decoder', 'fpgz_decode.py'), 'CODECS = {', '}')
expect('codecs of the decoder', {int(id) for id, _ in table}, set(map(int, re.findall(r'(\d+): ', decoder))))
expect('codecs whose kernels are tested', names, set(tested.split(',')))

own = run('-V')
built = re.search(r'^cpu levels: (.*)', own, re.M)[1].split() + re.findall(r'^not on this CPU: (\w+)', own, re.M)
expect('CPU levels of the build', [level for level in levels if level in built], built)
expect('backends of --codecs', set(), {level for *_, backends in codecs for level in backends.split(',')} -
       set(built) - {'cpu:c', 'cuda'})
expect('CPU levels of --help', levels, re.search(r'--cpu-level (\S+)', run('--help'))[1].split('|'))
expect('CPU levels of fpgz(1)', levels,
       re.findall(r'^\.B (\w+)\n\(', between(manual, r'.BI \-\-cpu\-level', '.TP'), re.M))
formats = {line.split()[0] for line in run('--formats').split('\n\n')[0].split('\n')[2:]}
expect('formats of README.md', formats, set(re.findall(r'^\| `([\w-]+)` \|', between(read('README.md'), '| Format |', '\n\n'), re.M)))
expect('formats of fpgz(1)', formats - {'HDF5', 'npy'},
       set(re.findall(r'^\.TP\n\.B ([\w-]+)\n', between(manual.replace('\\-', '-'), '.SS Other formats', '.SH'), re.M)))
sinks = re.search(r'--to (\S+)', run('--help'))[1].split('|')
expect('formats of --to in fpgz(1)', sinks, re.findall(r'^\.B (\w+)\n', between(manual, r'.BI \-\-to', '.TP'), re.M)[:len(sinks)])
for option, words in (('cpu-level', levels), ('to', sinks)):
    for shell, pattern in (('fpgz.bash', r"--%s\) words='(.*)'"), ('_fpgz', r'--%s=.*:\((.*)\)'),
                           ('fpgz.fish', r"-l %s .*-a '(.*?)'")):
        expect(f'--{option} of {shell}', words,
               re.search(pattern % option, read('tools', 'completions', shell))[1].split())
sys.exit(1 if failed else 0)
