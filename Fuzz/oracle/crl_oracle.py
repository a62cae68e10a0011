# SPDX-License-Identifier: Apache-2.0
"""RFC 5280 § 6.3.3: the claims of CRLs about one certificate, by brute force over each CRL and each pair with a delta CRL."""
from crl_scope import can_combine, covered_reasons, is_named
from crl_signers import signers
from revocation_claims import Claim, counts, is_ahead, is_late


def usable_as_a_whole(crl, reading):
    """Whether a CRL can prove a good status (§ 5.2, § 5.3, § 5.1.1.2): known critical extensions, one algorithm, no irregularity."""
    if crl.unknown_critical or crl.algorithm != crl.inside:
        return False
    return all(reading.ask("%s and still vouches" % one) for one in sorted(crl.irregular))


def accuses_at_all(crl, reading):
    """Whether bad news counts from a CRL that can't prove a good status for these reasons."""
    if crl.unknown_critical and not reading.ask("bad news of a CRL with an unknown critical extension counts"):
        return False
    if crl.algorithm != crl.inside and not reading.ask("bad news of a CRL with two signature algorithms counts"):
        return False
    return all(reading.ask("%s and still accuses" % one) for one in sorted(crl.irregular))


def listing(crl, certificate, reading):
    """Returns the worst entry for the certificate: a revocation before a hold, a hold before a removal, then the earliest."""
    weight = {"remove_from_crl": 2, "certificate_hold": 1}
    found = sorted(crl.entries_for(certificate, reading), key=lambda one: (weight.get(one.reason, 0), one.date))
    return found[0] if found else None


def flaws_of(crl, signer, scene, reading):
    """Returns the flaws that keep the CRL from proving a good status."""
    flaws = set(signer.flaws)
    if is_ahead(crl.this, scene.time, reading):
        flaws.add("ahead")
    if is_late(crl.this, crl.next, scene.time, "a CRL", reading):
        flaws.add("late")
    if not usable_as_a_whole(crl, reading):
        flaws.add("unclear")
    return frozenset(flaws)


def witness(signer, certificate):
    """Returns whose own CRL a claim depends on: the certificate's, the signer's, or None."""
    if signer.key == certificate.key and signer.authority != "issuer":
        return "certificate"
    return "signer" if signer.is_own_witness else None


def complete_claim(crl, signer, covers, certificate, scene, reading):
    """Steps (j) to (l) for a complete CRL."""
    entry = listing(crl, certificate, reading)
    flaws = flaws_of(crl, signer, scene, reading)
    reason = None if entry is None else entry.reason
    if reason == "remove_from_crl" and not reading.ask("removeFromCRL in a complete CRL revokes"):
        reason = None
    silent = reason is not None and not (accuses_at_all(crl, reading) and counts(reason, entry.date, flaws, scene.time, reading))
    return Claim("crl", signer.authority, signer.key, None if silent else reason, covers, flaws, crl.this, crl.number,
                 crl.scope_octets, "CRL number %s of %s" % (crl.number, crl.this.isoformat()), crl, witness=witness(signer, certificate))


def delta_claims(delta, signer, covers, certificate, scene, reading, completes):
    """Steps (c), (h) and (i) for a delta CRL: its own bad news, and its combination with each complete CRL."""
    entry = listing(delta, certificate, reading)
    flaws = flaws_of(delta, signer, scene, reading)
    reason = None if entry is None else entry.reason
    common = (signer.authority, signer.key)
    why = "delta CRL number %s of %s" % (delta.number, delta.this.isoformat())
    if reason not in (None, "remove_from_crl"):
        counted = accuses_at_all(delta, reading) and counts(reason, entry.date, flaws, scene.time, reading)
        return [Claim("crl", *common, reason if counted else None, covers if counted else frozenset(), flaws, delta.this, delta.number,
                      delta.scope_octets, why, delta)]
    # A delta CRL without a complete CRL covers nothing. It may supersede an older delta CRL.
    found = [Claim("crl", *common, None, frozenset(), flaws, delta.this, delta.number, delta.scope_octets, why, delta)]
    for complete, complete_signer in completes:
        if not can_combine(complete, delta, reading) or complete_signer.key != signer.key:
            continue
        before = flaws_of(complete, complete_signer, scene, reading)
        if complete.next is not None or reading.ask("a delta CRL brings a complete CRL without nextUpdate up to date"):
            before -= {"late"}
        if (flaws | before) & {"ahead", "late", "unclear"}:
            continue
        old = listing(complete, certificate, reading)
        old = None if old is None else old.reason
        if old == "remove_from_crl" and not reading.ask("removeFromCRL in a complete CRL revokes"):
            old = None
        if reason == "remove_from_crl" and old is not None:
            if old == "certificate_hold" or reading.ask("removeFromCRL lifts a revocation that isn't a hold"):
                old = None
        if old is not None and not reading.ask("a delta CRL without an entry confirms the entry of an older complete CRL"):
            continue
        found.append(Claim("crl", *common, old, covers, flaws | before, delta.this, delta.number, delta.scope_octets,
                           "%s with the complete CRL number %s" % (why, complete.number), complete, delta_flaws=flaws,
                           witness=witness(signer, certificate)))
    return found


def crl_claims(certificate, issuer, scene, reading, status_of, visiting):
    """Yields each claim of a scene's CRLs about the certificate."""
    covered = [(crl, covered_reasons(crl, certificate, reading)) for crl in scene.crls]
    # A CRL with another scope that lists the certificate, and the CRLs that may supersede it.
    accusing = {crl.scope_octets for crl, covers in covered if not covers and is_named(crl, certificate)
                and crl.entries_for(certificate, reading) and reading.ask("bad news of the issuer's CRL outside of its scope counts")}
    authentic = []
    for crl, covers in covered:
        if covers or crl.scope_octets in accusing and is_named(crl, certificate):
            for signer in signers(crl, certificate, issuer, scene, reading, status_of, visiting):
                authentic.append((crl, signer, covers))
    found = []
    completes = [(crl, signer) for crl, signer, _ in authentic if crl.base is None]
    for crl, signer, covers in authentic:
        if crl.base is None:
            found.append(complete_claim(crl, signer, covers, certificate, scene, reading))
        else:
            found += delta_claims(crl, signer, covers, certificate, scene, reading, completes)
    return found
