# SPDX-License-Identifier: Apache-2.0
"""Creates keys and certificates for tests of the revocation oracle."""
import datetime
import functools

from asn1crypto import core, x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

import evidence

DAY = datetime.timedelta(days=1)
NOW = datetime.datetime(2026, 6, 15, 12, tzinfo=datetime.timezone.utc)


@functools.lru_cache(None)
def key(label, kind="p256"):
    """Returns a private key, which is the same for each call with the same label and kind ("p256", "rsa1024", "rsa2048")."""
    if kind == "p256":
        return ec.generate_private_key(ec.SECP256R1())
    return rsa.generate_private_key(65537, int(kind[3:]))


def name(text):
    """A Name with a common name."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def certificate(subject, subject_key, issuer, issuer_key, *, serial=None, ca=False, usage=None, purposes=None, points=None,
                no_check=False, start=NOW - 300 * DAY, end=NOW + 300 * DAY, identifier=True, hash_name="SHA256", extra=()):
    """Creates a certificate as DER. `usage` is a set of key usage names, and `points` the DER of cRLDistributionPoints."""
    builder = (x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(subject_key.public_key())
               .serial_number(serial or x509.random_serial_number()).not_valid_before(start).not_valid_after(end))
    if ca:
        builder = builder.add_extension(x509.BasicConstraints(True, None), critical=True)
    if usage is None and ca:
        usage = {"key_cert_sign", "crl_sign"}
    if usage:
        fields = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
                  "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
        builder = builder.add_extension(x509.KeyUsage(**{one: one in usage for one in fields}), critical=True)
    if purposes:
        builder = builder.add_extension(x509.ExtendedKeyUsage([ObjectIdentifier(one) for one in purposes]), critical=False)
    if points:
        builder = builder.add_extension(x509.UnrecognizedExtension(ObjectIdentifier("2.5.29.31"), points), critical=False)
    if no_check:
        builder = builder.add_extension(x509.OCSPNoCheck(), critical=False)
    if identifier:
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(subject_key.public_key()), critical=False)
        builder = builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    for oid, critical, value in extra:
        builder = builder.add_extension(x509.UnrecognizedExtension(ObjectIdentifier(oid), value), critical=critical)
    return builder.sign(issuer_key, getattr(hashes, hash_name)()).public_bytes(serialization.Encoding.DER)


OCSP_SIGNING = ExtendedKeyUsageOID.OCSP_SIGNING.dotted_string


def resigned(der, issuer_key, hash_name="sha1", **fields):
    """Signs the certificate again with another digest (including SHA-1), after changing fields of tbsCertificate."""
    value = asn1_x509.Certificate.load(der)
    body = value["tbs_certificate"]
    body["signature"] = evidence.signing_algorithm(issuer_key, hash_name)
    for field, content in fields.items():
        body[field] = content
    octets = body.dump(force=True)
    return evidence.sequence([octets, evidence.signing_algorithm(issuer_key, hash_name),
                              core.OctetBitString(evidence.signature(issuer_key, octets, hash_name))])
