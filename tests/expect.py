# SPDX-License-Identifier: MIT
"""How test scripts count: what does not hold is printed, and makes the script fail at its end."""
import os
import sys
import tempfile

failures = []


def expect(holds, *what):
    if not holds:
        failures.append(what)
        print('FAILED:', *what)


def run_in_scratch(main):
    """Calls main() in a folder of its own, which is then removed, and ends the script."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main()
        os.chdir('/')
    print(f'{len(failures)} failed')
    sys.exit(1 if failures else 0)
