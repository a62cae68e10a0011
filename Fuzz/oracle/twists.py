# SPDX-License-Identifier: Apache-2.0
"""Changes to one certificate of a graph. Each function takes the certificate, its graph and a source of randomness.

`BENIGN` changes almost always leave a good certificate good under both profiles. `MALIGN` changes make it invalid in its position.
Nothing depends on this, because the oracle decides. The two lists only keep graphs almost valid.
"""
import datetime

import der
from chain import *
from denied import KEY_NUMBERS, SERIALS

BENIGN, MALIGN = [], []
SECOND = datetime.timedelta(seconds=1)
PRIVATE = "1.3.6.1.4.1.99999.7"
EXAMPLE = "2.999.1"


def twist(table, weight=1):
    def add(function):
        table.extend([function] * weight)
        return function

    return add


def is_authority(one):
    return one.role != "leaf"


def days(r):
    return datetime.timedelta(days=r.randrange(1, 300))


@twist(BENIGN, 3)
def good_dates(one, graph, r):
    if r.random() < 0.5:
        one.not_before = der.time(r.choice([graph.now, moment("1951-01-01"), graph.now - days(r)]))
    else:
        one.not_after = der.time(r.choice([graph.now, moment("2051-05-05"), graph.now + days(r)]))


@twist(MALIGN, 5)
def bad_dates(one, graph, r):
    if r.random() < 0.6:
        one.not_after = der.time(graph.now - r.choice([SECOND, days(r)]))
    else:
        one.not_before = der.time(graph.now + r.choice([SECOND, days(r)]))


@twist(MALIGN, 3)
def bad_basic_constraints(one, graph, r):
    way = r.randrange(3)
    if way == 0:
        one.drop(BASIC)
    elif way == 1:
        one.set(BASIC, der.sequence(), True)
    else:
        one.set(BASIC, der.sequence(der.boolean(True), der.integer(r.randrange(2))), True)


@twist(BENIGN, 2)
def good_basic_constraints(one, graph, r):
    if is_authority(one):
        one.set(BASIC, der.sequence(der.boolean(True), der.integer(r.choice([3, 5, 100]))), r.choice([True, None]))
    else:
        one.set(BASIC, der.sequence(*([der.boolean(True)] if r.random() < 0.5 else [])), r.choice([True, None]))


@twist(MALIGN, 3)
def bad_key_usage(one, graph, r):
    bits = (0, 6) if is_authority(one) else r.choice([(1,), (5, 6), (3,)])
    one.set(USAGE, der.named_bits(*bits), r.choice([True, None]))


@twist(BENIGN, 2)
def good_key_usage(one, graph, r):
    if r.random() < 0.4:
        return one.drop(USAGE)
    bits = r.choice([(5,), (0, 5, 6), (5, 6, 7, 8)]) if is_authority(one) else r.choice([(0, 2), (2,), (4,), (0, 1, 8)])
    one.set(USAGE, der.named_bits(*bits), r.choice([True, None]))


@twist(MALIGN, 3)
def bad_purpose(one, graph, r):
    unasked = SERVER if graph.purpose == "clientAuth" else CLIENT
    some = r.choice([["1.3.6.1.5.5.7.3.4"], ["1.3.6.1.5.5.7.3.3", "1.3.6.1.5.5.7.3.9"], [unasked]])
    one.set(EKU, purposes(*some), r.choice([True, None]))


@twist(BENIGN, 2)
def good_purpose(one, graph, r):
    if r.random() < 0.2:
        return one.drop(EKU)
    some = r.choice([[SERVER, CLIENT], [ANY_PURPOSE], [CLIENT, ANY_PURPOSE], [CLIENT, SERVER]])
    one.set(EKU, purposes(*some), r.choice([True, None]))


@twist(MALIGN, 2)
def unknown_critical(one, graph, r):
    kind = r.choice([PRIVATE, PRIVATE, PRIVATE, EXAMPLE, EXAMPLE, EXAMPLE, "2.5.29.9"])
    country = der.sequence(der.sequence(der.oid("1.3.6.1.5.5.7.9.4"), der.set_of(der.string("XX", "printable"))))
    one.set(kind, country if kind == "2.5.29.9" else der.NULL, True)


@twist(BENIGN, 1)
def unknown_extension(one, graph, r):
    one.set(r.choice([PRIVATE, EXAMPLE]), r.choice([der.NULL, b"", b"rubbish"]), None)


@twist(MALIGN, 2)
def bad_version(one, graph, r):
    """Version 1 without extensions, which a version 1 anchor or leaf may be under one of the profiles, or version 2."""
    if r.random() < 0.75:
        one.version = b""
    else:
        one.version = der.tlv(0xA0, der.integer(1))
    one.extensions = None


@twist(MALIGN, 3)
def bad_signature(one, graph, r):
    """Flips a bit, signs by another key, or signs by a hash that is refused."""
    way = r.randrange(4)
    if way == 0:
        one.alter_signature = lambda value: value[:-1] + bytes((value[-1] ^ 1,))
    elif way == 1:
        one.signer = graph.key("p256", 690 + r.randrange(4))
    elif way == 2:
        one.scheme = "sha1"
    else:
        one.alter_tbs = lambda tbs: tbs
        one.outer_algorithm = der.sequence(der.oid("1.2.840.10045.4.3.3"))


@twist(BENIGN, 2)
def other_algorithm(one, graph, r):
    """Signs by another hash that is accepted. ECDSA with NULL parameters is a matter of the profile."""
    if r.random() < 0.15:
        algorithm = der.sequence(der.oid("1.2.840.10045.4.3.2"), der.NULL)
        one.scheme, one.inner_algorithm, one.outer_algorithm = "sha256", algorithm, algorithm
    else:
        one.scheme = r.choice(["sha256", "sha384", "sha512", "pss-sha256"])


@twist(MALIGN, 2)
def weak_key(one, graph, r):
    """A key that is too short or on another curve; those below are signed with it."""
    one.key = graph.key(*r.choice([("rsa1024", 0), ("rsa1024", 1), ("p224", 0), ("k256", 0)]))
    one.spki = one.key.spki
    if not is_authority(one) and r.random() < 0.5:
        # Keys that sign nothing: too long, with an unknown algorithm, or with an invalid point.
        one.spki = r.choice([rsa_of(8193, r), unknown_key(r), one.spki[:-1] + bytes((one.spki[-1] ^ 1,))])


def rsa_of(size, r):
    modulus = r.getrandbits(size) | 1 << size - 1 | 1
    key = der.sequence(der.integer(modulus), der.integer(65537))
    return der.sequence(der.sequence(der.oid("1.2.840.113549.1.1.1"), der.NULL), der.bits(key))


def unknown_key(r):
    return der.sequence(der.sequence(der.oid("2.999.2")), der.bits(r.randbytes(32)))


@twist(BENIGN, 2)
def other_key(one, graph, r):
    one.key = graph.key(*r.choice([("p384", 0), ("p384", 1), ("p521", 0), ("ed25519", 0), ("ed25519", 1), ("rsa2048", 0), ("rsa2048", 1)]))
    one.spki = rsa_of(r.choice([8192, 8191]), r) if not is_authority(one) and r.random() < 0.2 else one.key.spki


@twist(MALIGN, 2)
def denied(one, graph, r):
    """A serial number or a key that the block's lists may deny."""
    if r.random() < 0.6:
        one.serial = der.integer(r.choice(SERIALS))
    else:
        one.key = graph.key("p256", r.choice(KEY_NUMBERS))
        one.spki = one.key.spki


@twist(BENIGN, 4)
def misleading_identifier(one, graph, r):
    """Key identifiers are hints: none of these may change a verdict."""
    way = r.randrange(5)
    stranger = graph.key("p256", 690 + r.randrange(4)).identifier
    if way == 0:
        one.set(AKI, der.sequence(der.tlv(0x80, stranger)))
    elif way == 1:
        one.set(SKI, der.octets(stranger))
    elif way == 2:
        one.drop(r.choice([AKI, SKI]))
    elif way == 3:
        name = r.choice(graph.entities).name
        one.set(AKI, der.sequence(der.tlv(0xA1, der.tlv(0xA4, name)), der.tlv(0x82, b"\x01")))
    else:
        one.set(AKI, der.sequence())


@twist(BENIGN, 3)
def spelled_issuer(one, graph, r):
    """The issuer's name in another spelling that § 7.1 calls the same."""
    if one.parent is not None:
        one.issuer = r.choice(one.parent.entity.same)


@twist(MALIGN, 3)
def other_issuer(one, graph, r):
    """An issuer's name that looks the same and isn't."""
    if one.parent is not None:
        one.issuer = r.choice(one.parent.entity.others)


@twist(MALIGN, 2)
def not_der(one, graph, r):
    """A certificate that isn't DER of RFC 5280's syntax."""
    way = r.randrange(9)
    if way == 0:
        one.alter_whole = lambda whole: whole + b"\x00"
    elif way == 1:
        one.repeated = [one._extension(kind, *value) for kind, value in list((one.extensions or {}).items())[:1]]
    elif way == 2:
        one.alter_whole = der.indefinite
    elif way == 3:
        one.set(EKU, der.sequence())
    elif way == 4:
        one.set(POLICIES, der.sequence(*[der.sequence(der.oid(EXAMPLE))] * 2))
    elif way == 5:
        one.set(BASIC, der.sequence(der.tlv(1, b"\x01")), True)
    elif way == 6:
        one.set(SAN, der.sequence())
    elif way == 7:
        one.version = b""
    else:
        one.set(NAMES, der.sequence(der.tlv(0xA0, der.sequence(dns("example.com"), der.tlv(0x80, b"\x01")))), True)


@twist(MALIGN, 1)
def empty_name(one, graph, r):
    """A subject without attributes, which § 4.1.2.6 forbids for authorities."""
    one.subject = der.sequence()
    for child in graph.certificates:
        if child.parent is one and r.random() < 0.4:
            child.issuer = one.subject
    if not is_authority(one) and SAN in (one.extensions or {}):
        one.set(SAN, one.value(SAN), True)


def apply(table, one, graph, r):
    """Applies a change of a table, and returns its name."""
    function = r.choice(table)
    if one.extensions is None:
        return None
    function(one, graph, r)
    return f"{function.__name__}@{one.role}"
