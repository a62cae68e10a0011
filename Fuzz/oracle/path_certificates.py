# SPDX-License-Identifier: Apache-2.0
"""Parses a certificate as strict DER of RFC 5280 § 4.1. `read` caches the latest certificates by their bytes."""
import functools
import hashlib

import path_der as der
import path_extensions as extensions
import path_names as names


class Algorithm:
    """AlgorithmIdentifier (§ 4.1.1.2): `parameters` is None, or the parameters' DER."""
    __slots__ = ("oid", "parameters", "encoding")

    def __init__(self, data, one):
        fields = der.children(data, one)
        if not 1 <= len(fields) <= 2:
            raise der.Malformed("AlgorithmIdentifier")
        self.oid = der.oid(data, fields[0])
        self.parameters = None
        if len(fields) == 2:
            der.any_value(data, fields[1])
            self.parameters = der.encoding(data, fields[1])
        self.encoding = der.encoding(data, one)


class Certificate:
    """The fields of one certificate. `issuer` and `subject` are names in the form that § 7.1 compares."""

    def __init__(self, data):
        self.der = data
        self.digest = hashlib.sha256(data).hexdigest()
        fields = der.children(data, der.whole(data, der.SEQUENCE))
        if len(fields) != 3:
            raise der.Malformed("Certificate")
        self.tbs = der.encoding(data, fields[0])
        self.outer_algorithm = Algorithm(data, fields[1])
        self.signature_unused, self.signature = der.bit_string(data, fields[2])
        self.read_tbs(data, der.children(data, fields[0]))

    def read_tbs(self, data, fields):
        """TBSCertificate (§ 4.1.2)."""
        self.version = 1
        if fields and fields[0][0] == 0xA0:
            self.version = self.read_version(data, fields.pop(0))
        if len(fields) < 6:
            raise der.Malformed("TBSCertificate")
        self.serial = der.integer(data, fields[0])
        self.inner_algorithm = Algorithm(data, fields[1])
        self.issuer_der = der.encoding(data, fields[2])
        self.issuer, _ = names.parse_name(data, fields[2])
        dates = der.children(data, fields[3])
        if len(dates) != 2:
            raise der.Malformed("Validity")
        self.not_before, self.not_after = (der.moment(one[0], data[one[2]:one[3]]) for one in dates)
        self.subject, self.subject_addresses = names.parse_name(data, fields[4])
        self.read_key(data, fields[5])
        self.read_optional(data, fields[6:])
        self.self_issued = self.issuer == self.subject

    @staticmethod
    def read_version(data, one):
        """§ 4.1.2.1. DER omits the default, version 1."""
        inner = der.elements(data, one[2], one[3])
        if len(inner) != 1:
            raise der.Malformed("Version")
        value = der.integer(data, inner[0])
        if value not in (1, 2):
            raise der.Malformed("Version")
        return value + 1

    def read_key(self, data, one):
        """SubjectPublicKeyInfo (§ 4.1.2.7)."""
        parts = der.children(data, one)
        if len(parts) != 2:
            raise der.Malformed("SubjectPublicKeyInfo")
        self.spki = der.encoding(data, one)
        self.spki_hash = hashlib.sha256(self.spki).digest()
        self.key_algorithm = Algorithm(data, parts[0])
        self.key_unused, self.key = der.bit_string(data, parts[1])

    def read_optional(self, data, fields):
        """The unique identifiers (§ 4.1.2.8) need version 2 or 3, extensions (§ 4.1.2.9) version 3."""
        self.critical, self.extensions = frozenset(), {}
        self.get = self.extensions.get
        for tag in (0x81, 0x82):
            if fields and fields[0][0] == tag:
                der.bit_string(data, fields.pop(0), tag)
                if self.version == 1:
                    raise der.Malformed("unique identifier in version 1")
        if fields and fields[0][0] == 0xA3:
            if self.version != 3:
                raise der.Malformed("extensions need version 3")
            self.read_extensions(data, fields.pop(0))
        if fields:
            raise der.Malformed("TBSCertificate")

    def read_extensions(self, data, explicit):
        """Extensions ::= SEQUENCE SIZE (1..MAX) OF Extension. § 4.2: no extension twice."""
        inner = der.elements(data, explicit[2], explicit[3])
        if len(inner) != 1:
            raise der.Malformed("Extensions")
        critical = set()
        for one in der.sequence_of(data, inner[0]):
            parts = der.children(data, one)
            if len(parts) not in (2, 3):
                raise der.Malformed("Extension")
            identifier = der.oid(data, parts[0])
            if len(parts) == 3:
                if not der.boolean(data, parts[1]):
                    raise der.Malformed("encoded default")
                critical.add(identifier)
            if identifier in self.extensions:
                raise der.Malformed("extension twice")
            value = der.content(data, parts[-1], der.OCTET_STRING)
            parser = extensions.PARSERS.get(identifier)
            self.extensions[identifier] = parser(value) if parser else None
        self.critical = frozenset(critical)

    def has(self, identifier):
        return identifier in self.extensions


@functools.lru_cache(maxsize=4096)
def read(data):
    """The certificate, or None if the bytes aren't strict DER of RFC 5280's syntax."""
    try:
        return Certificate(data)
    except der.Malformed:
        return None
