# SPDX-License-Identifier: Apache-2.0
"""The claims of evidence about one certificate, and which claim supersedes which."""
import datetime
from dataclasses import dataclass

from crl_scope import can_combine
from revocation_names import ALL_REASONS

TOLERANCE, DAY = datetime.timedelta(minutes=5), datetime.timedelta(days=1)

# The flaws that keep a claim from proving a good status:
#   "weak"       the signature, or the certificate of the signer (its algorithm, key, dates or status)
#   "unchecked"  the signer's own status is unknown, although it is required
#   "ahead"      dated after the verify date
#   "late"       its next update is over
#   "unclear"    not fully understood: an unknown critical extension, or an irregular encoding
FLAWS = ("weak", "unchecked", "ahead", "late", "unclear")


@dataclass(frozen=True)
class Claim:
    """One statement about one certificate.

    `reason` is None where the evidence says "good" (or doesn't list the certificate).
    """
    kind: str              # "crl" or "ocsp"
    authority: str
    key: bytes             # of the signer
    reason: str | None
    covers: frozenset      # the reasons that the statement covers
    flaws: frozenset       # of FLAWS
    this: object           # thisUpdate
    order: int | None      # cRLNumber, or producedAt in seconds
    scope: bytes | None    # the IDP of a CRL
    why: str
    crl: object = None     # the CRL; the complete one of a pair
    delta_flaws: frozenset | None = None  # of the delta CRL of a pair
    witness: str | None = None  # "certificate" or "signer": whose own CRL alone says that this one is good

    @property
    def is_delta(self):
        """Whether the statement is a delta CRL by itself."""
        return self.crl is not None and self.crl.base is not None

    @property
    def is_pair(self):
        """Whether the statement comes from a delta CRL with a complete one."""
        return self.delta_flaws is not None

    @property
    def usable(self):
        """Whether the claim can vouch: authentic, strong, and current."""
        return not self.flaws and self.reason is None

    @property
    def is_doubtful(self):
        """Whether bad news only refuses."""
        return bool(self.flaws & {"weak", "ahead", "unclear"}) or self.is_late_hold

    @property
    def is_late_hold(self):
        """Whether the claim is a hold whose next update is over."""
        return self.reason == "certificate_hold" and "late" in self.flaws and "ahead" not in self.flaws


def is_ahead(this, time, reading):
    """Whether evidence is dated after the verify date (the contract's "early")."""
    if this <= time:
        return False
    return this > time + TOLERANCE or not reading.ask("evidence that is dated at most five minutes ahead is current")


def is_late(this, following, time, kind, reading):
    """Whether the next update of evidence is over (§ 6.3.3 (a), RFC 6960 § 3.2 and § 4.2.2.1; the contract's "late")."""
    if following is None:
        age = "" if kind == "a CRL" else " for a day" if this + DAY >= time else " for longer than a day"
        return not reading.ask("%s without nextUpdate is current%s" % (kind, age))
    if following == time:
        return not reading.ask("%s is current at its nextUpdate" % kind)
    return following < time


def counts(reason, date, flaws, time, reading):
    """Whether bad news with these flaws counts: evidence ahead of its time, and a hold that is over."""
    if "ahead" in flaws and date > time and not reading.ask("early bad news of a revocation after the verify date counts"):
        return False
    if "late" in flaws and reason == "certificate_hold" and not reading.ask("a hold counts after the evidence's nextUpdate"):
        return False
    return True


def newer(good, bad, reading):
    """Whether the good claim is newer than the bad one: by thisUpdate, then by cRLNumber (§ 5.2.3) or producedAt."""
    if good.is_pair and good.crl is bad.crl and good.this == bad.this:
        return reading.ask("a delta CRL follows a complete CRL of one date by its number")
    same_list = good.kind == bad.kind == "crl" and good.scope == bad.scope
    numbered = good.kind == bad.kind and good.order is not None and bad.order is not None
    if good.this > bad.this:
        if same_list and numbered and good.order < bad.order:
            return reading.ask("thisUpdate orders CRLs whose numbers say the opposite")
        if same_list and numbered and good.order == bad.order:
            return reading.ask("thisUpdate orders CRLs with one number")
        if same_list and good.order is None and bad.order is not None:
            return reading.ask("a CRL without a number supersedes one with a number")
        return True
    if good.this == bad.this and numbered and good.order > bad.order:
        return reading.ask("of two statements with one thisUpdate the higher number is newer")
    if good.this < bad.this and same_list and numbered and good.order > bad.order:
        return reading.ask("cRLNumber orders CRLs whose thisUpdate say the opposite")
    return False


def may_supersede(good, bad, reading):
    """The contract: usable evidence supersedes. Whether evidence with a flaw supersedes evidence with the same flaw is open."""
    if bad.flaws & {"unclear"} and not reading.ask("newer good news supersedes evidence with an unknown critical extension"):
        return False
    if bad.flaws & {"ahead"} and not reading.ask("newer good news supersedes evidence that is dated ahead"):
        return False
    if not good.flaws:
        return True
    if good.is_pair and good.crl is bad.crl and not good.delta_flaws and bad.reason == "certificate_hold":
        if reading.ask("a delta CRL that may vouch lifts a hold of a complete CRL that may not"):
            return True
    if good.flaws & {"ahead", "unclear"} or good.kind == "ocsp":
        return False
    if "unchecked" in good.flaws and not reading.ask("a CRL whose signer has no status supersedes"):
        return False
    if "weak" in good.flaws and not ("weak" in bad.flaws and reading.ask("a weak CRL supersedes a weak one")):
        return False
    return "late" not in good.flaws or "late" in bad.flaws and reading.ask("a late CRL supersedes a late one")


def outdates(complete, bad):
    """Whether a complete CRL is later than a claim, and has no lower number."""
    return complete.this > bad.this and (bad.order is None or complete.number is not None and complete.number >= bad.order)


def starts_no_later(good, bad, reading):
    """Whether a delta CRL has all that an older one has: § 5.2.4 has it list each change since its base."""
    return None not in (good.crl.base, bad.crl.base) and good.crl.base <= bad.crl.base and reading.ask(
        "a newer delta CRL that starts no later supersedes a delta CRL")


def supersedes(good, bad, reading):
    """The contract: newer usable evidence of the same authority about the same certificate supersedes bad news."""
    if good.reason is not None:
        return False
    same_list = good.kind == bad.kind == "crl" and good.scope == bad.scope
    if good.is_delta and not (same_list and bad.is_delta and starts_no_later(good, bad, reading)):
        return False
    if good.is_pair and not bad.is_delta and good.crl is not bad.crl and not outdates(good.crl, bad):
        if not reading.ask("a delta CRL with an older complete CRL supersedes the entry of a newer complete CRL"):
            return False
    if not same_list and good.covers != ALL_REASONS and bad.reason not in good.covers:
        if not (bad.reason == "unspecified" and bad.covers <= good.covers):
            return False
    if not newer(good, bad, reading) or not may_supersede(good, bad, reading):
        return False
    if bad.reason == "unspecified":
        if not reading.ask("newer good news supersedes a revocation without a reason"):
            return False
    elif bad.reason not in ("certificate_hold", "remove_from_crl"):
        if not reading.ask("newer good news supersedes a revocation that isn't a hold"):
            return False
    if good.kind != bad.kind and not reading.ask("a CRL and an OCSP response supersede one another"):
        return False
    if good.kind == bad.kind == "ocsp":
        what = "hold" if bad.reason == "certificate_hold" else "revocation that isn't a hold"
        if not reading.ask("an OCSP response supersedes an older %s" % what):
            return False
    if good.authority != bad.authority and not reading.ask("the keys of the issuer, its delegates and its CRL issuers are one authority"):
        return False
    if good.kind == bad.kind == "crl" and good.scope != bad.scope:
        return reading.ask("a CRL supersedes a CRL of another scope")
    return True


def accusation(claims, reading):
    """The bad news that isn't superseded, first that without a doubt; None without any."""
    bad = [one for one in claims if one.reason is not None]
    left = [one for one in bad if not any(supersedes(other, one, reading) for other in claims)]
    return min(left, key=lambda one: (one.is_doubtful, one.is_late_hold), default=None)


def ends_late_holds(good, witnesses, claims, reading):
    """Whether a good status is later than each late hold that isn't superseded. The contract: newer usable evidence supersedes."""
    holds = [one for one in claims if one.is_late_hold and not any(supersedes(other, one, reading) for other in claims)]
    if any(good <= one.this for one in holds):
        return False
    if not reading.ask("a later good status by another key or of another kind ends a late hold"):
        return False
    if "certificate" in witnesses and not reading.ask("a CRL under the certificate's own key ends a late hold"):
        return False
    return "signer" not in witnesses or reading.ask("evidence whose signer is good only by its own CRL ends a late hold")


def is_same_list(one, other):
    """Whether two claims are of CRLs of one signer and scope."""
    return one.kind == other.kind == "crl" and (one.key, one.scope, one.authority) == (other.key, other.scope, other.authority)


def is_overtaken(one, claims, reading):
    """Whether a newer complete CRL of the same signer and scope is available, and is late."""
    return any(is_same_list(other, one) and not other.is_delta and "late" in other.flaws and not other.flaws & {"weak", "ahead", "unclear"}
               and newer(other, one, reading) for other in claims)


def completes_of(pair, claims):
    """The claim of a pair's complete CRL by itself."""
    return [one for one in claims if pair.is_pair and one.crl is pair.crl and not one.is_pair and is_same_list(one, pair)]


def is_updated(complete, claims, reading):
    """Whether a current delta CRL adds to a complete CRL without nextUpdate."""
    return complete.crl.next is None and any(
        one.is_delta and not one.flaws and is_same_list(one, complete) and can_combine(complete.crl, one.crl, reading) for one in claims)


def keeps_back_others(one, claims, issuer, reading):
    """Whether a claim comes from a current CRL under the issuer's key."""
    if one.kind != "crl" or one.is_delta or one.key != issuer.key or not one.covers or one.flaws & {"ahead", "unclear"}:
        return False
    if "late" in one.flaws:
        if not is_updated(one, claims, reading) or not reading.ask(
                "a complete CRL without nextUpdate is current under the issuer's key beside a current delta CRL"):
            return False
    if any(is_overtaken(each, claims, reading) for each in [one, *completes_of(one, claims)]):
        return reading.ask("a CRL under the issuer's key is current although a newer one of its scope is late")
    return True


def still_vouches(one, claims, issuer, reading):
    """Whether a usable claim of a CRL vouches in spite of other available CRLs."""
    if is_overtaken(one, claims, reading) and not reading.ask("a CRL vouches although a newer one of its scope is late"):
        return False
    if any(is_overtaken(each, claims, reading) for each in completes_of(one, claims)):
        if not reading.ask("a delta CRL vouches with an older complete CRL although a newer complete CRL is late"):
            return False
    if one.key == issuer.key or one.authority.startswith("CRL issuer"):
        return True
    return not any(keeps_back_others(other, claims, issuer, reading) for other in claims) or reading.ask(
        "a CRL under another key vouches beside a current one under the issuer's key")


def vouching(claims, issuer, reading):
    """The good status of each kind of evidence, as (date, kind, why, witnesses).

    The date is OCSP's latest, and the earliest of the CRLs that cover all reasons. CRLs under the certificate's own key come last.
    """
    good = [one for one in claims if one.usable]
    found = []
    responses = [one for one in good if one.kind == "ocsp"]
    if responses:
        latest = max(responses, key=lambda one: (one.this, one.witness is None))
        found.append((latest.this, "ocsp", responses[0].why, {latest.witness} - {None}))
    lists = [one for one in good if one.kind == "crl" and still_vouches(one, claims, issuer, reading)]
    covered, used = frozenset(), []
    for one in sorted(lists, key=lambda one: (one.witness != "certificate", one.this), reverse=True):
        if not one.covers <= covered:
            covered, used = covered | one.covers, used + [one]
    if covered == ALL_REASONS:
        why = "; ".join(sorted({one.why for one in lists}))
        found.append((min(one.this for one in used), "crl", why, {one.witness for one in used} - {None}))
    return found, covered


def conclude(claims, issuer, reading):
    """The status: revoked by bad news that isn't superseded; good by OCSP or by CRLs for all reasons; else unknown.

    "accused" is a doubtful "revoked". "good by its own list" is a "good" that only a CRL of the one in question vouches for.
    """
    bad = accusation(claims, reading)
    if bad is not None and not bad.is_late_hold:
        return "accused" if bad.is_doubtful else "revoked", bad.kind, bad.why
    found, covered = vouching(claims, issuer, reading)
    if bad is not None and not any(ends_late_holds(date, witnesses, claims, reading) for date, _, _, witnesses in found):
        return "accused", bad.kind, bad.why
    if found:
        _, kind, why, witnesses = found[0]
        return "good by its own list" if witnesses else "good", kind, why
    if covered:
        return "unknown", "crl", "no CRL covers " + ", ".join(sorted(ALL_REASONS - covered))
    return "unknown", None, "no usable evidence among %d statements" % len(claims)
