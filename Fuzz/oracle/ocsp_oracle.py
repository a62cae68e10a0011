# SPDX-License-Identifier: Apache-2.0
"""RFC 6960 § 3.2 and § 4.2.2: the claims of OCSP responses about one certificate."""
from crl_signers import NONE, OWN_WITNESS, STRENGTH, UNCHECKED, WEAK, Signer, related, short, standing
from revocation_claims import Claim, counts, is_ahead, is_late
from revocation_names import ALL_REASONS, same_name
from revocation_signatures import power, verified

OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"


def delegate_standing(delegate, issuer, response, scene, reading, status_of, visiting):
    """§ 4.2.2.2 and § 4.2.2.2.1: returns the flaws of a delegate, or None if it isn't authorized.

    The issuer's key signed the delegate's certificate, which has id-kp-OCSPSigning.
    """
    if delegate.purposes is None or OCSP_SIGNING not in delegate.purposes:
        return None
    weaknesses = delegate.signed_by(issuer)
    strength = None if weaknesses is None else power(weaknesses, reading)
    if strength is None:
        return None
    flaws = STRENGTH[strength]
    if delegate.algorithm != delegate.inside or delegate.unknown_critical:
        return None
    if delegate.usage is not None and not delegate.usage & {"digital_signature", "non_repudiation"}:
        if not reading.ask("a delegate whose key usage lacks digitalSignature signs OCSP responses"):
            return None
    if delegate.version != "v3":
        return None
    if not delegate.valid_at(scene.time):
        valid_then = delegate.valid_at(response.produced)
        question = "bad news by a delegate that %s counts" % ("isn't valid now" if valid_then else "wasn't valid at producedAt")
        if not reading.ask(question):
            return None
        flaws |= WEAK
    found = delegate_revocation(delegate, issuer, scene, reading, status_of, visiting)
    return None if found is None else found | flaws


def delegate_revocation(delegate, issuer, scene, reading, status_of, visiting):
    """§ 4.2.2.2.1: trusts a delegate with id-pkix-ocsp-nocheck, and checks others as far as there is evidence."""
    kinds = ("crl", "ocsp", "responder")
    if "responder" in visiting:
        # Two responders may vouch for each other.
        kinds = ("crl",)
    elif any(one.is_about(delegate, issuer, reading) for response in scene.responses for one in response.singles):
        if not reading.ask("an OCSP response says whether a delegate is revoked"):
            kinds = ("crl",)
    status = "unknown" if delegate.der in visiting else status_of(delegate, issuer, reading, visiting | {delegate.der, "responder"}, kinds)
    if status in ("revoked", "accused"):
        if delegate.no_check and reading.ask("id-pkix-ocsp-nocheck outweighs evidence that the delegate is revoked"):
            return NONE
        who = "a revoked delegate" if status == "revoked" else "a delegate that doubtful evidence revokes"
        return WEAK if reading.ask("bad news by %s counts" % who) else None
    if status == "unknown" and not delegate.no_check:
        return NONE if reading.ask("a delegate without id-pkix-ocsp-nocheck and without a status vouches") else UNCHECKED
    return OWN_WITNESS if status == "good by its own list" and not delegate.no_check else NONE


def own_signer(response, issuer, reading):
    """§ 4.2.2.2, criterion 2: the key of the certificate's issuer signed the response."""
    weaknesses = verified(issuer.key, response.algorithm, response.signed, response.signature)
    strength = None if weaknesses is None else power(weaknesses, reading)
    if strength is None:
        return []
    if response.names(issuer):
        return [Signer("issuer", STRENGTH[strength], issuer.key)]
    return [Signer("issuer", WEAK, issuer.key)] if reading.ask("bad news under another responder ID counts") else []


def responders(response, issuer, scene, reading, status_of, visiting):
    """Yields each Signer that may answer for the issuer."""
    found = own_signer(response, issuer, reading)
    sent = {one.der for one in response.certificates}
    for other in {one.der: one for one in response.certificates + scene.pool + scene.path}.values():
        weaknesses = None if other.key == issuer.key else verified(other.key, response.algorithm, response.signed, response.signature)
        strength = None if weaknesses is None else power(weaknesses, reading)
        if strength is None:
            continue
        place = delegate_standing(other, issuer, response, scene, reading, status_of, visiting)
        authority = "delegate " + short(other.key)
        if place is not None and other.der not in sent:
            if not reading.ask("a delegate's certificate may come from outside of the response"):
                continue
        if place is None:
            place = renewed_standing(other, issuer, response, scene, reading, status_of, visiting)
            authority = "issuer's other key " + short(other.key)
        if place is None:
            continue
        if not response.names(other):
            if not reading.ask("bad news under another responder ID counts"):
                continue
            place |= WEAK
        found.append(Signer(authority, STRENGTH[strength] | place - OWN_WITNESS, other.key, OWN_WITNESS <= place))
    return found


def renewed_standing(other, issuer, response, scene, reading, status_of, visiting):
    """The issuer's renewed key: § 4.2.2.2 speaks of "the certificate of the CA", and of "the same key" for delegates."""
    if not other.is_ca or not same_name(other.subject, issuer.subject) or not related(other, issuer, scene):
        return None
    place = standing(other, None, scene, response.produced, reading, status_of, visiting)
    if place is None or not reading.ask("the issuer's renewed key signs OCSP responses"):
        return None
    return place


def may_vouch(response, single, reading):
    """§ 4.4: unknown critical extensions; encoding rules."""
    if response.unknown_critical or single.unknown_critical:
        return False
    if response.known_critical and not reading.ask("a critical nonce or other known extension is processed"):
        return False
    return all(reading.ask("%s and still vouches" % one) for one in sorted(response.irregular))


def may_accuse(response, single, reading):
    """Whether bad news of such a response counts."""
    if (response.unknown_critical or single.unknown_critical) and not reading.ask(
            "bad news of an OCSP response with an unknown critical extension counts"):
        return False
    return all(reading.ask("%s and still accuses" % one) for one in sorted(response.irregular))


def flaws_of(response, single, signer, scene, reading):
    """Returns the flaws that keep a statement from proving a good status."""
    flaws = set(signer.flaws)
    if is_ahead(max(response.produced, single.this), scene.time, reading):
        flaws.add("ahead")
    if is_late(single.this, single.next, scene.time, "an OCSP response", reading):
        flaws.add("late")
    if not may_vouch(response, single, reading):
        flaws.add("unclear")
    return frozenset(flaws)


def ocsp_claims(certificate, issuer, scene, reading, status_of, visiting):
    """Yields each claim of a scene's OCSP responses about the certificate."""
    found = []
    for response in scene.responses:
        about = [one for one in response.singles if one.is_about(certificate, issuer, reading)]
        told = [one for one in about if one.status != "unknown"]
        for signer in responders(response, issuer, scene, reading, status_of, visiting) if told else ():
            doubts = any(one.status == "unknown" and not flaws_of(response, one, signer, scene, reading) for one in about)
            for single in told:
                reason = single.reason if single.status == "revoked" else None
                flaws = flaws_of(response, single, signer, scene, reading)
                if "responder" in visiting and signer.authority != "issuer" and not reading.ask("a responder discredits another one"):
                    flaws |= WEAK
                if reason is None:
                    if doubts and not reading.ask("an OCSP response that says both good and unknown vouches"):
                        continue
                else:
                    if reason == "remove_from_crl" and not reading.ask("an OCSP revocation with removeFromCRL revokes"):
                        continue
                    if not may_accuse(response, single, reading) or not counts(reason, single.date, flaws, scene.time, reading):
                        continue
                found.append(Claim("ocsp", signer.authority, signer.key, reason, ALL_REASONS, flaws, single.this,
                                   int(response.produced.timestamp()), None,
                                   "OCSP response of the %s of %s" % (signer.authority, single.this.isoformat()),
                                   witness="signer" if signer.is_own_witness else None))
    return found
