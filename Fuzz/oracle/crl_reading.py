# SPDX-License-Identifier: Apache-2.0
"""Reads a CRL (RFC 5280 § 5)."""
import functools
from dataclasses import dataclass

from asn1crypto import core, crl as crls

from revocation_names import ALL_REASONS, Point, directory_name, moment_in, read_names, read_point_name, same_name
from strict_der import is_strict

KNOWN = {"2.5.29.35", "2.5.29.18", "2.5.29.20", "2.5.29.27", "2.5.29.28", "2.5.29.46", "1.3.6.1.5.5.7.1.1"}
KNOWN_IN_ENTRY = {"2.5.29.21", "2.5.29.24", "2.5.29.29"}


@dataclass(frozen=True)
class Scope:
    """An issuing distribution point (§ 5.2.5)."""
    point: Point
    user: bool
    authority: bool
    attribute: bool
    reasons: frozenset | None
    indirect: bool


@dataclass(frozen=True)
class Entry:
    """One revoked certificate: its reason ("unspecified" without one) and its certificate issuer names, if any."""
    serial: int
    date: object
    reason: str
    issuers: tuple | None


class Crl:
    """The fields of a CRL, and the names of its irregularities."""

    def __init__(self, der):
        value = crls.CertificateList.load(der, strict=True)
        body = value["tbs_cert_list"]
        self.der, self.irregular = der, set()
        version = body["version"].native
        self.issuer = body["issuer"]
        self.this, self.next = moment_in(body["this_update"]), moment_in(body["next_update"])
        self.signed, self.signature = body.dump(), value["signature"].native
        self.algorithm, self.inside = value["signature_algorithm"].dump(), body["signature"].dump()
        extensions = self.read_extensions(body["crl_extensions"])
        self.unknown_critical = any(critical and oid not in KNOWN for oid, (critical, _) in extensions.items())
        self.number = self.value(extensions, "2.5.29.20")
        self.base = self.value(extensions, "2.5.29.27")
        self.identifier = extensions["2.5.29.35"][1].parsed.dump() if "2.5.29.35" in extensions else None
        self.key_identifier = None if self.identifier is None else extensions["2.5.29.35"][1].parsed["key_identifier"].native
        self.scope_octets = extensions["2.5.29.28"][1].contents if "2.5.29.28" in extensions else None
        self.scope = self.read_scope(extensions["2.5.29.28"][1].parsed) if "2.5.29.28" in extensions else None
        self.entries = self.read_entries(body["revoked_certificates"])
        if version not in ("v2", 1) and (extensions or any(one.issuers for one in self.entries)):
            self.irregular.add("a version 1 CRL has extensions")
        if not is_strict(der):
            self.irregular.add("a CRL isn't strict DER")

    def read_extensions(self, listed):
        """Returns each extension by its OID. Records duplicates."""
        found = {}
        for one in () if isinstance(listed, core.Void) else listed:
            if one["extn_id"].dotted in found:
                self.irregular.add("a CRL repeats an extension")
            found[one["extn_id"].dotted] = (one["critical"].native, one["extn_value"])
        return found

    @staticmethod
    def value(extensions, oid):
        """Returns the number in an extension, or None."""
        return extensions[oid][1].parsed.native if oid in extensions else None

    def read_scope(self, value):
        """Returns the issuing distribution point. Records an empty one (§ 5.2.5)."""
        if not value.contents:
            self.irregular.add("an issuing distribution point is empty")
        names, relative = read_point_name(value["distribution_point"])
        reasons = value["only_some_reasons"].native
        return Scope(Point(names, relative, None, None), value["only_contains_user_certs"].native,
                     value["only_contains_ca_certs"].native, value["only_contains_attribute_certs"].native,
                     None if reasons is None else frozenset(reasons) & ALL_REASONS, value["indirect_crl"].native)

    def read_entries(self, listed):
        """Returns the entries in order. § 5.1.2.6 requires an absent list instead of an empty one."""
        if isinstance(listed, core.Void):
            return []
        if not len(listed):
            self.irregular.add("a CRL has an empty list of revoked certificates")
        entries = []
        for one in listed:
            reason, issuers, seen = "unspecified", None, set()
            extensions = one["crl_entry_extensions"]
            for extension in () if isinstance(extensions, core.Void) else extensions:
                oid = extension["extn_id"].dotted
                if oid in seen:
                    self.irregular.add("a CRL entry repeats an extension")
                seen.add(oid)
                if oid == "2.5.29.21":
                    reason = extension["extn_value"].parsed.native
                elif oid == "2.5.29.29":
                    issuers = read_names(extension["extn_value"].parsed)
                elif extension["critical"].native and oid not in KNOWN_IN_ENTRY:
                    self.unknown_critical = True
            entries.append(Entry(one["user_certificate"].native, moment_in(one["revocation_date"]), reason, issuers))
        return entries

    @property
    def indirect(self):
        """Whether the CRL may list certificates of other issuers."""
        return self.scope is not None and self.scope.indirect

    def entries_for(self, certificate, reading):
        """Returns the entries for a certificate, by serial number and certificate issuer (§ 5.3.3)."""
        found, current = [], None
        for one in self.entries:
            if one.issuers is not None:
                current = one.issuers
            if one.serial != certificate.serial:
                continue
            honoured = current is not None and (
                self.indirect or reading.ask("a certificate issuer entry counts in a CRL that isn't indirect"))
            if honoured:
                names = [directory_name(name) for name in current]
                if any(name is not None and same_name(name, certificate.issuer) for name in names):
                    found.append(one)
            elif same_name(self.issuer, certificate.issuer):
                found.append(one)
        return found


@functools.lru_cache(4096)
def read_crl(der):
    """Parses a CRL. Returns None if the octets aren't one."""
    try:
        return Crl(der)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
