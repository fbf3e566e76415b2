# SPDX-License-Identifier: MIT
"""XXH3, 64 bits, seed 0, the default secret: slow, and after the specification of the xxHash project."""
import struct

SECRET = bytes.fromhex('''
    b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221
    b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8
    a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb
    170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e''')
MASK = 2**64 - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5

STRIPE = 64
STRIPES = (len(SECRET) - STRIPE) // 8   # in a block; each takes the secret from 8 bytes further on
BLOCK = STRIPE * STRIPES
STRIPE_SECRETS = [struct.unpack_from('<8Q', SECRET, 8 * i) for i in range(STRIPES)]
SCRAMBLE_SECRET = struct.unpack_from('<8Q', SECRET, len(SECRET) - STRIPE)
LAST_SECRET = struct.unpack_from('<8Q', SECRET, len(SECRET) - STRIPE - 7)


def read32(data, at):
    return int.from_bytes(data[at:at + 4], 'little')


def read64(data, at):
    return int.from_bytes(data[at:at + 8], 'little')


def rotate(value, bits):
    return (value << bits | value >> 64 - bits) & MASK


def fold(a, b):
    product = a * b
    return product & MASK ^ product >> 64


def avalanche_xxh64(value):
    value = (value ^ value >> 33) * P64_2 & MASK
    value = (value ^ value >> 29) * P64_3 & MASK
    return value ^ value >> 32


def avalanche(value):
    value = (value ^ value >> 37) * 0x165667919E3779F9 & MASK
    return value ^ value >> 32


def mix16(data, at, secret):
    return fold(read64(data, at) ^ read64(SECRET, secret), read64(data, at + 8) ^ read64(SECRET, secret + 8))


def up_to_16(data):
    n = len(data)
    if n > 8:
        low = read64(data, 0) ^ read64(SECRET, 24) ^ read64(SECRET, 32)
        high = read64(data, n - 8) ^ read64(SECRET, 40) ^ read64(SECRET, 48)
        swapped = int.from_bytes(low.to_bytes(8, 'little'), 'big')
        return avalanche(n + swapped + high + fold(low, high) & MASK)
    if n > 3:
        value = read32(data, 0) << 32 | read32(data, n - 4)
        value ^= read64(SECRET, 8) ^ read64(SECRET, 16)
        value ^= rotate(value, 49) ^ rotate(value, 24)
        value = value * 0x9FB21C651E98DF25 & MASK
        value = (value ^ (value >> 35) + n) * 0x9FB21C651E98DF25 & MASK
        return value ^ value >> 28
    if n:
        value = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return avalanche_xxh64(value ^ read32(SECRET, 0) ^ read32(SECRET, 4))
    return avalanche_xxh64(read64(SECRET, 56) ^ read64(SECRET, 64))


def up_to_240(data):
    n = len(data)
    value = n * P64_1
    if n <= 128:
        for i in range((n + 31) // 32):
            value += mix16(data, 16 * i, 32 * i) + mix16(data, n - 16 * (i + 1), 32 * i + 16)
        return avalanche(value & MASK)
    for i in range(8):
        value += mix16(data, 16 * i, 16 * i)
    value = avalanche(value & MASK)
    for i in range(8, n // 16):
        value += mix16(data, 16 * i, 16 * (i - 8) + 3)
    return avalanche(value + mix16(data, n - 16, 136 - 17) & MASK)


def accumulate(lanes, data, at, secret):
    words = struct.unpack_from('<8Q', data, at)
    for i, word in enumerate(words):
        key = word ^ secret[i]
        lanes[i] = lanes[i] + words[i ^ 1] + (key & 0xFFFFFFFF) * (key >> 32) & MASK


def long_input(data):
    n = len(data)
    lanes = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]
    # The last stripe always ends with the data, and may overlap the one before.
    for i in range((n - 1) // STRIPE):
        accumulate(lanes, data, STRIPE * i, STRIPE_SECRETS[i % STRIPES])
        if i % STRIPES == STRIPES - 1:
            lanes = [(lane ^ lane >> 47 ^ secret) * P32_1 & MASK for lane, secret in zip(lanes, SCRAMBLE_SECRET)]
    accumulate(lanes, data, n - STRIPE, LAST_SECRET)
    value = n * P64_1
    for i in range(4):
        value += fold(lanes[2 * i] ^ read64(SECRET, 11 + 16 * i), lanes[2 * i + 1] ^ read64(SECRET, 19 + 16 * i))
    return avalanche(value & MASK)


def xxh3(data):
    return (up_to_16 if len(data) <= 16 else up_to_240 if len(data) <= 240 else long_input)(data)
