# SPDX-License-Identifier: Apache-2.0
"""Issues certificates for the tests of the path oracle."""
import base64
import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

import path_oracle

UTC = datetime.timezone.utc
START, END = datetime.datetime(2026, 1, 1, tzinfo=UTC), datetime.datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)
TIME = "2026-06-01T00:00:00Z"
KEYS = {}


def key(label):
    """One P-256 key a label."""
    if label not in KEYS:
        KEYS[label] = ec.generate_private_key(ec.SECP256R1())
    return KEYS[label]


def name(value):
    return value if isinstance(value, x509.Name) else x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, value)] if value else [])


def tlv(tag, *parts):
    """DER of one element, for values that the library doesn't write."""
    content = b"".join(parts)
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([0x81, size]) if size < 256 else b"\x82" + size.to_bytes(2, "big")
    return bytes([tag]) + length + content


def oid(dotted):
    arcs = [int(arc) for arc in dotted.split(".")]
    out = b""
    for arc in [40 * arcs[0] + arcs[1]] + arcs[2:]:
        octets = [arc & 0x7F]
        while arc := arc >> 7:
            octets.append(arc & 0x7F | 0x80)
        out += bytes(reversed(octets))
    return tlv(6, out)


def raw(identifier, value, critical=False):
    return x509.UnrecognizedExtension(x509.ObjectIdentifier(identifier), value), critical


def constraints(permitted=(), excluded=()):
    """nameConstraints with DER bases (general names)."""
    fields = [tlv(tag, *(tlv(0x30, base) for base in bases)) for tag, bases in ((0xA0, permitted), (0xA1, excluded)) if bases]
    return raw("2.5.29.30", tlv(0x30, *fields), True)


def names(*general):
    """subjectAltName with DER general names."""
    return raw("2.5.29.17", tlv(0x30, *general))


def dns(value):
    return tlv(0x82, value.encode())


def mail(value):
    return tlv(0x81, value.encode())


def uri(value):
    return tlv(0x86, value.encode())


def address(*octets):
    return tlv(0x87, bytes(octets))


def directory(value):
    return tlv(0xA4, name(value).public_bytes())


OTHER = tlv(0xA0, oid("1.2.3"), tlv(0xA0, tlv(0x0C, b"x")))


def policies(*values, critical=False):
    return raw("2.5.29.32", tlv(0x30, *(tlv(0x30, oid(value)) for value in values)), critical)


def mappings(*pairs):
    return raw("2.5.29.33", tlv(0x30, *(tlv(0x30, oid(a), oid(b)) for a, b in pairs)), True)


def policy_constraints(explicit=None, mapping=None):
    fields = [tlv(tag, bytes([value])) for tag, value in ((0x80, explicit), (0x81, mapping)) if value is not None]
    return raw("2.5.29.36", tlv(0x30, *fields), True)


def inhibit_any(value):
    return raw("2.5.29.54", tlv(2, bytes([value])), True)


def authority(length=None):
    return x509.BasicConstraints(True, length), True


def usage(*bits):
    value = 0
    for bit in bits:
        value |= 0x80 >> bit
    unused = 7 - max(bits)
    return raw("2.5.29.15", tlv(3, bytes([unused, value])), True)


def purposes(*values):
    return x509.ExtendedKeyUsage(list(values) or [ExtendedKeyUsageOID.SERVER_AUTH]), False


class Issued:
    """A certificate with its subject and the label of its key."""

    def __init__(self, subject, issuer, *extensions, key_label=None, start=START, end=END, digest=None, serial=None):
        self.subject = name(subject)
        self.label = key_label or str(subject)
        signer = issuer if issuer else self
        builder = (x509.CertificateBuilder().subject_name(self.subject).issuer_name(signer.subject).public_key(key(self.label).public_key())
                   .serial_number(serial or x509.random_serial_number()).not_valid_before(start).not_valid_after(end))
        for value, critical in extensions:
            builder = builder.add_extension(value, critical)
        self.certificate = builder.sign(key(signer.label), digest or hashes.SHA256())
        self.der = self.certificate.public_bytes(Encoding.DER)


def ca(subject, issuer, *extensions, length=None, **more):
    return Issued(subject, issuer, authority(length), *extensions, **more)


def encoded(issued):
    return base64.b64encode(issued if isinstance(issued, bytes) else issued.der).decode()


def ask(leaf, others, anchors, hooks=None, **request):
    """The oracle's answer."""
    request = {"chain": [encoded(leaf)], "intermediates": [encoded(one) for one in others],
               "anchors": [encoded(one) for one in anchors], "time": TIME, **request}
    return path_oracle.answer(request, **(hooks or {}))


def rule(leaf, others, anchors, **request):
    """"accepted", "unreadable", or the rule and section that refuse the only path."""
    answer = ask(leaf, others, anchors, **request)
    if not answer["readable"]:
        return "unreadable"
    if answer["paths"]:
        return "accepted"
    return " ".join((answer["refused"][0]["rule"], answer["refused"][0]["section"])) if answer["refused"] else "no path"
