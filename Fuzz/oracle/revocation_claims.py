# SPDX-License-Identifier: Apache-2.0
"""What evidence claims about one certificate, and which claim supersedes which."""
from dataclasses import dataclass

from revocation_names import ALL_REASONS


@dataclass(frozen=True)
class Claim:
    """One statement about one certificate.

    `reason` is None where the evidence says "good" (or doesn't list the certificate). `usable` says that it can vouch:
    authentic, strong, and current.
    """
    kind: str              # "crl" or "ocsp"
    authority: str
    reason: str | None
    covers: frozenset      # the reasons that the statement covers
    usable: bool
    this: object           # thisUpdate
    order: int | None      # cRLNumber, or producedAt in seconds
    scope: bytes | None    # the IDP of a CRL
    why: str


def is_current(this, following, time, kind, reading):
    """The dates of evidence (§ 6.3.3 (a), RFC 6960 § 3.2 and § 4.2.2.1; the contract's "early" and "late")."""
    if this > time:
        return False
    if following is None:
        return reading.ask("%s without nextUpdate is current" % kind)
    if following == time:
        return reading.ask("%s is current at its nextUpdate" % kind)
    return following > time


def tells_of_now(this, date, time, reading):
    """Whether bad news speaks about the verify date: early evidence may tell of a revocation that comes later."""
    if this > time and date > time:
        return reading.ask("early bad news of a revocation after the verify date counts")
    return True


def newer(good, bad, reading):
    """Whether the good claim is newer than the bad one: by thisUpdate, then by cRLNumber (§ 5.2.3) or producedAt."""
    numbered = good.kind == bad.kind and good.order is not None and bad.order is not None
    if good.this > bad.this:
        if numbered and good.kind == "crl" and good.scope == bad.scope and good.order <= bad.order:
            return reading.ask("thisUpdate orders CRLs whose numbers say the opposite")
        return True
    if good.this == bad.this and numbered and good.order > bad.order:
        return reading.ask("of two statements with one thisUpdate the higher number is newer")
    if good.this < bad.this and numbered and good.kind == "crl" and good.scope == bad.scope and good.order > bad.order:
        return reading.ask("cRLNumber orders CRLs whose thisUpdate say the opposite")
    return False


def covers_reason(good, bad):
    """Whether the good claim speaks about the reason of the bad one: by its reasons, or as a newer CRL of the same scope."""
    if good.kind == bad.kind == "crl" and good.scope == bad.scope and good.authority == bad.authority:
        return True
    if good.covers == ALL_REASONS or bad.reason in good.covers:
        return True
    return bad.reason == "unspecified" and bad.covers <= good.covers


def supersedes(good, bad, reading):
    """The contract: newer usable evidence of the same authority about the same certificate supersedes bad news."""
    if not good.usable or good.reason is not None:
        return False
    if not covers_reason(good, bad):
        return False
    if not newer(good, bad, reading):
        return False
    if bad.reason == "unspecified":
        if not reading.ask("newer good news supersedes a revocation without a reason"):
            return False
    elif bad.reason not in ("certificate_hold", "remove_from_crl"):
        if not reading.ask("newer good news supersedes a revocation that isn't a hold"):
            return False
    if good.kind != bad.kind and not reading.ask("a CRL and an OCSP response supersede one another"):
        return False
    if good.authority != bad.authority and not reading.ask("the keys of the issuer, its delegates and its CRL issuers are one authority"):
        return False
    if good.kind == bad.kind == "crl" and good.scope != bad.scope:
        return reading.ask("a CRL supersedes a CRL of another scope")
    return True


def conclude(claims, reading):
    """The status: revoked by bad news that isn't superseded; good by OCSP or by CRLs for all reasons; else unknown."""
    good = [one for one in claims if one.reason is None and one.usable]
    bad = [one for one in claims if one.reason is not None]
    for one in bad:
        if not any(supersedes(other, one, reading) for other in good):
            return "revoked", one.kind, one.why
    for one in good:
        if one.kind == "ocsp":
            return "good", "ocsp", one.why
    covered = frozenset().union(*[one.covers for one in good])
    if covered == ALL_REASONS:
        return "good", "crl", "; ".join(sorted({one.why for one in good}))
    if covered:
        return "unknown", "crl", "no CRL covers " + ", ".join(sorted(ALL_REASONS - covered))
    return "unknown", None, "no usable evidence among %d statements" % len(claims)
