# SPDX-License-Identifier: Apache-2.0
"""RFC 5280 § 6.3.3 (b) to (e): whether a CRL covers a certificate, and for which reasons."""
from revocation_names import ALL_REASONS, Point, directory_name, full_names, same_name, share_a_name, wrapped


def implied_point(certificate):
    """The last paragraph of § 6.3.3: the names of the issuer, without reasons and cRLIssuer."""
    return Point((wrapped(certificate.issuer),) + certificate.issuer_alternatives, None, None, None)


def issuer_matches(point, crl, certificate):
    """Step (b)(1): the CRL issuer is the DP's cRLIssuer of an indirect CRL, or the issuer of the certificate."""
    if point.issuers is not None:
        named = [directory_name(one) for one in point.issuers]
        return crl.indirect and any(one is not None and same_name(one, crl.issuer) for one in named)
    return same_name(crl.issuer, certificate.issuer)


def point_matches(point, crl, certificate, reading):
    """Step (b)(2)(i): the names of the IDP and of the DP have one in common."""
    if crl.scope is None:
        return True
    listed = full_names(crl.scope.point, crl.issuer)
    if listed is None:
        return True
    names = full_names(point, crl.issuer if point.issuers is not None else certificate.issuer)
    if names is None:
        names = point.issuers or ()
    return share_a_name(listed, names, reading)


def kind_matches(crl, certificate, reading):
    """Steps (b)(2)(ii) to (iv): end entity, CA and attribute certificates."""
    if crl.scope is None:
        return True
    if crl.scope.attribute or crl.scope.user and certificate.is_ca or crl.scope.authority and not certificate.is_ca:
        return False
    if (crl.scope.user or crl.scope.authority) and certificate.version != "v3":
        return reading.ask("a CRL for one kind of certificates covers certificates of version 1")
    return True


def interim_reasons(point, crl):
    """Step (d): the intersection of the DP's reasons and onlySomeReasons."""
    reasons = ALL_REASONS if point.reasons is None else point.reasons
    if crl.scope is not None and crl.scope.reasons is not None:
        reasons = reasons & crl.scope.reasons
    return reasons


def covered_reasons(crl, certificate, reading):
    """The union of the interim masks of each distribution point that the CRL matches. Empty: the CRL is out of scope."""
    if not kind_matches(crl, certificate, reading):
        return frozenset()
    covered = frozenset()
    for point in certificate.points:
        if issuer_matches(point, crl, certificate) and point_matches(point, crl, certificate, reading):
            covered |= interim_reasons(point, crl)
    point = implied_point(certificate)
    if issuer_matches(point, crl, certificate) and point_matches(point, crl, certificate, reading):
        more = interim_reasons(point, crl)
        if covered and not more <= covered:
            if reading.ask("a CRL that one of the distribution points limits to reasons covers the others without it"):
                covered |= more
        else:
            covered |= more
    return covered


def is_named(crl, certificate):
    """Whether the CRL issuer may list the certificate (step (b)(1)), in whatever scope. Lists of attribute certificates don't."""
    points = certificate.points + [implied_point(certificate)]
    return not (crl.scope and crl.scope.attribute) and any(issuer_matches(one, crl, certificate) for one in points)


def same_identifier(complete, delta, reading):
    """§ 6.3.3 (c)(3): the authority key identifiers match."""
    if complete.identifier == delta.identifier:
        return True
    if complete.identifier is None or delta.identifier is None:
        return reading.ask("a delta CRL and a complete CRL match if one of them has no key identifier")
    if complete.key_identifier is not None and complete.key_identifier == delta.key_identifier:
        return reading.ask("key identifiers match that differ in issuer and serial number")
    return False


def can_combine(complete, delta, reading):
    """§ 5.2.4 (a) to (d) and § 6.3.3 (c): whether the delta CRL updates the complete CRL."""
    if complete.number is None or delta.number is None or delta.base is None or complete.base is not None:
        return False
    return (same_name(complete.issuer, delta.issuer) and complete.scope_octets == delta.scope_octets
            and delta.base <= complete.number < delta.number and same_identifier(complete, delta, reading))
