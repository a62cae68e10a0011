# SPDX-License-Identifier: Apache-2.0
"""The few fields of a certificate that lists of denied certificates name, as bytes."""
import collections
import functools
import hashlib

Fields = collections.namedtuple("Fields", "digest issuer subject serial key")


def element(data, position):
    """Where an element's contents begin and where it ends."""
    length, start = data[position + 1], position + 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(data[position + 2 : start], "big")
    return start, start + length


@functools.lru_cache(maxsize=4096)
def read(data):
    """Reads a certificate in DER; its key is the SHA-256 of the SubjectPublicKeyInfo."""
    position, _ = element(data, 0)
    position, _ = element(data, position)
    if data[position] == 0xA0:
        _, position = element(data, position)
    parts = []
    for _ in range(6):
        start, end = element(data, position)
        parts.append(data[position:end])
        position = end
    serial, _, issuer, _, subject, key = parts
    start, end = element(serial, 0)
    number = int.from_bytes(serial[start:end], "big", signed=True)
    return Fields(hashlib.sha256(data).digest(), issuer, subject, number, hashlib.sha256(key).digest())
