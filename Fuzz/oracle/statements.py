# SPDX-License-Identifier: Apache-2.0
"""Writes valid and invalid CRLs (RFC 5280 § 5) and OCSP responses (RFC 6960 § 4.2) without checks."""
import dataclasses
import datetime
import functools
import hashlib

import der

NUMBER, REASON, DELTA, SCOPE, CERTIFICATE_ISSUER, AKI = "2.5.29.20", "2.5.29.21", "2.5.29.27", "2.5.29.28", "2.5.29.29", "2.5.29.35"
UNKNOWN = "1.3.6.1.4.1.99999.7"
HASH_OID = {"sha1": "1.3.14.3.2.26", "sha256": "2.16.840.1.101.3.4.2.1", "sha384": "2.16.840.1.101.3.4.2.2"}
signatures = {}


def extension(kind, value, critical=False):
    return der.sequence(der.oid(kind), der.boolean(True) if critical else b"", der.octets(value))


def uri(text):
    return der.tlv(0x86, text.encode())


def directory(name):
    return der.tlv(0xA4, name)


def enumerated(number):
    return der.tlv(0x0A, bytes((number,)))


def full_name(*names):
    """A DistributionPointName of the form fullName."""
    return der.tlv(0xA0, *names)


def relative_name(attribute):
    """A DistributionPointName of the form nameRelativeToCRLIssuer."""
    return der.tlv(0xA1, attribute)


def flags(tag, numbers):
    return bytes((tag,)) + der.named_bits(*numbers)[1:]


def point(name=None, reasons=None, issuers=()):
    """A DistributionPoint of a certificate."""
    return der.sequence(
        der.tlv(0xA0, name) if name else b"",
        flags(0x81, reasons) if reasons is not None else b"",
        der.tlv(0xA2, *(directory(one) for one in issuers)) if issuers else b"",
    )


def scope(name=None, user=False, authority=False, reasons=None, indirect=False, attribute=False):
    """The value of an IssuingDistributionPoint."""
    mark = lambda tag, value: bytes((tag, 1, 0xFF)) if value else b""
    return der.sequence(
        der.tlv(0xA0, name) if name else b"", mark(0x81, user), mark(0x82, authority),
        flags(0x83, reasons) if reasons is not None else b"", mark(0x84, indirect), mark(0x85, attribute),
    )  # fmt: skip


def signed(body, key, scheme=None, damaged=False):
    """The algorithm and the signature over `body`, as two elements."""
    scheme = scheme or key.default_scheme()
    known = (id(key), scheme, body)
    signature = signatures.get(known)
    if signature is None:
        if len(signatures) > 5_000:
            signatures.clear()
        signature = signatures[known] = key.sign(body, scheme)
    if damaged:
        signature = signature[:-1] + bytes((signature[-1] ^ 1,))
    return key.algorithm(scheme), der.bits(signature)


@dataclasses.dataclass
class Entry:
    serial: bytes
    date: datetime.datetime
    reason: int | None = None
    issuer: bytes | None = None
    unknown: bool = False

    def der(self):
        members = [
            extension(REASON, enumerated(self.reason)) if self.reason is not None else b"",
            extension(CERTIFICATE_ISSUER, der.sequence(directory(self.issuer)), True) if self.issuer else b"",
            extension(UNKNOWN, der.NULL, True) if self.unknown else b"",
        ]
        return der.sequence(self.serial, der.time(self.date), der.sequence(*members) if any(members) else b"")


def crl(key, issuer, this, next_, entries, number, base=None, scope=None, identifier=None, unknown=False, scheme=None, damaged=False):
    """A CRL. `scope` is the value of an IssuingDistributionPoint, `base` makes it a delta CRL."""
    members = [
        extension(AKI, der.sequence(der.tlv(0x80, identifier))) if identifier else b"",
        extension(NUMBER, der.integer(number)) if number is not None else b"",
        extension(DELTA, der.integer(base), True) if base is not None else b"",
        extension(SCOPE, scope, True) if scope else b"",
        extension(UNKNOWN, der.NULL, True) if unknown else b"",
    ]
    algorithm = key.algorithm(scheme or key.default_scheme())
    body = der.sequence(
        der.integer(1), algorithm, issuer, der.time(this), der.time(next_) if next_ else b"",
        der.sequence(*(entry.der() for entry in entries)) if entries else b"",
        der.tlv(0xA0, der.sequence(*members)) if any(members) else b"",
    )  # fmt: skip
    return der.sequence(body, *signed(body, key, scheme, damaged))


@functools.lru_cache(maxsize=256)
def key_bits(spki):
    """The contents of the subjectPublicKey, without the count of unused bits."""

    def element(start):
        size, header = spki[start + 1], 2
        if size > 127:
            header += size - 128
            size = int.from_bytes(spki[start + 2 : start + header], "big")
        return start + header, start + header + size

    inside, _ = element(0)
    _, after_algorithm = element(inside)
    start, end = element(after_algorithm)
    return spki[start + 1 : end]


@functools.lru_cache(maxsize=4096)
def digest(hash_, contents):
    return hashlib.new(hash_, contents).digest()


def certificate_id(hash_, issuer_name, issuer_spki, serial):
    return der.sequence(
        der.sequence(der.oid(HASH_OID[hash_]), der.NULL), der.octets(digest(hash_, issuer_name)),
        der.octets(digest(hash_, key_bits(issuer_spki))), serial,
    )  # fmt: skip


@dataclasses.dataclass
class Single:
    id: bytes
    status: str
    this: datetime.datetime
    next: datetime.datetime | None
    date: datetime.datetime | None = None
    reason: int | None = None
    unknown: bool = False

    def der(self):
        if self.status == "revoked":
            reason = der.tlv(0xA0, enumerated(self.reason)) if self.reason is not None else b""
            status = der.tlv(0xA1, der.generalized_time(self.date), reason)
        else:
            status = b"\x80\x00" if self.status == "good" else b"\x82\x00"
        return der.sequence(
            self.id, status, der.generalized_time(self.this), der.tlv(0xA0, der.generalized_time(self.next)) if self.next else b"",
            der.tlv(0xA1, der.sequence(extension(UNKNOWN, der.NULL, True))) if self.unknown else b"",
        )  # fmt: skip


def ocsp(key, name, produced, singles, by_key=False, certificates=(), unknown=False, scheme=None, damaged=False):
    """A successful response. The responder names itself by `name`, or by its key."""
    responder = der.tlv(0xA2, der.octets(digest("sha1", key_bits(key.spki)))) if by_key else der.tlv(0xA1, name)
    body = der.sequence(
        responder, der.generalized_time(produced), der.sequence(*(one.der() for one in singles)),
        der.tlv(0xA1, der.sequence(extension(UNKNOWN, der.NULL, True))) if unknown else b"",
    )  # fmt: skip
    basic = der.sequence(body, *signed(body, key, scheme, damaged), der.tlv(0xA0, der.sequence(*certificates)) if certificates else b"")
    return der.sequence(enumerated(0), der.tlv(0xA0, der.sequence(der.oid("1.3.6.1.5.5.7.48.1.1"), der.octets(basic))))


def ocsp_error(number):
    """A response without a status of a certificate: 1 malformedRequest, 2 internalError, 3 tryLater, 5 sigRequired, 6 unauthorized."""
    return der.sequence(enumerated(number))
