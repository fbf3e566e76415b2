#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the layers of src/: who may include whom.

usage: includes.py SOURCE-ROOT

A module is a .c file with the header of its name. Modules include each other without circles, and a room includes only
those that the map in src/README.md names for it.
"""
import os
import re
import sys


def rooms(readme):
    """{room: the rooms that it may include beside itself}, from the table of the map"""
    rows = [(re.findall(r'`([a-z]+)/`', room), allowed) for room, allowed in
            re.findall(r'^\| (`.*?) \|.*\| (.*?) \|$', readme.split('## The map', 1)[1].split('\n## ', 1)[0], re.M)]
    result = {}
    for place, (names, allowed) in enumerate(rows):
        below = {name for others, _ in rows[place + 1:] for name in others} if 'all below' in allowed else set()
        named = set(re.findall(r'`([a-z]+)/`', allowed))
        for name in names:
            result[name] = below - named if ' but ' in allowed else below | named
    return result


def module(path):
    """'codec/prans/high' for codec/prans/high.c and .h; kernels of a level or width belong to their family."""
    return re.sub(r'\.[ch]$', '', path)


def read(source):
    """{module: {module that it includes}}"""
    graph = {}
    for folder, _, names in os.walk(source):
        for name in names:
            if not name.endswith(('.c', '.h')):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding='utf-8') as file:
                found = re.findall(r'^#include "([^"]+)"', file.read(), re.M)
            own = module(os.path.relpath(path, source))
            graph.setdefault(own, set()).update(module(other) for other in found)
            graph[own].discard(own)
    return graph


def circles(graph):
    """The strongly connected components of more than one module (Tarjan's algorithm)."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    source = os.path.join(sys.argv[1], 'src')
    graph = read(source)
    with open(os.path.join(source, 'README.md'), encoding='utf-8') as file:
        allowed = rooms(file.read())
    wrong = ['circle: ' + ' <-> '.join(members) for members in circles(graph)]
    for own in sorted(graph):
        room = own.split('/')[0]
        for other in sorted(graph[own]):
            below = other.split('/')[0]
            if '/' in own and '/' in other and below not in allowed.get(room, ()) and below != room:
                wrong.append(f'{own} includes {other}: {room} may not use {below}')
    for line in wrong:
        print('FAILED:', line)
    print(f'{len(graph) - len(wrong)} passed, {len(wrong)} failed')
    sys.exit(len(wrong) > 0)


main()
