# SPDX-License-Identifier: Apache-2.0
"""Verifies signatures, weak ones too, and names their weaknesses."""
import functools
import hashlib

from asn1crypto import algos, keys
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, padding, rsa

HASHES = {"md5": hashes.MD5(), "sha1": hashes.SHA1(), "sha224": hashes.SHA224(), "sha256": hashes.SHA256(),
          "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}
PREFIXES = {"md5": "3020300c06082a864886f70d020505000410", "sha1": "3021300906052b0e03021a05000414",
            "sha224": "302d300d06096086480165030402040500041c", "sha256": "3031300d060960864801650304020105000420",
            "sha384": "3041300d060960864801650304020205000430", "sha512": "3051300d060960864801650304020305000440"}


@functools.lru_cache(4096)
def verified(key_info, algorithm, data, signature):
    """The weaknesses of a signature that verifies (a frozenset, empty for a strong one), or None if it doesn't verify."""
    try:
        identifier = algos.SignedDigestAlgorithm.load(algorithm)
        kind, digest = identifier.signature_algo, None
        if kind not in ("ed25519", "ed448"):
            digest = identifier.hash_algo
        return verify(keys.PublicKeyInfo.load(key_info), key_info, identifier, kind, digest, data, signature)
    except (ValueError, TypeError, KeyError, InvalidSignature, UnsupportedAlgorithm):
        return None


def verify(info, key_info, identifier, kind, digest, data, signature):
    """Verifies by the kind of algorithm. Raises InvalidSignature or returns the weaknesses."""
    weak = set()
    if digest in ("md5", "sha1", "sha224"):
        weak.add(digest)
    if kind in ("rsassa_pkcs1v15", "rsassa_pss"):
        if info.algorithm not in ("rsa", "rsassa_pss"):
            return None
        bits = rsa_bits(info)
        if bits < 2048:
            weak.add("short key")
        if bits > 8192:
            weak.add("long key")
        if kind == "rsassa_pkcs1v15":
            rsa_verify(info, digest, data, signature)
        else:
            pss_verify(key_info, identifier, data, signature)
        return frozenset(weak)
    key = serialization.load_der_public_key(key_info)
    if kind == "ecdsa" and isinstance(key, ec.EllipticCurvePublicKey):
        key.verify(signature, data, ec.ECDSA(HASHES[digest]))
        if key.curve.name not in ("secp256r1", "secp384r1", "secp521r1"):
            weak.add("curve")
        if identifier["parameters"].native is None and len(identifier.dump()) > 4 + len(identifier["algorithm"].contents):
            weak.add("null parameters")
        return frozenset(weak)
    if kind == "dsa" and isinstance(key, dsa.DSAPublicKey):
        key.verify(signature, data, HASHES[digest])
        return frozenset(weak | {"dsa"})
    if kind == "ed25519" and isinstance(key, ed25519.Ed25519PublicKey):
        key.verify(signature, data)
        return frozenset(weak)
    return None


def rsa_numbers(info):
    """Modulus and exponent."""
    key = info["public_key"].parsed
    return key["modulus"].native, key["public_exponent"].native


def rsa_bits(info):
    """The size of the modulus in bits."""
    return rsa_numbers(info)[0].bit_length()


def rsa_verify(info, digest, data, signature):
    """RSASSA-PKCS1-v1_5 (RFC 8017 § 8.2.2) for each size of key and each digest."""
    modulus, exponent = rsa_numbers(info)
    size = (modulus.bit_length() + 7) // 8
    tail = bytes.fromhex(PREFIXES[digest]) + hashlib.new(digest, data).digest()
    expected = b"\x00\x01" + b"\xff" * (size - 3 - len(tail)) + b"\x00" + tail
    number = int.from_bytes(signature, "big")
    if len(signature) != size or number >= modulus or pow(number, exponent, modulus).to_bytes(size, "big") != expected:
        raise InvalidSignature


def pss_verify(key_info, identifier, data, signature):
    """RSASSA-PSS (RFC 4055 § 3.1)."""
    key = serialization.load_der_public_key(key_info)
    if not isinstance(key, rsa.RSAPublicKey):
        raise InvalidSignature
    fields = identifier["parameters"]
    digest = HASHES[fields["hash_algorithm"]["algorithm"].native]
    mask = HASHES[fields["mask_gen_algorithm"]["parameters"]["algorithm"].native]
    key.verify(signature, data, padding.PSS(padding.MGF1(mask), fields["salt_length"].native), digest)


def power(weaknesses, reading):
    """What a verified signature can do: "vouches", "accuses" (its bad news counts) or None.

    The contract: SHA-1 and short RSA keys are too weak to vouch, and their "revoked" still counts.
    """
    if weaknesses & {"md5", "dsa", "curve", "long key"}:
        return "accuses" if reading.ask("bad news by MD5, DSA, other curves or longer RSA keys counts") else None
    if weaknesses & {"sha1", "short key"}:
        return "accuses"
    if "sha224" in weaknesses and not reading.ask("SHA-224 vouches"):
        return "accuses"
    if "null parameters" in weaknesses and not reading.ask("ECDSA with NULL parameters vouches"):
        return "accuses"
    return "vouches"
