# SPDX-License-Identifier: Apache-2.0
"""Parses the fields of a certificate that revocation needs."""
import functools

from asn1crypto import x509

from revocation_names import moment_in, read_names, read_points, same_name
from revocation_signatures import verified

KNOWN_CRITICAL = {"2.5.29." + one for one in ("14", "15", "17", "18", "19", "30", "31", "32", "33", "35", "36", "37", "46", "54")}


class Certificate:
    """The fields of a certificate."""

    def __init__(self, der):
        value = x509.Certificate.load(der, strict=True)
        body = value["tbs_certificate"]
        self.der = der
        self.version = body["version"].native
        self.serial = body["serial_number"].native
        self.subject, self.issuer = body["subject"], body["issuer"]
        self.start, self.end = moment_in(body["validity"]["not_before"]), moment_in(body["validity"]["not_after"])
        self.key = body["subject_public_key_info"].dump()
        self.key_bits = body["subject_public_key_info"]["public_key"].contents[1:]
        self.signed, self.signature = body.dump(), value["signature_value"].native
        self.algorithm, self.inside = value["signature_algorithm"].dump(), body["signature"].dump()
        self.extensions = {}
        for one in body["extensions"]:
            self.extensions[one["extn_id"].dotted] = (one["critical"].native, one["extn_value"])
        constraints = self.parsed("2.5.29.19")
        self.is_ca = bool(constraints and constraints["ca"].native)
        self.path_length = constraints["path_len_constraint"].native if constraints else None
        usage = self.parsed("2.5.29.15")
        self.usage = None if usage is None else set(usage.native)
        purposes = self.parsed("2.5.29.37")
        self.purposes = None if purposes is None else {one.dotted for one in purposes}
        points = self.parsed("2.5.29.31")
        self.points = [] if points is None else read_points(points)
        alternatives = self.parsed("2.5.29.18")
        self.issuer_alternatives = () if alternatives is None else read_names(alternatives)
        self.unknown_critical = any(critical and oid not in KNOWN_CRITICAL for oid, (critical, _) in self.extensions.items())
        self.no_check = "1.3.6.1.5.5.7.48.1.5" in self.extensions
        self.no_revocation = "2.5.29.56" in self.extensions
        self.identifier = self.parsed("2.5.29.14").native if "2.5.29.14" in self.extensions else None
        self.constrains = bool({"2.5.29.30", "2.5.29.36"} & set(self.extensions))

    def parsed(self, oid):
        """The parsed value of an extension, or None."""
        return self.extensions[oid][1].parsed if oid in self.extensions else None

    def valid_at(self, time):
        """Whether the time lies in the validity period (§ 4.1.2.5: both ends included)."""
        return self.start <= time <= self.end

    def may_sign(self, use):
        """Whether the key usage, if present, has the bit."""
        return self.usage is None or use in self.usage

    def signed_by(self, issuer):
        """The weaknesses of this certificate's signature by the issuer's key, or None if the issuer did not issue it."""
        if not same_name(self.issuer, issuer.subject):
            return None
        return verified(issuer.key, self.algorithm, self.signed, self.signature)


@functools.lru_cache(4096)
def read_certificate(der):
    """Parses a certificate. Returns None if the octets aren't one."""
    try:
        return Certificate(der)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
