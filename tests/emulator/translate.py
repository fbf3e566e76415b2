#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes C++ of a CUDA source, for the emulator.

usage: translate.py FOLDER SOURCE OUTPUT DEPFILE

What is in FOLDER and not beside this script in include/ is put in where it is included. What C++ has no words for is
put into the emulator's: launches, shared memory.
"""
import os
import re
import sys

OURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'include')


def inline(folder, path, seen):
    """The text of a file and of all that it includes of the folder, each once."""
    seen.append(path)
    lines = []
    with open(path, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            name = re.match(r'#include "(\w+\.cuh)"', line)
            other = os.path.join(folder, name.group(1)) if name else None
            if other in seen:
                lines.append('\n')
            elif name and not os.path.exists(os.path.join(OURS, name.group(1))):
                lines += inline(folder, other, seen) + [f'#line {number + 1} "{os.path.abspath(path)}"\n']
            else:
                lines.append('\n' if line.startswith('#pragma unroll') else line)
    return [f'#line 1 "{os.path.abspath(path)}"\n'] + lines


def matching(text, end, pair):
    """Where the bracket begins that ends before `end`."""
    depth = 0
    for at in range(end - 1, -1, -1):
        depth += (text[at] == pair[1]) - (text[at] == pair[0])
        if depth == 0:
            return at
    raise ValueError('a bracket has no other')


def launches(text):
    """kernel<<<grid, block, shared, queue>>>(arguments) becomes a call that keeps a function and its arguments."""
    while True:
        at = text.find('<<<')
        if at < 0:
            return text
        begin = at
        while True:
            begin -= len(text[:begin]) - len(text[:begin].rstrip())
            if text[begin - 1] not in '>)':
                break
            begin = matching(text, begin, '<>' if text[begin - 1] == '>' else '()')
        begin -= len(re.search(r'\w*$', text[:begin]).group())
        kernel = text[begin:at].strip()
        end = text.index('>>>', at)
        shape, arguments = text[at + 3:end], text.index('(', end) + 1
        text = (f'{text[:begin]}emulator::launch("{re.match(r"[a-z_0-9]+", kernel).group()}", {{{shape}}}, '
                f'[=](auto... of) {{ {kernel}(of...); }}, {text[arguments:]}')


def shared_memory(match):
    """Variables of blocks are static ones that the emulator fills and changes."""
    declaration = re.sub(r'__align__\(\d+\)', '', match.group(1))
    while '[' in declaration:
        declaration = re.sub(r'\[[^][]*\]', '', declaration)
    names = [part.split()[-1] for part in declaration.split(',')]
    return match.group().replace('__shared__', 'static') + ''.join(f' EMULATOR_SHARED({name})' for name in names)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    folder, source, output, depfile = sys.argv[1:]
    seen = []
    text = ''.join(inline(folder, source, seen))
    text = re.sub(r'extern __shared__ (\w+) (\w+)\[\];', r'\1 *const \2 = (\1 *)emulator::dynamic_shared();', text)
    text = re.sub(r'\b__shared__\s([^;]*);', shared_memory, text)
    with open(output, 'w', encoding='utf-8') as file:
        file.write('#include <cuda_runtime.h>\n' + launches(text))
    with open(depfile, 'w', encoding='utf-8') as file:
        file.write(f'{output}: {" ".join(os.path.abspath(path) for path in seen)}\n')


main()
