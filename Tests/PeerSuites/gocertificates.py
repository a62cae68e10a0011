# SPDX-License-Identifier: Apache-2.0
"""Creates certificates like Go's x509.CreateCertificate: the same fields and extensions in the same order. It checks nothing, so that it
can also create certificates that Go's parser refuses.

The keys only depend on their names.
"""
import datetime
import hashlib
import ipaddress
import re
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "Fuzz" / "differential"))
import der  # noqa: E402
from cryptography.hazmat.primitives import hashes, serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402

USAGES = {
    "ServerAuth": "1.3.6.1.5.5.7.3.1", "ClientAuth": "1.3.6.1.5.5.7.3.2", "CodeSigning": "1.3.6.1.5.5.7.3.3",
    "EmailProtection": "1.3.6.1.5.5.7.3.4", "Any": "2.5.29.37.0", "NetscapeServerGatedCrypto": "2.16.840.1.113730.4.1",
    "MicrosoftServerGatedCrypto": "1.3.6.1.4.1.311.10.3.3",
}
CERT_SIGN, DIGITAL_SIGNATURE, KEY_ENCIPHERMENT = 5, 0, 2
TAGS = {"email": 1, "dns": 2, "uri": 6, "ip": 7}
PRINTABLE = re.compile(r"[A-Za-z0-9 '()+,./:=?-]*")
ECDSA_SHA256 = der.sequence(der.oid("1.2.840.10045.4.3.2"))


class Key:
    def __init__(self, number):
        self.private = ec.derive_private_key(number, ec.SECP256R1())
        public = self.private.public_key()
        self.spki = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        point = public.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        self.identifier = hashlib.sha1(point).digest()


@cache
def key(name):
    return Key(int.from_bytes(hashlib.sha256(name.encode()).digest(), "big") >> 2)


@dataclass
class Template:
    """The fields of Go's Certificate that the tests use."""

    subject: list
    not_before: datetime.datetime
    not_after: datetime.datetime
    serial: int = 1
    has_basic_constraints: bool = False
    is_ca: bool = False
    key_usage: list = field(default_factory=list)
    usages: list = field(default_factory=list)
    # In the form of the tests: "dns:example.com".
    names: list = field(default_factory=list)
    permitted: list = field(default_factory=list)
    excluded: list = field(default_factory=list)


@dataclass
class Certificate:
    der: bytes
    subject: bytes
    subject_key_identifier: bytes
    common_name: str


def name_of(subject):
    """Encodes a name like Go: as PrintableString if it has all characters. A bytes value is already encoded."""
    return der.name(*((kind, value if isinstance(value, bytes) else der.string(value, "printable" if PRINTABLE.fullmatch(value) else "utf8"))
                      for kind, value in subject))


def general_name(text, is_constraint=False):
    """Encodes `dns:example.com` and so on. In a constraint, an address has a mask."""
    kind, _, value = text.partition(":")
    match kind:
        case "unknown":
            return der.tlv(9, b"\x01")
        case "invalidip":
            return der.tlv(0x87, bytes.fromhex(value))
        case "ip" if is_constraint:
            network = ipaddress.ip_network(value, strict=False)
            return der.tlv(0x87, network.network_address.packed, network.netmask.packed)
        case "ip":
            address = ipaddress.ip_address(value)
            return der.tlv(0x87, (getattr(address, "ipv4_mapped", None) or address).packed)
    return der.tlv(0x80 | TAGS[kind], value.encode())


def constraints(template):
    """Sorts in Go's order: names, addresses, mailboxes, URIs."""
    parts = []
    for tag, listed in ((0xA0, template.permitted), (0xA1, template.excluded)):
        ordered = sorted(listed, key=lambda text: ["dns", "ip", "email", "uri", "unknown"].index(text.partition(":")[0]))
        if ordered:
            parts.append(der.tlv(tag, *(der.sequence(general_name(text, True)) for text in ordered)))
    return der.sequence(*parts)


def extensions(template, own_key, authority_key_identifier):
    def extension(identifier, value, critical=False):
        return der.sequence(der.oid(identifier), der.boolean(True) if critical else b"", der.octets(value))

    if template.key_usage:
        yield extension("2.5.29.15", der.named_bits(*template.key_usage), critical=True)
    if template.usages:
        yield extension("2.5.29.37", der.sequence(*(der.oid(usage) for usage in template.usages)))
    if template.has_basic_constraints:
        yield extension("2.5.29.19", der.sequence(der.boolean(True) if template.is_ca else b""), critical=True)
    if template.is_ca:
        yield extension("2.5.29.14", der.octets(own_key.identifier))
    if authority_key_identifier:
        yield extension("2.5.29.35", der.sequence(der.tlv(0x80, authority_key_identifier)))
    if template.names:
        ordered = sorted(template.names, key=lambda text: ["dns", "email", "ip", "invalidip", "uri", "unknown"].index(text.partition(":")[0]))
        yield extension("2.5.29.17", der.sequence(*map(general_name, ordered)), critical=not template.subject)
    if template.permitted or template.excluded:
        yield extension("2.5.29.30", constraints(template))


def create(template, own_key, issuer=None, issuer_key=None):
    """Issues a certificate. Without an issuer, it is self-signed."""
    subject = name_of(template.subject)
    issuer_name = issuer.subject if issuer else subject
    identifier = issuer.subject_key_identifier if issuer and issuer_name != subject else b""
    written = list(extensions(template, own_key, identifier))
    to_be_signed = der.sequence(
        der.tlv(0xA0, der.integer(2)), der.integer(template.serial), ECDSA_SHA256, issuer_name,
        der.sequence(der.time(template.not_before), der.time(template.not_after)), subject, own_key.spki,
        *([der.tlv(0xA3, der.sequence(*written))] if written else []))
    signature = (issuer_key or own_key).private.sign(to_be_signed, ec.ECDSA(hashes.SHA256()))
    return Certificate(der.sequence(to_be_signed, ECDSA_SHA256, der.bits(signature)), subject,
                       own_key.identifier if template.is_ca else b"", next((text for kind, text in template.subject if kind == der.CN), ""))
