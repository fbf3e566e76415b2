# SPDX-License-Identifier: MIT
"""Files with extended attributes, of the file system or of a preloaded store, for xattrs.py."""
import os
import shutil
import struct
import subprocess

from expect import expect

ACL = 'system.posix_acl_access'
DATA = struct.pack('<300f', *range(300))


def access_list(owner, group, others, users=(), groups=(), mask=None):
    entries = [(1, owner, 2**32 - 1), *((2, rights, who) for who, rights in users), (4, group, 2**32 - 1),
               *((8, rights, who) for who, rights in groups)]
    entries += [] if mask is None else [(16, mask, 2**32 - 1)]
    return struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *entry) for entry in [*entries, (32, others, 2**32 - 1)])


# The group has nothing, though the mode says 6, for that is the mask; one user may read.
LIST = access_list(6, 0, 4, users=[(1234, 4)], mask=6)


class Real:
    """The file system's own."""

    def __init__(self):
        self.environment = dict(os.environ)

    def get(self, path):
        return {name: os.getxattr(path, name) for name in os.listxattr(path) if not name.startswith('security.')}

    def set(self, path, name, value):
        os.setxattr(path, name, value)

    def forget(self, path):
        pass


class Played(Real):
    """Those of the preloaded store."""

    def __init__(self, library):
        self.folder = os.path.abspath('store')
        os.makedirs(self.folder)
        self.environment = dict(os.environ, LD_PRELOAD=library, XATTRS=self.folder,
                                ASAN_OPTIONS='verify_asan_link_order=0:detect_leaks=0')

    def of(self, path):
        return os.path.join(self.folder, str(os.stat(path).st_ino))

    def get(self, path):
        names = os.listdir(self.of(path)) if os.path.exists(self.of(path)) else ()
        return {name: open(os.path.join(self.of(path), name), 'rb').read() for name in names}

    def set(self, path, name, value):
        os.makedirs(self.of(path), exist_ok=True)
        with open(os.path.join(self.of(path), name), 'wb') as file:
            file.write(value)

    def forget(self, path):
        shutil.rmtree(self.of(path), ignore_errors=True)


class Files:
    """Files and runs of the command in the current folder, with the attributes that the store has."""

    def __init__(self, fpgz, store):
        self.fpgz, self.store = fpgz, store

    def run(self, *arguments, status=0, **options):
        refuse = options.pop('refuse', None)
        environment = dict(self.store.environment, **({'XATTRS_REFUSE': refuse} if refuse else {}))
        result = subprocess.run([self.fpgz, *arguments], capture_output=True, timeout=60, env=environment, **options)
        expect(result.returncode == status, arguments, result)
        return result

    def source(self, name, attributes, mode=0o640):
        """A new file; the attributes come in another order than that of their names."""
        self.remove(name)
        with open(name, 'wb') as file:
            file.write(DATA)
        os.chmod(name, mode)
        os.utime(name, (1_000_000_000, 1_000_000_000))
        for key in sorted(attributes, reverse=True):
            self.store.set(name, key, attributes[key])
        return name

    def remove(self, *names):
        for name in names:
            if os.path.exists(name):
                self.store.forget(name)
                os.remove(name)

    def has(self, name, attributes, mode=None):
        expect(self.store.get(name) == attributes, name, self.store.get(name), attributes)
        if mode is not None:
            expect(os.stat(name).st_mode & 0o7777 == mode, name, oct(os.stat(name).st_mode), oct(mode))

    def clean(self):
        for name in os.listdir('.'):
            if os.path.isfile(name):
                self.remove(name)


def can(name, value, mode):
    """Whether the file system has such attributes."""
    with open('try', 'wb') as file:
        os.fchmod(file.fileno(), mode)
        try:
            os.setxattr('try', name, value)
        except OSError as error:
            print(f'skipped: no {name} in {os.getcwd()}: {error.strerror}')
            return False
    return True
