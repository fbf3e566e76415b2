# SPDX-License-Identifier: MIT
"""Why a container is refused."""


class Damaged(Exception):
    """The container is not what a writer wrote, or no container at all."""


class Unsupported(Exception):
    """The container may well be right, but it needs another reader."""


def need(condition, words):
    if not condition:
        raise Damaged(words)


def know(condition, words):
    if not condition:
        raise Unsupported(words)


class Missing(Unsupported):
    """This machine lacks what it takes to read the container: a test skips it."""
