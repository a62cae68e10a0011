# SPDX-License-Identifier: Apache-2.0
"""A small strict DER reader (X.690), for the fields that RFC 5280 gives a certificate.

An element is the tuple (tag, start, content, end): its identifier octet and three offsets into one byte string.
Every function raises `Malformed` if the bytes break a rule of DER.
"""
import datetime
import functools

BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, NULL, OID = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
UTF8, NUMERIC, PRINTABLE, TELETEX, IA5, UTC_TIME, GENERALIZED_TIME = 0x0C, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18
VISIBLE, UNIVERSAL, BMP, SEQUENCE, SET = 0x1A, 0x1C, 0x1E, 0x30, 0x31

PRINTABLE_ALPHABET = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?")
NUMERIC_ALPHABET = frozenset(b"0123456789 ")


class Malformed(ValueError):
    """The bytes aren't DER of the expected syntax."""


def element(data, start, end):
    """The element at `start` (X.690 § 8.1, § 10.1: definite lengths in the fewest octets)."""
    if start + 2 > end:
        raise Malformed("cut off")
    tag = data[start]
    at = start + 1
    if tag & 0x1F == 0x1F:
        number = 0
        while True:
            if at >= end:
                raise Malformed("cut off in a tag")
            octet = data[at]
            at += 1
            if number == 0 and octet == 0x80:
                raise Malformed("tag not in the fewest octets")
            number = number << 7 | octet & 0x7F
            if octet < 0x80:
                break
        if number < 0x1F:
            raise Malformed("tag not in the fewest octets")
        tag |= number << 8
        if at >= end:
            raise Malformed("cut off")
    length = data[at]
    at += 1
    if length >= 0x80:
        octets = length & 0x7F
        if octets == 0 or octets > 4 or at + octets > end:
            raise Malformed("length")
        length = int.from_bytes(data[at:at + octets], "big")
        if length < 0x80 or length >> 8 * (octets - 1) == 0:
            raise Malformed("length not in the fewest octets")
        at += octets
    if at + length > end:
        raise Malformed("cut off")
    return tag, start, at, at + length


def elements(data, start, end):
    """The elements that fill the bytes from `start` to `end`."""
    found = []
    while start < end:
        one = element(data, start, end)
        found.append(one)
        start = one[3]
    return found


def whole(data, tag):
    """The only element of `data`, with the tag `tag` and without trailing bytes."""
    one = element(data, 0, len(data))
    if one[3] != len(data):
        raise Malformed("trailing bytes")
    return expect(one, tag)


def expect(one, tag):
    if one[0] != tag:
        raise Malformed(f"tag {one[0]:#x}, expected {tag:#x}")
    return one


def children(data, one, tag=SEQUENCE):
    """The elements inside a constructed element with the tag `tag`."""
    expect(one, tag)
    return elements(data, one[2], one[3])


def sequence_of(data, one, tag=SEQUENCE):
    """The elements of a SEQUENCE SIZE (1..MAX) OF."""
    found = children(data, one, tag)
    if not found:
        raise Malformed("empty SEQUENCE OF")
    return found


def content(data, one, tag):
    expect(one, tag)
    return data[one[2]:one[3]]


def encoding(data, one):
    return data[one[1]:one[3]]


def boolean(data, one, tag=BOOLEAN):
    """X.690 § 11.1: TRUE is FF."""
    value = content(data, one, tag)
    if value not in (b"\x00", b"\xff"):
        raise Malformed("BOOLEAN")
    return value == b"\xff"


def integer(data, one, tag=INTEGER):
    """X.690 § 8.3.2: the fewest octets."""
    value = content(data, one, tag)
    if not value or len(value) > 1 and (value[0] == 0 and value[1] < 0x80 or value[0] == 0xFF and value[1] >= 0x80):
        raise Malformed("INTEGER")
    return int.from_bytes(value, "big", signed=True)


def natural(data, one, tag=INTEGER):
    """An INTEGER (0..MAX)."""
    value = integer(data, one, tag)
    if value < 0:
        raise Malformed("negative INTEGER")
    return value


def bit_string(data, one, tag=BIT_STRING):
    """(number of unused bits, octets); X.690 § 11.2.1: unused bits are zero."""
    value = content(data, one, tag)
    if not value or value[0] > 7 or len(value) == 1 and value[0] or value[-1] & (1 << value[0]) - 1 and len(value) > 1:
        raise Malformed("BIT STRING")
    return value[0], value[1:]


def named_bits(data, one, tag=BIT_STRING):
    """The numbers of the set bits; X.690 § 11.2.2: no trailing zero bits."""
    unused, octets = bit_string(data, one, tag)
    if octets and not octets[-1] >> unused & 1:
        raise Malformed("trailing zero bits")
    return frozenset(8 * i + bit for i, octet in enumerate(octets) for bit in range(8) if octet & 0x80 >> bit)


def oid(data, one, tag=OID):
    return dotted(content(data, one, tag))


@functools.lru_cache(maxsize=4096)
def dotted(value):
    """X.690 § 8.19: subidentifiers in the fewest octets."""
    if not value or value[-1] >= 0x80:
        raise Malformed("OBJECT IDENTIFIER")
    arcs, number, fresh = [], 0, True
    for octet in value:
        if fresh and octet == 0x80:
            raise Malformed("OBJECT IDENTIFIER")
        number = number << 7 | octet & 0x7F
        fresh = octet < 0x80
        if fresh:
            arcs.append(number)
            number = 0
    first = min(arcs[0] // 40, 2)
    return ".".join(map(str, [first, arcs[0] - 40 * first] + arcs[1:]))


def ia5(data, one, tag=IA5):
    value = content(data, one, tag)
    if not value.isascii():
        raise Malformed("IA5String")
    return value.decode("ascii")


@functools.lru_cache(maxsize=4096)
def moment(tag, value):
    """RFC 5280 § 4.1.2.5.1 and § 4.1.2.5.2: seconds and Z are given, no fraction. The answer is an integer YYYYMMDDHHMMSS."""
    if tag not in (UTC_TIME, GENERALIZED_TIME):
        raise Malformed("time")
    digits = value[:-1]
    if value[-1:] != b"Z" or not digits.isdigit() or len(digits) != (12 if tag == UTC_TIME else 14):
        raise Malformed("time")
    text = digits.decode("ascii")
    if tag == UTC_TIME:
        text = ("19" if text >= "50" else "20") + text
    try:
        datetime.datetime(int(text[:4]), int(text[4:6]), int(text[6:8]), int(text[8:10]), int(text[10:12]), int(text[12:14]))
    except ValueError as error:
        raise Malformed("time") from error
    return int(text)


def ascending(data, found):
    """X.690 § 11.6: the elements of a SET OF are in ascending order of their encodings."""
    encodings = [data[one[1]:one[3]] for one in found]
    longest = max(map(len, encodings), default=0)
    padded = [one.ljust(longest, b"\0") for one in encodings]
    if any(left > right for left, right in zip(padded, padded[1:])):
        raise Malformed("SET OF order")


def text(tag, value):
    """The characters of a string type with a known alphabet (X.680 § 41), or None for another type."""
    try:
        if tag == UTF8:
            return value.decode("utf-8")
        if tag == PRINTABLE:
            if not PRINTABLE_ALPHABET.issuperset(value):
                raise Malformed("PrintableString")
            return value.decode("ascii")
        if tag in (IA5, VISIBLE, NUMERIC):
            if tag == NUMERIC and not NUMERIC_ALPHABET.issuperset(value):
                raise Malformed("NumericString")
            return value.decode("ascii")
        if tag == BMP:
            found = value.decode("utf-16-be")
            if len(value) != 2 * len(found):
                raise Malformed("BMPString")
            return found
        if tag == UNIVERSAL:
            return value.decode("utf-32-be")
    except UnicodeDecodeError as error:
        raise Malformed("string") from error
    return None


def any_value(data, one, depth=0):
    """An ANY: checked as far as its universal tags tell its type."""
    tag = one[0]
    if depth > 32:
        raise Malformed("too deep")
    if tag & 0x20:
        if tag < 0x40 and tag not in (SEQUENCE, SET, 0x28, 0x2B, 0x2D):
            raise Malformed("constructed string")
        for child in elements(data, one[2], one[3]):
            any_value(data, child, depth + 1)
    elif tag < 0x40:
        if tag in (0, 0x10, 0x11):
            raise Malformed("primitive tag")
        if tag in CHECKS:
            CHECKS[tag](data, one)
        else:
            text(tag, data[one[2]:one[3]])


def null(data, one):
    if content(data, one, NULL):
        raise Malformed("NULL")


CHECKS = {BOOLEAN: boolean, INTEGER: integer, BIT_STRING: bit_string, NULL: null, OID: oid}
