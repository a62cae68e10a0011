# SPDX-License-Identifier: Apache-2.0
"""Keys that are functions of the seed, and signatures that are functions of key and message if the algorithm allows it.

This module generates RSA keys itself, because a library would use its own randomness. The keys protect nothing.
"""
import functools
import hashlib
import random

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

import der

HASHES = {"sha1": hashes.SHA1(), "sha224": hashes.SHA224(), "sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512(), "md5": hashes.MD5()}
CURVES = {"p256": ec.SECP256R1, "p384": ec.SECP384R1, "p521": ec.SECP521R1, "p224": ec.SECP224R1, "k256": ec.SECP256K1}
try:
    ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
    DETERMINISTIC = {"deterministic_signing": True}
except Exception:
    # Chains are then the same except for their signatures.
    DETERMINISTIC = {}

RSA_OID = {"md5": "4", "sha1": "5", "sha224": "14", "sha256": "11", "sha384": "12", "sha512": "13"}
ECDSA_OID = {"sha1": "1.2.840.10045.4.1", "sha224": "1.2.840.10045.4.3.1", "sha256": "1.2.840.10045.4.3.2", "sha384": "1.2.840.10045.4.3.3", "sha512": "1.2.840.10045.4.3.4"}
SHA2_OID = {"sha1": "1.3.14.3.2.26", "sha256": "2.16.840.1.101.3.4.2.1", "sha384": "2.16.840.1.101.3.4.2.2", "sha512": "2.16.840.1.101.3.4.2.3"}
SALT = {"sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64}


class Key:
    """A private key with its SubjectPublicKeyInfo (which a rule under test may replace) and key identifier."""

    def __init__(self, private):
        self.private = private
        public = private.public_key()
        self.spki = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        self.identifier = hashlib.sha1(self.spki).digest()
        self.family = "rsa" if isinstance(private, rsa.RSAPrivateKey) else "ed25519" if isinstance(private, ed25519.Ed25519PrivateKey) else "ec"

    def default_scheme(self):
        if self.family != "ec":
            return "ed25519" if self.family == "ed25519" else "sha256"
        return {384: "sha384", 521: "sha512"}.get(self.private.curve.key_size, "sha256")

    def fits(self, scheme):
        return self.family == "rsa" or self.family == "ec" and scheme in ECDSA_OID

    def algorithm(self, scheme):
        """The AlgorithmIdentifier of a scheme: a hash, or "pss-" and a hash."""
        if self.family == "ed25519":
            return der.sequence(der.oid("1.3.101.112"))
        if scheme.startswith("pss-"):
            return pss_algorithm(scheme[4:])
        if self.family == "rsa":
            return der.sequence(der.oid("1.2.840.113549.1.1." + RSA_OID[scheme]), der.NULL)
        return der.sequence(der.oid(ECDSA_OID[scheme]))

    def sign(self, message, scheme):
        if self.family == "ed25519":
            return self.private.sign(message)
        if scheme.startswith("pss-"):
            hash_ = HASHES[scheme[4:]]
            if (self.private.key_size + 7) // 8 < hash_.digest_size + SALT[scheme[4:]] + 2:
                # Another mutation chose a key that is too small for the hash and its salt, so there is no valid signature.
                return self.private.sign(message, padding.PKCS1v15(), hash_)
            # Random salts: only these signatures aren't the same each time.
            return self.private.sign(message, padding.PSS(padding.MGF1(hash_), SALT[scheme[4:]]), hash_)
        if self.family == "rsa":
            return self.private.sign(message, padding.PKCS1v15(), HASHES[scheme])
        return self.private.sign(message, ec.ECDSA(HASHES[scheme], **DETERMINISTIC))


def pss_algorithm(hash_, mask_hash=None, salt=None):
    of = lambda text: der.sequence(der.oid(SHA2_OID[text]), der.NULL)
    mask = der.sequence(der.oid("1.2.840.113549.1.1.8"), of(mask_hash or hash_))
    salt = SALT[hash_] if salt is None else salt
    parameters = [der.tlv(0xA0, of(hash_)), der.tlv(0xA1, mask)]
    if salt != 20:
        parameters.append(der.tlv(0xA2, der.integer(salt)))
    return der.sequence(der.oid("1.2.840.113549.1.1.10"), der.sequence(*parameters))


def is_prime(number, source):
    if any(number % small == 0 for small in SMALL_PRIMES):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(8):
        power = pow(source.randrange(2, number - 1), odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


SMALL_PRIMES = [n for n in range(3, 2000, 2) if all(n % d for d in range(3, int(n**0.5) + 1, 2))]


def make_rsa(bits, source, exponent=65537):
    def prime(size):
        while True:
            candidate = source.getrandbits(size) | 3 << size - 2 | 1
            if candidate % exponent != 1 and is_prime(candidate, source):
                return candidate

    while True:
        p, q = prime(bits - bits // 2), prime(bits // 2)
        if p != q and (p * q).bit_length() == bits:
            break
    d = pow(exponent, -1, (p - 1) * (q - 1))
    numbers = rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(exponent, p * q))
    return numbers.private_key(unsafe_skip_rsa_key_validation=True)


class KeyStore:
    """The keys of one run, created on first use: `store.get("p256", 3)`."""

    def __init__(self, seed):
        self.seed = seed

    @functools.lru_cache(maxsize=None)
    def get(self, kind, number=0):
        source = random.Random(f"{self.seed}/{kind}/{number}")
        if kind in CURVES:
            return Key(ec.derive_private_key(source.getrandbits(200) + 1, CURVES[kind]()))
        if kind == "ed25519":
            return Key(ed25519.Ed25519PrivateKey.from_private_bytes(source.randbytes(32)))
        return Key(make_rsa(int(kind[3:]), source))
