# SPDX-License-Identifier: Apache-2.0
"""Parses the few fields of certificates and the Perl and Go text that the converters need. It checks nothing."""
from dataclasses import dataclass

SERVER_AUTH, CLIENT_AUTH, ANY_USAGE = "1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2", "2.5.29.37.0"


def element(data, start):
    """Returns the tag, start of the contents and end of the DER element at `start`."""
    length = data[start + 1]
    content = start + 2
    if length >= 0x80:
        count = length & 0x7F
        length = int.from_bytes(data[content:content + count], "big")
        content += count
    return data[start], content, content + length


def members(data, start, end):
    """Yields the tag, start, start of the contents and end of each element between `start` and `end`."""
    while start < end:
        tag, content, stop = element(data, start)
        yield tag, start, content, stop
        start = stop


def oid(body):
    """Returns an object identifier's contents in dotted form."""
    arcs, value = [], 0
    for byte in body:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            arcs.append(value)
            value = 0
    first = min(arcs[0] // 40, 2)
    return ".".join(map(str, [first, arcs[0] - 40 * first, *arcs[1:]]))


@dataclass(frozen=True)
class Fields:
    """Returns the fields of a DER certificate."""

    issuer: bytes
    subject: bytes
    key_algorithm: str
    signature_algorithm: str


def fields(der):
    _, content, _ = element(der, 0)
    _, content, end = element(der, content)
    parts = list(members(der, content, end))
    if parts[0][0] == 0xA0:
        parts = parts[1:]

    def algorithm(start):
        _, first, last = element(der, start)
        return oid(der[first:last])

    issuer, subject = (der[parts[index][1]:parts[index][3]] for index in (2, 4))
    return Fields(issuer, subject, algorithm(element(der, parts[5][2])[1]), algorithm(parts[1][2]))


def balanced(text, start, quotes="'\""):
    """Returns the index after the bracket that closes the one at `start`. Brackets in strings don't count."""
    depth, index = 0, start
    while index < len(text):
        char = text[index]
        if char in quotes:
            index += 1
            while text[index] != char:
                index += 2 if text[index] == "\\" and char != "`" else 1
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return index + 1
        index += 1
    raise SystemExit(f"no end of the bracket at {start}: {text[start:start + 60]!r}")
