# SPDX-License-Identifier: Apache-2.0
"""RFC 5280 § 6.3.3: the claims of CRLs about one certificate, by brute force over each CRL and each pair with a delta CRL."""
from crl_scope import can_combine, covered_reasons
from crl_signers import signers
from revocation_claims import Claim, is_current, tells_of_now
from revocation_names import ALL_REASONS, same_name


def usable_as_a_whole(crl, reading):
    """Whether a CRL can vouch (§ 5.2, § 5.3, § 5.1.1.2): critical extensions known, one algorithm, no irregularity."""
    if crl.unknown_critical or crl.algorithm != crl.inside:
        return False
    return all(reading.ask("%s and still vouches" % one) for one in sorted(crl.irregular))


def accuses_at_all(crl, reading):
    """Whether the bad news of a CRL that can't vouch for these reasons counts."""
    if crl.unknown_critical and not reading.ask("bad news of a CRL with an unknown critical extension counts"):
        return False
    if crl.algorithm != crl.inside and not reading.ask("bad news of a CRL with two signature algorithms counts"):
        return False
    return all(reading.ask("%s and still accuses" % one) for one in sorted(crl.irregular))


def listed_reason(crl, certificate, scene, reading):
    """The reason of the entry for the certificate: None if not listed, "remove_from_crl" if only removed."""
    reasons = [one.reason for one in crl.entries_for(certificate, reading) if tells_of_now(crl.this, one.date, scene.time, reading)]
    revoked = [one for one in reasons if one != "remove_from_crl"]
    if revoked:
        return revoked[-1] if len(set(revoked)) == 1 else next(one for one in revoked if one != "certificate_hold")
    return "remove_from_crl" if reasons else None


def complete_claim(crl, signer, covers, certificate, scene, reading):
    """Steps (j) to (l) for a complete CRL; None if its bad news doesn't count."""
    reason = listed_reason(crl, certificate, scene, reading)
    if reason == "remove_from_crl" and not reading.ask("removeFromCRL in a complete CRL revokes"):
        reason = None
    if reason is not None and not accuses_at_all(crl, reading):
        return None
    usable = signer.vouches and reason_free(reason, crl, scene, reading)
    return Claim("crl", signer.authority, reason, covers, usable, crl.this, crl.number, crl.scope_octets,
                 "CRL number %s of %s" % (crl.number, crl.this.isoformat()))


def reason_free(reason, crl, scene, reading):
    """Whether the CRL can vouch; a claim that accuses isn't asked."""
    return reason is None and usable_as_a_whole(crl, reading) and is_current(crl.this, crl.next, scene.time, "a CRL", reading)


def outside_claims(crl, certificate, issuer, scene, reading, status_of, visiting):
    """Bad news of a CRL of the issuer that § 6.3.3 (b)(2) puts out of scope: it doesn't count there; the contract is silent.

    A serial number in a CRL for attribute certificates belongs to another certificate.
    """
    if crl.scope is None or crl.scope.attribute or not same_name(crl.issuer, certificate.issuer):
        return []
    reason = listed_reason(crl, certificate, scene, reading)
    if reason in (None, "remove_from_crl"):
        return []
    found = []
    for signer in signers(crl, certificate, issuer, scene, reading, status_of, visiting):
        if reading.ask("bad news of the issuer's CRL outside of its scope counts") and accuses_at_all(crl, reading):
            found.append(Claim("crl", signer.authority, reason, crl.scope.reasons or ALL_REASONS, False, crl.this, crl.number,
                               crl.scope_octets, "CRL number %s out of scope" % crl.number))
    return found


def delta_claims(delta, signer, covers, certificate, scene, reading, completes):
    """Steps (c), (h) and (i) for a delta CRL: its own bad news, and what it makes of each complete CRL."""
    reason = listed_reason(delta, certificate, scene, reading)
    why = "delta CRL number %s of %s" % (delta.number, delta.this.isoformat())
    found = []
    if reason not in (None, "remove_from_crl"):
        if accuses_at_all(delta, reading):
            found.append(Claim("crl", signer.authority, reason, covers, False, delta.this, delta.number, delta.scope_octets, why))
        return found
    for complete, complete_signer in completes:
        if not can_combine(complete, delta, reading) or complete_signer.key != signer.key:
            continue
        if not (signer.vouches and complete_signer.vouches) or complete.this > scene.time:
            continue
        if not is_current(delta.this, delta.next, scene.time, "a CRL", reading):
            continue
        if not usable_as_a_whole(delta, reading) or not usable_as_a_whole(complete, reading):
            continue
        old = None if reason == "remove_from_crl" else listed_reason(complete, certificate, scene, reading)
        if old == "remove_from_crl" and not reading.ask("removeFromCRL in a complete CRL revokes"):
            old = None
        found.append(Claim("crl", signer.authority, old, covers, old is None, delta.this, delta.number, delta.scope_octets,
                           "%s with the complete CRL number %s" % (why, complete.number)))
    return found


def crl_claims(certificate, issuer, scene, reading, status_of, visiting):
    """Each claim of the CRLs of a scene about the certificate."""
    authentic, found = [], []
    for crl in scene.crls:
        covers = covered_reasons(crl, certificate, reading)
        if not covers:
            found += outside_claims(crl, certificate, issuer, scene, reading, status_of, visiting)
        if covers:
            for signer in signers(crl, certificate, issuer, scene, reading, status_of, visiting):
                authentic.append((crl, signer, covers))
    completes = [(crl, signer) for crl, signer, _ in authentic if crl.base is None]
    for crl, signer, covers in authentic:
        if crl.base is None:
            claim = complete_claim(crl, signer, covers, certificate, scene, reading)
            found += [] if claim is None else [claim]
        else:
            found += delta_claims(crl, signer, covers, certificate, scene, reading, completes)
    return found
