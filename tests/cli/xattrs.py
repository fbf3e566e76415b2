#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Extended attributes and access lists: kept, listed, restored, recovered, and never more than the source had.

usage: xattrs.py FPGZ STORE DECODER
STORE is xattr_store.c, which is preloaded to play a file system that has all of them; what the file system of the scratch
folder has itself is tested too. DECODER is the folder of containers.py and of the independent decoder.
"""
import io
import json
import os
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
sys.path.insert(0, sys.argv[3])
import containers  # noqa: E402
import fpgz_decode  # noqa: E402
from expect import expect, run_in_scratch  # noqa: E402
from xattr_files import ACL, DATA, LIST, Files, Played, Real, access_list, can  # noqa: E402

FPGZ, STORE = map(os.path.abspath, sys.argv[1:3])
XATTRS = 0x8002
ANY = {'user.a': b'', 'user.comment': 'Grüße\0ÿ'.encode(), 'user.' + 'x' * 250: bytes(range(256)), 'user.\x1b[31m': b'esc'}


class Test(Files):
    def users(self):
        """Those of users come back, whichever way; the container is the same whatever their order."""
        self.source('a.f32', ANY)
        self.run('a.f32')
        self.has('a.f32.fpgz', {})
        container = open('a.f32.fpgz', 'rb').read()
        body = [section.body for section in containers.split(container) if section.type == XATTRS]
        expect(len(body) == 1 and body[0] == made(ANY), body)
        out = io.BytesIO()
        fpgz_decode.restore(container, out.write)
        expect(out.getvalue() == DATA, 'the independent decoder')
        self.run('-t', 'a.f32.fpgz')
        self.run('-d', '-o', 'b.f32', 'a.f32.fpgz')
        self.has('b.f32', ANY, 0o640)
        self.run('-f', '-d', '-o', 'b.f32', stdin=open('a.f32.fpgz', 'rb'))
        self.has('b.f32', ANY, 0o640)
        self.run('--recover', '-f', '-o', 'b.f32', 'a.f32.fpgz')
        self.has('b.f32', ANY, 0o640)
        self.run('-d', '--to', 'npy', '-o', 'b.npy', 'a.f32.fpgz')
        self.has('b.npy', {}, 0o640)
        listed = self.run('-lv', 'a.f32.fpgz').stdout.decode()
        expect('extended attributes: user.\\x1b[31m (3 bytes), user.a (0 bytes), user.comment (10 bytes), user.xxx' in listed,
               listed)
        listed = json.loads(self.run('-lv', '--json', 'a.f32.fpgz').stdout)['extended_attributes']
        expect({item['name']: item['bytes'] for item in listed} == {name: len(value) for name, value in ANY.items()}, listed)
        expect(self.run('-c', self.source('a.f32', ANY)).stdout == container, 'not deterministic')
        # As before where there are none.
        expect(XATTRS not in [section.type for section in containers.split(self.run('-c', self.source('a.f32', {})).stdout)],
               'a section of nothing')
        # What is restored is the first member's.
        other = self.run('-c', self.source('c.f32', {'user.c': b'c'})).stdout
        with open('two.fpgz', 'wb') as file:
            file.write(container + other)
        self.run('-d', '-o', 'two', 'two.fpgz')
        self.has('two', ANY)

    def refused(self):
        """A file system without them: restored all the same, with a notice for who asks."""
        self.source('a.f32', ANY)
        self.run('a.f32')
        expect(not self.run('-d', '-o', 'b.f32', 'a.f32.fpgz', refuse='user.').stderr, 'not silent')
        self.has('b.f32', {}, 0o640)
        told = self.run('-dvf', '-o', 'b.f32', 'a.f32.fpgz', refuse='user.').stderr
        expect(b'4 extended attributes, user.\\x1b[31m the first, cannot be set here' in told, told)

    def rights(self):
        """With the access list, the container and what is restored have the source's rights; without, no more."""
        attributes = {ACL: LIST, 'user.a': b'a'}
        self.source('a.f32', attributes, 0o664)
        self.run('a.f32')
        self.has('a.f32.fpgz', {ACL: LIST}, 0o664)
        self.run('-d', '-o', 'b.f32', 'a.f32.fpgz')
        self.has('b.f32', attributes, 0o664)
        self.run('-d', '--to', 'npy', '-o', 'b.npy', 'a.f32.fpgz')
        self.has('b.npy', {ACL: LIST}, 0o664)
        self.run('--bare', '--codec', 'ndzip', '-o', 'b.ndzip', 'a.f32')
        self.has('b.ndzip', {ACL: LIST}, 0o664)
        if not isinstance(self.store, Played):
            return
        # The group had nothing, and the user 1234, who may be one of the group or of the others, 4.
        self.run('-f', 'a.f32', refuse='system.')
        self.has('a.f32.fpgz', {}, 0o604)
        self.run('-df', '-o', 'b.f32', 'a.f32.fpgz', refuse='system.')
        self.has('b.f32', {'user.a': b'a'}, 0o604)
        for users, groups, mask, mode, without in (
                ([(1, 0)], [], 7, 0o674, 0o600), ([(1, 6)], [(5, 4)], 4, 0o644, 0o644), ([], [(5, 2)], 6, 0o664, 0o600),
                ([(1, 4), (2, 6)], [(5, 6)], 6, 0o664, 0o644)):
            value = access_list(6, 4, 4, users, groups, mask)
            self.source('a.f32', {ACL: value}, mode)
            self.run('-f', 'a.f32')
            self.run('-df', '-o', 'b.f32', 'a.f32.fpgz', refuse='system.')
            self.has('b.f32', {}, without)
            self.run('-df', '-o', 'b.f32', 'a.f32.fpgz')
            self.has('b.f32', {ACL: value}, mode)

    def inherited(self):
        """What a folder gives to all new files is no right that the source gave."""
        os.mkdir('folder')
        try:
            os.setxattr('folder', 'system.posix_acl_default', access_list(7, 5, 5, users=[(1234, 7)], mask=7))
        except OSError:
            print('skipped: no default access lists here')
            return
        self.source('a.f32', {}, 0o640)
        self.run('-o', 'folder/a.fpgz', 'a.f32')
        self.has('folder/a.fpgz', {}, 0o640)
        self.run('-d', '-o', 'folder/a.f32', 'folder/a.fpgz')
        self.has('folder/a.f32', {}, 0o640)

    def groups(self):
        """Where the group cannot be given, nor is the list."""
        if os.getuid() or not shutil.which('setpriv'):
            print('skipped: needs root and setpriv')
            return
        self.source('a.f32', {ACL: LIST}, 0o664)
        os.chmod('.', 0o777)
        os.chmod('..', 0o711)
        for folder in os.path.dirname(FPGZ), os.path.dirname(STORE):
            if subprocess.run(['setpriv', '--reuid', '1234', '--clear-groups', 'test', '-x', folder]).returncode:
                print('skipped: the command is where others cannot reach it')
                return
        if isinstance(self.store, Played):
            for folder, _, files in os.walk('store'):
                os.chmod(folder, 0o777)
                for file in files:
                    os.chmod(os.path.join(folder, file), 0o666)
        for group, attributes, mode in (4321, {}, 0o604), (0, {ACL: LIST}, 0o664):
            # Of the two commands fpgz alone has what a preloaded library of a sanitizer build needs.
            result = subprocess.run(['setpriv', '--reuid', '1234', '--regid', str(group), '--clear-groups', 'env',
                                     *(f'{name}={value}' for name, value in self.store.environment.items()),
                                     FPGZ, '-qf', '-o', 'theirs.fpgz', 'a.f32'], capture_output=True)
            expect(result.returncode == 0, result)
            self.has('theirs.fpgz', attributes, mode)

    def limits(self):
        """What is too much is told of, and the rest kept."""
        many = {f'user.{i:02}': bytes([i]) * 65536 for i in range(17)}
        self.source('a.f32', many)
        told = self.run('a.f32', status=2).stderr
        expect(b'warning: 2 extended attributes, user.15 the first, cannot be kept' in told, told)
        kept = {name: value for name, value in many.items() if name < 'user.15'}
        self.run('-d', '-o', 'b.f32', 'a.f32.fpgz')
        self.has('b.f32', kept)
        self.source('a.f32', {'user.big': bytes(65537), 'user.small': b'1'})
        told = self.run('-f', 'a.f32', status=2).stderr
        expect(b'warning: extended attribute user.big cannot be kept' in told, told)
        self.source('a.f32', {ACL: LIST}, 0o600)
        told = self.run('-f', 'a.f32', status=2).stderr
        expect(ACL.encode() in told, 'a list that contradicts the mode', told)
        self.source('a.f32', {'security.selinux': b'x', 'security.capability': b'x', 'trusted.md5': b'x'})
        container = self.run('-fc', 'a.f32').stdout
        expect(XATTRS not in [section.type for section in containers.split(container)], 'others are kept')

    def batch(self):
        os.mkdir('tree')
        for i in range(3):
            self.source(f'tree/{i}.f32', {**ANY, 'user.i': bytes([i])})
        self.run('batch', '--manifest', 'm', '-o', 'archive', 'tree')
        self.run('batch', '--check', 'm')
        self.run('batch', '--restore', 'm', '-o', 'again')
        for i in range(3):
            self.has(f'again/tree/{i}.f32', {**ANY, 'user.i': bytes([i])}, 0o640)

    def removal(self):
        """--rm does not lose them silently, whichever run made the container."""
        def rm(attributes, status, words=b'', *options):
            self.remove('a.f32', 'a.f32.fpgz')
            told = self.run('--rm', *options, self.source('a.f32', attributes), status=status).stderr
            expect(words in told and bool(words) == bool(told), attributes, told)
            return os.path.exists('a.f32')

        expect(not rm({**ANY, ACL: access_list(6, 4, 0)}, 0), 'what is kept')
        expect(not rm({'security.selinux': b'x', 'trusted.overlay.origin': b'x', 'trusted.lov': b'x'}, 0), "a system's own")
        for name in 'security.capability', 'trusted.md5', 'trusted.love':
            expect(rm({name: b'x', 'user.a': b''}, 2, b'not removed: extended attribute %s cannot be kept' % name.encode()), name)
            expect(not rm({name: b'x'}, 2, b'removed, though extended attribute %s cannot' % name.encode(), '-f'), name)
        expect(rm({'user.big': bytes(65537)}, 2, b'not removed: extended attribute user.big'), 'too large')
        expect(rm({'user.a': b''}, 2, b'other extended attributes', '--bare', '--codec', 'ndzip'), 'a bare stream keeps none')

        self.run('-f', self.source('a.f32', ANY))
        self.run('-d', '--rm', '-o', 'b.f32', 'a.f32.fpgz', status=2, refuse='user.')
        self.remove('b.f32')
        self.run('-d', '--rm', '-o', 'b.f32', 'a.f32.fpgz')
        expect(not os.path.exists('a.f32.fpgz'), 'the container')
        self.has('b.f32', ANY)

        for folder in 'rm', 'rm-archive':
            os.mkdir(folder)
        for i, attributes in enumerate(({}, ANY, {'security.capability': b'x'})):
            self.source(f'rm/{i}.f32', attributes)
        self.run('batch', '--manifest', 'rm.m', '-o', 'rm-archive', 'rm')
        self.source('rm/0.f32', {'user.later': b'x'})
        command = 'batch', '--rm', '--manifest', 'rm.m', '-o', 'rm-archive', 'rm'
        for _ in range(2):
            told = self.run(*command, status=2).stderr
            expect(os.listdir('rm') and sorted(os.listdir('rm')) == ['0.f32', '2.f32'], os.listdir('rm'), told)
            expect(b'0.f32: warning: not removed: other' in told and b'2.f32: warning: not removed: extended' in told, told)
        self.run(*command, '-f', status=2)
        expect(not os.listdir('rm'), os.listdir('rm'))

    def damaged(self):
        """--recover says that they are lost; what the list said is not known then, and the file is its owner's alone."""
        self.source('a.f32', ANY)
        container = bytearray(self.run('-c', 'a.f32').stdout)
        container[container.index(b'Gr\xc3')] ^= 1
        with open('bad.fpgz', 'wb') as file:
            file.write(container)
        self.run('-t', 'bad.fpgz', status=1)
        self.run('-d', '-o', 'none', 'bad.fpgz', status=1)
        expect(not os.path.exists('none'), 'left an output')
        self.run('-l', 'bad.fpgz')
        self.run('-lv', 'bad.fpgz', status=1)
        told = self.run('--recover', '-f', '-o', 'b.f32', 'bad.fpgz', status=2).stderr
        expect(b'lost: the extended attributes of the file' in told and b'1200 bytes restored, 0 lost' in told, told)
        self.has('b.f32', {}, 0o600)
        expect(open('b.f32', 'rb').read() == DATA, 'recovered')

    def hostile(self):
        """No container gives a file any other attribute, or one that is malformed."""
        name = struct.pack('<H', 6) + b'user.a'
        good = made({ACL: LIST, 'user.a': b'a'})
        bodies = {
            'nothing': b'', 'a length': b'\x06', 'a name': name[:5], 'no value': name, 'value': name + struct.pack('<I', 9) + b'1',
            'a large value': name + struct.pack('<I', 65537) + bytes(65537), 'value wraps': name + b'\xff' * 4,
            'name wraps': b'\xff\xff' + name, 'bytes behind': good + b'\0', 'NUL': made({'user.a\0b': b''}),
            'order': made({'user.a': b''}) + made({ACL: LIST}), 'twice': made({'user.a': b''}) * 2, 'too many': made(
                {f'user.{i:02}': bytes(65536) for i in range(17)}), 'name of 256': made({'user.' + 'x' * 251: b''})}
        for other in ('security.capability', 'trusted.x', 'system.posix_acl_default', 'security.selinux', 'user.', 'user', '',
                      'User.a', ACL + 'x', 'system.nfs4_acl'):
            bodies['named ' + other] = made({other: LIST})
        for words, value in {
                'empty': b'', 'version': b'\x03' + LIST[1:], 'cut': LIST[:-1], 'only a version': LIST[:4],
                'no owner': LIST[:4] + LIST[12:], 'no others': LIST[:-8], 'rights': access_list(6, 8, 4), 'no mask': access_list(
                    6, 6, 4, users=[(1, 4)]), 'tag': LIST + struct.pack('<HHI', 64, 4, 0), 'twice': LIST + LIST[-8:],
                'order': LIST[:4] + LIST[12:20] + LIST[4:12] + LIST[20:], 'no tag': LIST[:4] + bytes(8) + LIST[4:],
                'wider than the mode': access_list(6, 6, 6), 'narrower': access_list(6, 0, 0)}.items():
            bodies['list: ' + words] = made({ACL: value})
        head = containers.file_section(b'a.f32', len(DATA), flags=1, mode=0o664)
        array = containers.array_section(1, [300], 1200)
        chunk = containers.store_chunk(0, 0, DATA)

        def write(*sections):
            with open('bad.fpgz', 'wb') as file:
                file.write(containers.member(list(sections)))

        def section(body, head=b''):
            return containers.Section(XATTRS, head, body)

        write(head, section(good), array, chunk)
        self.run('-d', '-o', 'good', 'bad.fpgz')
        self.has('good', {ACL: LIST, 'user.a': b'a'}, 0o664)
        cases = {words: (head, section(body), array, chunk) for words, body in bodies.items()}
        cases['place'] = head, array, section(good), chunk
        cases['place behind chunks'] = head, array, chunk, section(good)
        cases['two'] = head, section(good), section(good), array, chunk
        cases['head'] = head, section(good, b'1234'), array, chunk
        cases['a list without a mode'] = containers.file_section(b'a.f32', len(DATA)), section(good), array, chunk
        for words, sections in cases.items():
            write(*sections)
            for options in ['-t'], ['-d', '-o', 'none'], ['-lv'], ['-lv', '--json']:
                result = self.run(*options, 'bad.fpgz', status=1)
                expect(b'extended attributes' in result.stderr or b'access list' in result.stderr, words, options, result.stderr)
                expect(not os.path.exists('none'), words, 'left an output')
            self.run('--recover', '-f', '-o', 'b.f32', 'bad.fpgz', status=2)
            if 'two' not in words:
                self.has('b.f32', {}, None if words == 'a list without a mode' else 0o600)


def made(attributes):
    """The body of a section."""
    return b''.join(struct.pack('<H', len(name)) + name + struct.pack('<I', len(value)) + value for name, value in
                    sorted((name.encode(errors='surrogateescape'), value) for name, value in attributes.items()))


def everything():
    os.mkdir('real')
    os.chdir('real')
    test = Test(FPGZ, Real())
    if can('user.a', b'a', 0o640):
        test.users()
        test.damaged()
        test.batch()
        test.clean()
    if can(ACL, LIST, 0o664):
        test.rights()
        test.groups()
        test.inherited()
    os.chdir('..')
    os.mkdir('played')
    os.chdir('played')
    test = Test(FPGZ, Played(STORE))
    test.source('a.f32', {'user.a': b'a'})
    if b'user.a' not in test.run('-c', 'a.f32').stdout:
        print('skipped: the command does not take preloaded libraries')
        return
    for part in (test.users, test.refused, test.rights, test.groups, test.limits, test.batch, test.removal, test.damaged,
                 test.hostile):
        part()
        test.clean()


run_in_scratch(everything)
