#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: check.sh SOURCE-ROOT   the layout of the C sources (by clang-format 14, others differ), the manuals' markup, and
# the shell scripts. Exits 77 where no tool for any of it is installed.
set -u
cd "$1" || exit 1
status=77
pass() {
    [ "$status" -eq 1 ] || status=0
}
fail() {
    echo "FAILED: $1"
    status=1
}

if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    pass
    find src cuda tools tests \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 | xargs -0 clang-format --dry-run -Werror ||
        fail 'clang-format -i would change files'
fi
if command -v mandoc >/dev/null; then
    pass
    for page in man/*.[0-9]; do
        mandoc -T lint -W warning "$page" || fail "$page"
    done
fi
if command -v shellcheck >/dev/null; then
    pass
    shellcheck .ci/run tools/check tools/completions/fpgz.bash tools/exactness tools/fpgz.sbatch tools/debian-package tools/fuzz tools/gpu-sanitize tools/install-missing tools/long-check tools/papers/run tools/quickstart tools/renew-sizes tests/style/check.sh || fail 'shellcheck'
fi
exit $status
