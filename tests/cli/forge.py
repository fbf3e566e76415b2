#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Appends a line to a manifest: the first one of another, with other values, and a check that agrees.

usage: forge.py FROM TO KEY=VALUE...   values as JSON; KEY= takes the key out
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../decoder'))
import xxh3


def main():
    source, target, *items = sys.argv[1:]
    with open(source, encoding='utf-8') as file:
        record = json.loads(file.readline())
    for item in items:
        key, value = item.split('=', 1)
        if value:
            record[key] = json.loads(value)
        else:
            del record[key]
    record.pop('check', None)
    line = json.dumps(record, ensure_ascii=False)[:-1].encode()
    with open(target, 'ab') as file:
        file.write(line + b', "check": "%016x"}\n' % xxh3.xxh3(line))


main()
