#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the shells' completions and fpgz(1) know the options of the program's table, as --help prints it, and no others.

usage: completions.py FPGZ FOLDER MANUAL   FOLDER: of the completions, MANUAL: fpgz.1
Bash's is also run; a shell that is installed checks the syntax of its own.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

fpgz, folder, manual = map(os.path.abspath, sys.argv[1:])
failed = 0


def expect(what, expected, got):
    global failed
    if expected != got:
        failed += 1
        print(f'FAILED: {what}: expected {expected}, got {got}')


def complete(*words, cwd=None):
    """What bash offers for the last of the words."""
    script = f'source "$0" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _fpgz "$1" && printf "%s\\n" "${{COMPREPLY[@]}}"'
    result = subprocess.run(['bash', '-c', script, paths['bash'], fpgz, *words], cwd=cwd, capture_output=True, text=True)
    expect(f'errors for {words}', (0, ''), (result.returncode, result.stderr))
    return set(result.stdout.split())


def option_names(text, long=r'--([a-z][a-z0-9-]*)', short=r'(?<![\w-])-([a-zA-Z0])\b(?!-)'):
    return set(re.findall(long, text)), set(re.findall(short, text))


paths = {shell: os.path.join(folder, name) for shell, name in
         (('bash', 'fpgz.bash'), ('zsh', '_fpgz'), ('fish', 'fpgz.fish'))}
texts = {shell: open(path, encoding='utf-8').read() for shell, path in paths.items()}
help_text = subprocess.run([fpgz, '--help'], capture_output=True, text=True, check=True).stdout
long, short = option_names(help_text)
if len(long) < 40 or len(short) < 15:
    sys.exit(f'FAILED: --help tells of no more than {long}, {short}')

expect('options of zsh', (long, short), option_names(re.search(r'_arguments.*', texts['zsh'], re.S).group(0),
                                                     short=r"(?<![\w-])-([a-zA-Z0])(?=[+,\[])"))
expect('options of fish', (long, short), option_names(texts['fish'], long=r'complete -c fpgz (?:-s . )?-l ([a-z0-9-]+)',
                                                      short=r'complete -c fpgz -s ([a-zA-Z0])\b'))
with open(manual, encoding='utf-8') as file:
    # A tag of a paragraph is the line behind .TP; "-1 ... -9" is a range there.
    tags = re.findall(r'^\.TP(?: .*)?\n\.[BIR]+ (.*)', file.read(), re.M)
documented = option_names('\n'.join(tag.replace('\\-', '-') for tag in tags if tag[:2] == '\\-' or tag[:3] == '"\\-'))
expect('options of fpgz(1)', (long, short), documented)
for shell in ('zsh', 'fish'):
    if shutil.which(shell):
        expect(f'{shell} -n', 0, subprocess.run([shell, '-n', paths[shell]]).returncode)

if shutil.which('bash'):
    levels = {f'-{level}' for level in range(1, 10)}
    expect('options of bash', {f'--{name}' for name in long} | {f'-{name}' for name in short} | levels, complete('-'))
    expect('words', {'--device', '--decompress', '--dataset', '--dtype'}, complete('--d'))
    codecs = {'auto'} | set(re.findall(r'^([a-z][\w-]+) +', subprocess.run([fpgz, '--codecs'], capture_output=True, text=True,
                                                                     check=True).stdout, re.M))
    expect('codecs', codecs, complete('--codec', ''))
    expect('codecs behind =', {'predict', 'prans'}, complete('-d', '--codec', '=', 'pr'))
    for name, words in re.findall(r'--([a-z-]+) ([a-z0-9]+(?:\|[a-z0-9]+)+) ', help_text):
        expect(f'values of --{name}', set(words.split('|')), complete(f'--{name}', ''))
    expect('values', {'f16', 'f32', 'f64'}, complete('--dtype', 'f'))
    expect('no values', set(), complete('-9T', ''))
    with tempfile.TemporaryDirectory() as files:
        for name in ('a.f32', 'a.f32.fpgz', 'b.fpgz'):
            open(os.path.join(files, name), 'w', encoding='utf-8').close()
        os.mkdir(os.path.join(files, 'below'))
        expect('files', {'a.f32', 'a.f32.fpgz', 'b.fpgz', 'below', 'batch'}, complete('', cwd=files))
        expect('containers', {'a.f32.fpgz', 'b.fpgz', 'below'}, complete('-dc', '', cwd=files))
        expect('folders', {'below'}, complete('batch', '--output-dir', '', cwd=files))
        expect('an output', {'b.fpgz', 'below'}, complete('a.f32', '-o', 'b', cwd=files))
sys.exit(1 if failed else 0)
