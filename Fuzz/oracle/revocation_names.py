# SPDX-License-Identifier: Apache-2.0
"""Compares names and distribution points (RFC 5280 § 7.1, § 4.2.1.13)."""
import functools
from dataclasses import dataclass

from asn1crypto import core, x509

ALL_REASONS = frozenset({"key_compromise", "ca_compromise", "affiliation_changed", "superseded", "cessation_of_operation",
                         "certificate_hold", "privilege_withdrawn", "aa_compromise"})


def moment_in(value):
    """The date in a Time or GeneralizedTime, or None if it is absent. A date without a zone can't be read."""
    found = value.native
    if found is not None and found.tzinfo is None:
        raise ValueError("a date without a zone")
    return found


def same_name(one, other):
    """Whether two Names match by § 7.1."""
    left, right = one.chosen.contents, other.chosen.contents
    return left == right or same_contents(left, right)


@functools.lru_cache(4096)
def same_contents(left, right):
    """Whether two Names match, each given as the contents of its RDNSequence."""
    one, other = (x509.Name.load(core.Sequence(contents=contents).dump()) for contents in (left, right))
    try:
        return len(one.chosen) == len(other.chosen) and one == other
    except (ValueError, TypeError, UnicodeError):
        return False


@dataclass(frozen=True)
class Point:
    """A DistributionPoint, or the distribution point of an IDP: DER of GeneralNames, reasons, issuers."""
    names: tuple | None      # DER of each GeneralName of the full name, or None
    relative: bytes | None   # DER of a RelativeDistinguishedName
    reasons: frozenset | None
    issuers: tuple | None    # DER of each GeneralName of cRLIssuer


def read_names(value):
    """The DER of each GeneralName."""
    return tuple(one.dump() for one in value)


def read_point_name(value):
    """The full names and the relative name of a DistributionPointName that may be absent."""
    if isinstance(value, core.Void):
        return None, None
    if value.name == "full_name":
        return read_names(value.chosen), None
    return None, b"\x31" + value.chosen.dump()[1:]


def read_points(value):
    """Each DistributionPoint of a cRLDistributionPoints value."""
    points = []
    for one in value:
        names, relative = read_point_name(one["distribution_point"])
        reasons = None if one["reasons"].native is None else frozenset(one["reasons"].native) & ALL_REASONS
        issuers = None if one["crl_issuer"].native is None else read_names(one["crl_issuer"])
        points.append(Point(names, relative, reasons, issuers))
    return points


def directory_name(general_name):
    """The Name in the DER of a GeneralName, or None for another form."""
    value = x509.GeneralName.load(general_name)
    return value.chosen if value.name == "directory_name" else None


def wrapped(name):
    """The DER of a GeneralName with a Name."""
    return x509.GeneralName("directory_name", name).dump()


def extended(name, relative):
    """The DER of a GeneralName: the Name with one more RelativeDistinguishedName (nameRelativeToCRLIssuer)."""
    parts = list(x509.Name.load(name.dump()).chosen) + [x509.RelativeDistinguishedName.load(relative)]
    return wrapped(x509.Name(name="", value=x509.RDNSequence(parts)))


def full_names(point, issuer):
    """The GeneralNames of a distribution point: relative names are completed with the CRL issuer's name."""
    if point.names is not None:
        return point.names
    if point.relative is not None:
        return (extended(issuer, point.relative),)
    return None


def share_a_name(some, others, reading):
    """Whether the sets of GeneralNames have a common one. § 5.2.5 asks for the identical encoding."""
    if set(some) & set(others):
        return True
    for one in some:
        for other in others:
            left, right = directory_name(one), directory_name(other)
            if left is not None and right is not None and same_name(left, right):
                return reading.ask("distribution point names match in another encoding")
    return False
