#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no file of src/ has more than 350 lines, and no function more than 80.

usage: lengths.py SOURCE-ROOT

Where one has, it does two things: the second has a file or a function of its own.
"""
import os
import sys

FILE, FUNCTION = 350, 80


def functions(lines):
    """(the line of its name, how many lines it has) of each, by clang-format's layout: braces alone in their lines"""
    begin = None
    for number, line in enumerate(lines):
        if line == '{':
            begin = number
        elif line == '}' and begin is not None:
            yield begin, number - begin + 1
            begin = None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.chdir(sys.argv[1])
    wrong, found = [], 0
    for folder, _, names in os.walk('src'):
        for name in names:
            if not name.endswith(('.c', '.h')):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding='utf-8') as file:
                lines = file.read().split('\n')[:-1]
            if len(lines) > FILE:
                wrong.append(f'{path} has {len(lines)} lines, more than {FILE}')
            for begin, length in functions(lines):
                found += 1
                if length > FUNCTION:
                    wrong.append(f'{path}:{begin}: a function of {length} lines, more than {FUNCTION}')
    for line in sorted(wrong):
        print('FAILED:', line)
    print(f'{found} functions, {len(wrong)} failed')
    sys.exit(bool(wrong) or not found)


main()
