# SPDX-License-Identifier: Apache-2.0
"""Renews a request with current keys and signatures.

Old suites only have SHA-1 and 1024-bit RSA, which the command refuses before it checks anything else. This module replaces each key
of a request with a P-256 key (equal keys stay equal), and each valid signature with one by ECDSA and SHA-256. A wrong signature stays
wrong. Names, dates, identifiers and extensions keep their bytes, so that the request tests the same rule.
"""
import base64
import hashlib
import warnings
from dataclasses import replace

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.utils import CryptographyDeprecationWarning

ECDSA_SHA256 = bytes.fromhex("300a06082a8648ce3d040302")
ECDSA_SHA384 = bytes.fromhex("300a06082a8648ce3d040303")
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
WEAK = (hashes.SHA1, hashes.MD5)

# Old suites have serial numbers below zero.
warnings.simplefilter("ignore", CryptographyDeprecationWarning)


class Unchangeable(Exception):
    """A request that can't be renewed, for example because of an unsupported algorithm."""


def members(data):
    """Returns the members of a constructed DER element, each with its header."""
    def end(start):
        length, content = data[start + 1], start + 2
        if length >= 0x80:
            count = length & 0x7F
            length, content = int.from_bytes(data[content:content + count], "big"), content + count
        if content + length > len(data):
            raise Unchangeable("truncated")
        return content, content + length

    position, stop = end(0)
    found = []
    while position < stop:
        following = end(position)[1]
        found.append(data[position:following])
        position = following
    return found


def wrapped(tag, parts):
    content = b"".join(parts)
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


class Keys:
    """A new key for each old one."""

    def __init__(self):
        self.made = {}

    def of(self, identity):
        if identity not in self.made:
            number = int.from_bytes(hashlib.sha512(identity).digest(), "big") % (ORDER - 1) + 1
            self.made[identity] = ec.derive_private_key(number, ec.SECP256R1())
        return self.made[identity]

    def public(self, old):
        return self.of(old).public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def public_bytes(key):
    return key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def is_signed_by(parsed, der, key):
    """Whether a key's signature of a certificate or CRL is valid."""
    tbs, content = members(der)[0], parsed.signature
    try:
        algorithm = parsed.signature_hash_algorithm
        if algorithm is None or isinstance(algorithm, hashes.MD5):
            raise Unchangeable("signature algorithm")
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(content, tbs, parsed.signature_algorithm_parameters, algorithm)
        elif isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(content, tbs, ec.ECDSA(algorithm))
        else:
            raise Unchangeable("key algorithm")
    except InvalidSignature:
        return False
    except (TypeError, ValueError):
        return False
    return True


def renewed(case, suffix=" (new keys)"):
    """Returns the same case with new keys and signatures, or None if nothing in it is weak or something can't be renewed."""
    asked = case.request
    if asked.get("ocspResponses"):
        return None
    ders = {value: base64.b64decode(value) for name in ("chain", "intermediates", "anchors", "crls") for value in asked.get(name, [])}
    crls = set(asked.get("crls", []))
    try:
        parsed = {value: (x509.load_der_x509_crl if value in crls else x509.load_der_x509_certificate)(der) for value, der in ders.items()}
        if not any(is_weak(item) for item in parsed.values()):
            return None
        old_keys = {public_bytes(item.public_key()): item.public_key() for value, item in parsed.items() if value not in crls}
        keys = Keys()
        new = {value: base64.b64encode(again(der, parsed[value], old_keys, keys, value in crls)).decode() for value, der in ders.items()}
    except (ValueError, UnsupportedAlgorithm, Unchangeable, x509.InvalidVersion, IndexError):
        return None
    changed = {name: [new[value] for value in asked[name]] for name in ("chain", "intermediates", "anchors", "crls") if name in asked}
    return replace(case, name=case.name + suffix, request={**asked, **changed})


def is_weak(item):
    if isinstance(item.signature_hash_algorithm, WEAK):
        return True
    key = item.public_key() if isinstance(item, x509.Certificate) else None
    return isinstance(key, rsa.RSAPublicKey) and key.key_size < 2048


def again(der, parsed, old_keys, keys, is_crl):
    tbs, outer, _ = members(der)
    signer = next((spki for spki, key in old_keys.items() if is_signed_by(parsed, der, key)), None)
    fields = members(tbs)
    if is_crl:
        # version, signature, …: the version is absent in a version 1 list.
        fields[1 if fields[0][0] == 0x02 else 0] = ECDSA_SHA256
        inner = members(tbs)[1 if members(tbs)[0][0] == 0x02 else 0]
    else:
        first = 1 if fields[0][0] == 0xA0 else 0
        inner = fields[first + 1]
        fields[first + 1] = ECDSA_SHA256
        old = fields[first + 5]
        fields[first + 5] = keys.public(public_bytes(serialization.load_der_public_key(old)))
    signed = wrapped(0x30, fields)
    # An unknown signer: a CA that isn't in the request, or a wrong signature.
    key = keys.of(signer if signer is not None else b"unknown signer of " + der)
    signature = key.sign(signed, ec.ECDSA(hashes.SHA256()))
    return wrapped(0x30, [signed, ECDSA_SHA256 if inner == outer else ECDSA_SHA384, wrapped(0x03, [b"\x00", signature])])
