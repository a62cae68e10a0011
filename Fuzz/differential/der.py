# SPDX-License-Identifier: Apache-2.0
"""Writes DER, and data that is almost DER. Every function returns bytes without checks."""
import functools


def tlv(tag, *contents):
    body = b"".join(contents)
    count = len(body)
    if count < 128:
        return bytes((tag, count)) + body
    length = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(length))) + length + body


def long_form(element):
    """Returns the same element with its length in one byte more than necessary (BER, not DER)."""
    if element[1] < 128:
        return element[:1] + bytes((0x81, element[1])) + element[2:]
    return element[:1] + bytes((element[1] + 1, 0)) + element[2:]


def indefinite(element):
    """Returns the same element with indefinite length (BER, not DER)."""
    header = 2 if element[1] < 128 else 2 + (element[1] & 0x7F)
    return element[:1] + b"\x80" + element[header:] + b"\x00\x00"


def sequence(*members):
    return tlv(0x30, *members)


def set_of(*members):
    return tlv(0x31, *sorted(members))


def integer(number):
    return tlv(2, number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True))


@functools.lru_cache(maxsize=None)
def oid(text):
    arcs = [int(arc) for arc in text.split(".")]
    arcs[:2] = [arcs[0] * 40 + arcs[1]]
    body = bytearray()
    for arc in arcs:
        group = [arc & 0x7F]
        while arc := arc >> 7:
            group.append(arc & 0x7F | 0x80)
        body += bytes(reversed(group))
    return tlv(6, bytes(body))


def octets(*contents):
    return tlv(4, *contents)


def bits(contents, unused=0):
    return tlv(3, bytes((unused,)), contents)


def named_bits(*numbers):
    """Encodes a BIT STRING with these bits set, without trailing zeros."""
    if not numbers:
        return bits(b"")
    value = bytearray(max(numbers) // 8 + 1)
    for number in numbers:
        value[number // 8] |= 0x80 >> number % 8
    return bits(bytes(value), 7 - max(numbers) % 8)


def boolean(value):
    return b"\x01\x01\xff" if value else b"\x01\x01\x00"


NULL = b"\x05\x00"
TAGS = {"utf8": 0x0C, "printable": 0x13, "teletex": 0x14, "ia5": 0x16, "universal": 0x1C, "bmp": 0x1E}


def string(text, form="utf8"):
    encoding = {"bmp": "utf-16-be", "universal": "utf-32-be", "teletex": "latin-1"}.get(form, "utf-8")
    return tlv(TAGS[form], text.encode(encoding))


def utc_time(moment):
    return tlv(0x17, moment.strftime("%y%m%d%H%M%SZ").encode())


def generalized_time(moment):
    return tlv(0x18, f"{moment.year:04}{moment:%m%d%H%M%S}Z".encode())


def time(moment):
    """Encodes a date as RFC 5280 § 4.1.2.5 requires."""
    return utc_time(moment) if 1950 <= moment.year < 2050 else generalized_time(moment)


def attribute(kind, value):
    return sequence(oid(kind), value)


CN, O, OU, C, EMAIL = "2.5.4.3", "2.5.4.10", "2.5.4.11", "2.5.4.6", "1.2.840.113549.1.9.1"


def name(*attributes):
    """Encodes a name of (type, text or encoded value) pairs, each in its own set."""
    return sequence(
        *(set_of(attribute(kind, string(value) if isinstance(value, str) else value)) for kind, value in attributes)
    )
