#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the files and functions that the READMEs speak of are there.

usage: readmes.py SOURCE-ROOT

`core/io.c` is looked for beside the README, in src/ and in the root, or anywhere if it names no folder; `main()` in all
code and, where a file follows in brackets, in that one. Names with capitals, as NAME.c, stand for others.
"""
import os
import re
import sys

CODE = ('.c', '.cpp', '.h', '.cu', '.cuh', '.py', '.build', '.in', '.test')
HIDDEN = ('.git', 'build')


def tree(root):
    """The paths of all files that are not built."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(HIDDEN) and name != 'shared']
        yield from (os.path.relpath(os.path.join(folder, name), root) for name in names)


def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.chdir(sys.argv[1])
    paths = sorted(tree('.'))
    bases = {os.path.basename(path) for path in paths}
    words = {word for path in paths if path.endswith(CODE) for word in re.findall(r'\w+', read(path))}
    checked, wrong = 0, []
    for readme in (path for path in paths if os.path.basename(path) == 'README.md'):
        text = read(readme)
        for name, file in re.findall(r'`(\w+)\(\)`(?:\s+\(`([\w./-]+)`)?', text):
            checked += 1
            if name not in words:
                wrong.append(f'{readme}: there is no {name}()')
            elif file and os.path.exists(os.path.join('src', file)) and name not in read(os.path.join('src', file)):
                wrong.append(f'{readme}: {name}() is not in {file}')
        for path in re.findall(r'`([a-z0-9_./-]+\.(?:c|cpp|h|cuh?|py|test|build|csv|json))`', text):
            places = (os.path.dirname(readme), 'src', 'tests', '')
            checked += 1
            if not path.startswith('build/') and not (os.path.basename(path) == path and path in bases) and \
                    not any(os.path.exists(os.path.join(place, path)) for place in places):
                wrong.append(f'{readme}: there is no {path}')
    for line in wrong:
        print('FAILED:', line)
    print(f'{checked - len(wrong)} passed, {len(wrong)} failed')
    sys.exit(bool(wrong) or not checked)


main()
