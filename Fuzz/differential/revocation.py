# SPDX-License-Identifier: Apache-2.0
"""Writes CRLs (RFC 5280 § 5) and OCSP responses (RFC 6960 § 4.2)."""
import datetime
import functools
import hashlib

from cryptography import x509

import der
from chain import AKI, NOW, signatures

OCSP_SIGNING, NO_CHECK = "1.3.6.1.5.5.7.3.9", "1.3.6.1.5.5.7.48.1.5"
BASIC_RESPONSE, CRL_NUMBER, REASON = "1.3.6.1.5.5.7.48.1.1", "2.5.29.20", "2.5.29.21"
SHA1 = der.sequence(der.oid("1.3.14.3.2.26"), der.NULL)
REVOKED_AT = NOW - datetime.timedelta(days=25)


def signed(key, scheme, body, broken):
    """Returns the algorithm and the signature of `body(algorithm)`, with the last bit flipped if it must be wrong."""
    scheme = scheme or key.default_scheme()
    algorithm = key.algorithm(scheme)
    message = body(algorithm)
    known = (id(key), scheme, message)
    if known not in signatures:
        signatures[known] = key.sign(message, scheme)
    signature = signatures[known]
    if broken:
        signature = signature[:-1] + bytes((signature[-1] ^ 1,))
    return message, algorithm, der.bits(signature)


def crl(issuer, key, serials, dates, signer=None, scheme=None, reason=None, broken=False):
    """Creates a complete CRL of `issuer`, signed by `key` or by another signer under this issuer's name. `serials` are encoded integers."""
    this, following = dates
    extensions = der.sequence(
        der.sequence(der.oid(AKI), der.octets(der.sequence(der.tlv(0x80, key.identifier)))),
        der.sequence(der.oid(CRL_NUMBER), der.octets(der.integer(int(this.timestamp())))),
    )
    code = b"" if reason is None else der.sequence(der.sequence(der.oid(REASON), der.octets(der.tlv(0x0A, bytes((reason,))))))
    entries = [der.sequence(serial, der.time(REVOKED_AT), code) for serial in serials]
    revoked = der.sequence(*entries) if entries else b""
    body = lambda algorithm: der.sequence(
        der.integer(1), algorithm, issuer, der.time(this), der.time(following), revoked, der.tlv(0xA0, extensions)
    )
    return der.sequence(*signed(signer or key, scheme, body, broken))


@functools.lru_cache(maxsize=None)
def key_hash(key):
    """Returns the SHA-1 of the key's bits, without the bit string's header (RFC 6960 § 4.1.1)."""
    return x509.SubjectKeyIdentifier.from_public_key(key.private.public_key()).digest


def ocsp(issuer, key, serial, revoked, dates, signer=None, delegate=None, scheme=None, broken=False):
    """Creates a response about one certificate of `issuer`, signed by the issuer's key, another signer, or a delegate with its certificate."""
    this, following = dates
    identifier = der.sequence(SHA1, der.octets(hashlib.sha1(issuer).digest()), der.octets(key_hash(key)), serial)
    status = der.tlv(0xA1, der.generalized_time(REVOKED_AT)) if revoked else b"\x80\x00"
    single = der.sequence(identifier, status, der.generalized_time(this), der.tlv(0xA0, der.generalized_time(following)))
    responder = der.tlv(0xA1, delegate.subject) if delegate else der.tlv(0xA2, der.octets(key_hash(key)))
    body = lambda _: der.sequence(responder, der.generalized_time(this), der.sequence(single))
    parts = signed(signer or (delegate.key if delegate else key), scheme, body, broken)
    certificates = der.tlv(0xA0, der.sequence(delegate.der())) if delegate else b""
    basic = der.sequence(*parts, certificates)
    return der.sequence(b"\x0a\x01\x00", der.tlv(0xA0, der.sequence(der.oid(BASIC_RESPONSE), der.octets(basic))))
