# SPDX-License-Identifier: Apache-2.0
"""Signatures and public keys: RFC 5280 § 6.1.3 (a)(1), § 4.1.1.2, § 4.1.2.7, and the algorithms that the profiles refuse."""
import functools

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import load_der_public_key

import path_der as der

RSA, EC, ED25519, PSS, MGF1 = ("1.2.840.113549.1.1.1", "1.2.840.10045.2.1", "1.3.101.112", "1.2.840.113549.1.1.10",
                               "1.2.840.113549.1.1.8")
CURVES = {"1.2.840.10045.3.1.7": "P-256", "1.3.132.0.34": "P-384", "1.3.132.0.35": "P-521"}
HASHES = {"2.16.840.1.101.3.4.2.4": hashes.SHA224, "2.16.840.1.101.3.4.2.1": hashes.SHA256,
          "2.16.840.1.101.3.4.2.2": hashes.SHA384, "2.16.840.1.101.3.4.2.3": hashes.SHA512}
PKCS1 = {"1.2.840.113549.1.1.14": hashes.SHA224, "1.2.840.113549.1.1.11": hashes.SHA256,
         "1.2.840.113549.1.1.12": hashes.SHA384, "1.2.840.113549.1.1.13": hashes.SHA512}
ECDSA = {"1.2.840.10045.4.3.1": hashes.SHA224, "1.2.840.10045.4.3.2": hashes.SHA256,
         "1.2.840.10045.4.3.3": hashes.SHA384, "1.2.840.10045.4.3.4": hashes.SHA512}
NULL = b"\x05\x00"


def hash_of(data, one):
    """The hash algorithm of an AlgorithmIdentifier: parameters are absent or NULL (RFC 4055 § 2.1)."""
    fields = der.children(data, one)
    if not fields or len(fields) > 2 or len(fields) == 2 and der.encoding(data, fields[1]) != NULL:
        raise der.Malformed("hash algorithm")
    kind = HASHES.get(der.oid(data, fields[0]))
    if kind is None:
        raise der.Malformed("hash algorithm refused")
    return kind()


def pss_parameters(data):
    """RSASSA-PSS-params (RFC 4055 § 3.1): (hash, hash of MGF1, salt length). The defaults are SHA-1, which is refused."""
    if data is None:
        raise der.Malformed("RSASSA-PSS without parameters")
    fields = {one[0]: der.elements(data, one[2], one[3]) for one in der.children(data, der.whole(data, der.SEQUENCE))}
    if not set(fields) <= {0xA0, 0xA1, 0xA2, 0xA3} or any(len(inner) != 1 for inner in fields.values()):
        raise der.Malformed("RSASSA-PSS-params")
    if 0xA0 not in fields or 0xA1 not in fields:
        raise der.Malformed("SHA-1 by default")
    mask = der.children(data, fields[0xA1][0])
    if len(mask) != 2 or der.oid(data, mask[0]) != MGF1:
        raise der.Malformed("mask generation")
    salt = der.natural(data, fields[0xA2][0]) if 0xA2 in fields else 20
    if 0xA3 in fields:
        raise der.Malformed("trailer field: the default isn't encoded")
    return hash_of(data, fields[0xA0][0]), hash_of(data, mask[1]), salt


@functools.lru_cache(maxsize=8192)
def algorithm_problem(certificate, profile):
    """Why the profile refuses the signature algorithm, or None. § 4.1.1.2: both algorithm identifiers are the same."""
    algorithm = certificate.outer_algorithm
    if certificate.inner_algorithm.encoding != algorithm.encoding:
        return "differs between tbsCertificate and the outside"
    if algorithm.oid in PKCS1:
        return None if algorithm.parameters in (None, NULL) else "parameters"
    if algorithm.oid in ECDSA:
        allowed = (None,) if profile == "webPKI" else (None, NULL)
        return None if algorithm.parameters in allowed else "parameters"
    if algorithm.oid == ED25519:
        return None if algorithm.parameters is None else "parameters"
    if algorithm.oid == PSS:
        try:
            pss_parameters(algorithm.parameters)
        except der.Malformed as error:
            return str(error)
        return None
    return f"algorithm {algorithm.oid}"


@functools.lru_cache(maxsize=4096)
def load(spki):
    """The public key, or None if the library can't read it."""
    try:
        return load_der_public_key(spki)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None


@functools.lru_cache(maxsize=65536)
def verified(spki, digest, tbs, signature, oid, parameters):
    """Whether the key verifies the signature. `digest`, of the certificate, makes the cache's comparison short."""
    key = load(spki)
    try:
        if isinstance(key, rsa.RSAPublicKey) and oid in PKCS1:
            key.verify(signature, tbs, padding.PKCS1v15(), PKCS1[oid]())
        elif isinstance(key, rsa.RSAPublicKey) and oid == PSS:
            digest_kind, mask, salt = pss_parameters(parameters)
            key.verify(signature, tbs, padding.PSS(padding.MGF1(mask), salt), digest_kind)
        elif isinstance(key, ec.EllipticCurvePublicKey) and oid in ECDSA:
            key.verify(signature, tbs, ec.ECDSA(ECDSA[oid]()))
        elif isinstance(key, ed25519.Ed25519PublicKey) and oid == ED25519:
            key.verify(signature, tbs)
        else:
            return False
    except (InvalidSignature, ValueError, UnsupportedAlgorithm):
        return False
    return True


@functools.lru_cache(maxsize=8192)
def signed_by(certificate, issuer):
    """§ 6.1.3 (a)(1). The outer algorithm counts; `algorithm_problem` compares it with the inner one."""
    algorithm = certificate.outer_algorithm
    return certificate.signature_unused == 0 and verified(
        issuer.spki, certificate.digest, certificate.tbs, certificate.signature, algorithm.oid, algorithm.parameters)


def rsa_bits(certificate):
    """The modulus' size, or None without an RSAPublicKey (RFC 3279 § 2.3.1)."""
    try:
        fields = der.children(certificate.key, der.whole(certificate.key, der.SEQUENCE))
        modulus, _ = (der.natural(certificate.key, field) for field in fields)
    except ValueError:
        return None
    return modulus.bit_length()


@functools.lru_cache(maxsize=8192)
def key_problem(certificate, is_leaf, profile):
    """Why the profile refuses the public key, or None. Under rfc5280 the leaf's key verifies nothing: only its size counts."""
    strict = not is_leaf or profile == "webPKI"
    algorithm = certificate.key_algorithm
    if algorithm.oid == RSA:
        bits = rsa_bits(certificate)
        if bits is not None and not 2048 <= bits <= 8192:
            return f"RSA with {bits} bits"
        if strict and algorithm.parameters != NULL:
            return "RSA parameters"
    elif algorithm.oid == EC:
        try:
            curve = der.oid(algorithm.parameters or b"", der.whole(algorithm.parameters or b"", der.OID))
        except der.Malformed:
            return "curve isn't named"
        if curve not in CURVES:
            return f"curve {curve}"
    elif algorithm.oid == ED25519:
        if strict and algorithm.parameters is not None:
            return "Ed25519 parameters"
    elif strict:
        return f"key algorithm {algorithm.oid}"
    if strict and (certificate.key_unused or load(certificate.spki) is None):
        return "malformed key"
    return None
