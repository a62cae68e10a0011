# SPDX-License-Identifier: Apache-2.0
"""Checks the encoding rules of X.690 § 10 and § 11 that a tolerant parser ignores."""
import re


def is_strict(octets):
    """Whether the octets are exactly one DER element: minimal lengths, no rest, canonical BOOLEAN and INTEGER."""
    try:
        return element(octets, 0, 0) == len(octets)
    except (IndexError, ValueError):
        return False


def element(octets, at, depth):
    """Reads one element and returns the offset after it. Raises ValueError for invalid DER."""
    if depth > 40:
        raise ValueError("too deep")
    tag = octets[at]
    at += 1
    if tag & 0x1F == 0x1F:
        raise ValueError("high tag number")
    length = octets[at]
    at += 1
    if length & 0x80:
        size = length & 0x7F
        if size == 0 or size > 4 or octets[at] == 0:
            raise ValueError("length form")
        length = int.from_bytes(octets[at:at + size], "big")
        at += size
        if length < 128:
            raise ValueError("length not minimal")
    end = at + length
    if end > len(octets):
        raise ValueError("cut off")
    if tag & 0x20:
        while at < end:
            at = element(octets, at, depth + 1)
        if at != end:
            raise ValueError("inner length")
    else:
        check_primitive(tag, octets[at:end])
    return end


def check_primitive(tag, value):
    """The value rules of X.690 § 8 and § 11, and the times of RFC 5280 § 4.1.2.5."""
    if tag == 1 and value not in (b"\x00", b"\xff"):
        raise ValueError("boolean")
    if tag in (2, 10):
        if not value:
            raise ValueError("empty integer")
        if len(value) > 1 and (value[0] == 0 and value[1] < 128 or value[0] == 255 and value[1] > 127):
            raise ValueError("integer not minimal")
    if tag in (0x17, 0x18) and not re.fullmatch(rb"\d{12}Z" if tag == 0x17 else rb"\d{14}Z", value):
        raise ValueError("time")
    if tag == 5 and value:
        raise ValueError("null")
    if tag == 3 and (not value or value[0] > 7 or len(value) == 1 and value[0]):
        raise ValueError("bit string")
    if tag == 3 and len(value) > 1 and value[-1] & ((1 << value[0]) - 1):
        raise ValueError("unused bits")
    if tag in (0x10, 0x11):
        raise ValueError("primitive sequence")
