#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays a corpus and changed copies of it. usage: replay.py REPLAY SEEDS COPIES FOLDER...

The corpus is the files of the folders and, where SEEDS is a program, the inputs that it makes.
"""
import os
import subprocess
import sys
import tempfile

replay, seeds, copies, *folders = sys.argv[1:]
with tempfile.TemporaryDirectory() as made:
    if os.access(seeds, os.X_OK):
        subprocess.run([seeds, made], check=True)
        folders.append(made)
    files = sorted(os.path.join(folder, name) for folder in folders if os.path.isdir(folder) for name in os.listdir(folder)
                   if not name.endswith(('.md', '.py', '.json')))
    sys.exit(subprocess.run([replay, copies, *files]).returncode)
