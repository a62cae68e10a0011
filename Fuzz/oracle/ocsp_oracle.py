# SPDX-License-Identifier: Apache-2.0
"""RFC 6960 § 3.2 and § 4.2.2: the claims of OCSP responses about one certificate."""
from crl_signers import Signer, related, short, standing
from revocation_claims import Claim, is_current, tells_of_now
from revocation_names import ALL_REASONS, same_name
from revocation_signatures import power, verified

OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"


def delegate_standing(delegate, issuer, response, scene, reading, status_of, visiting):
    """§ 4.2.2.2 and § 4.2.2.2.1: whether a delegate may speak: "vouches", "accuses" or None.

    The issuer's key signed the delegate's certificate, which has id-kp-OCSPSigning.
    """
    if delegate.purposes is None or OCSP_SIGNING not in delegate.purposes:
        return None
    weaknesses = delegate.signed_by(issuer)
    strength = None if weaknesses is None else power(weaknesses, reading)
    if strength is None:
        return None
    if delegate.algorithm != delegate.inside or delegate.unknown_critical:
        return None
    if delegate.usage is not None and not delegate.usage & {"digital_signature", "non_repudiation"}:
        if not reading.ask("a delegate whose key usage lacks digitalSignature signs OCSP responses"):
            return None
    if delegate.version != "v3":
        return None
    if not delegate.valid_at(scene.time):
        valid_then = delegate.valid_at(response.produced)
        question = "bad news by a delegate that %s counts" % ("expired since" if valid_then else "was never valid at producedAt")
        return "accuses" if reading.ask(question) else None
    return delegate_revocation(delegate, issuer, strength, reading, status_of, visiting)


def delegate_revocation(delegate, issuer, strength, reading, status_of, visiting):
    """§ 4.2.2.2.1: a delegate with id-pkix-ocsp-nocheck is trusted; another is checked as far as evidence goes."""
    status = "unknown" if delegate.der in visiting else status_of(delegate, issuer, reading, visiting | {delegate.der})
    if status == "revoked":
        if delegate.no_check and reading.ask("id-pkix-ocsp-nocheck outweighs evidence that the delegate is revoked"):
            return strength
        return "accuses" if reading.ask("bad news by a revoked delegate counts") else None
    if status == "unknown" and not delegate.no_check and strength == "vouches":
        if not reading.ask("a delegate without id-pkix-ocsp-nocheck and without a status vouches"):
            return "accuses"
    return strength


def own_signer(response, issuer, reading):
    """§ 4.2.2.2, criterion 2: the key of the certificate's issuer signed the response."""
    weaknesses = verified(issuer.key, response.algorithm, response.signed, response.signature)
    strength = None if weaknesses is None else power(weaknesses, reading)
    if strength is None:
        return []
    if response.names(issuer):
        return [Signer("issuer", strength == "vouches", issuer.key)]
    return [Signer("issuer", False, issuer.key)] if reading.ask("bad news under another responder ID counts") else []


def responders(response, issuer, scene, reading, status_of, visiting):
    """Each Signer that may speak for the issuer."""
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
            place = renewed_standing(other, issuer, scene, reading, status_of, visiting)
            authority = "issuer's other key " + short(other.key)
        if place is None:
            continue
        if not response.names(other):
            if not reading.ask("bad news under another responder ID counts"):
                continue
            place = "accuses"
        found.append(Signer(authority, strength == place == "vouches", other.key))
    return found


def renewed_standing(other, issuer, scene, reading, status_of, visiting):
    """The issuer's renewed key: § 4.2.2.2 speaks of "the certificate of the CA", and of "the same key" for delegates."""
    if not other.is_ca or not same_name(other.subject, issuer.subject) or not related(other, issuer, scene):
        return None
    place = standing(other, scene, reading, status_of, visiting)
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


def is_consistent(response, certificate, issuer, reading):
    """Whether the response says nothing else about the certificate at the same time."""
    others = [one for one in response.singles if one.status == "unknown" and one.is_about(certificate, issuer, reading)]
    return not others or reading.ask("an OCSP response that says both good and unknown vouches")


def may_accuse(response, single, reading):
    """Whether bad news of such a response counts."""
    if (response.unknown_critical or single.unknown_critical) and not reading.ask(
            "bad news of an OCSP response with an unknown critical extension counts"):
        return False
    return all(reading.ask("%s and still accuses" % one) for one in sorted(response.irregular))


def ocsp_claims(certificate, issuer, scene, reading, status_of, visiting):
    """Each claim of the OCSP responses of a scene about the certificate."""
    found = []
    for response in scene.responses:
        about = [one for one in response.singles if one.status != "unknown" and one.is_about(certificate, issuer, reading)]
        for signer in responders(response, issuer, scene, reading, status_of, visiting) if about else ():
            for single in about:
                reason = single.reason if single.status == "revoked" else None
                if reason == "remove_from_crl" and not reading.ask("an OCSP revocation with removeFromCRL revokes"):
                    continue
                if reason is not None and not may_accuse(response, single, reading):
                    continue
                if reason is not None and not tells_of_now(min(single.this, response.produced), single.date, scene.time, reading):
                    continue
                usable = (reason is None and signer.vouches and response.produced <= scene.time
                          and may_vouch(response, single, reading)
                          and is_consistent(response, certificate, issuer, reading)
                          and is_current(single.this, single.next, scene.time, "an OCSP response", reading))
                found.append(Claim("ocsp", signer.authority, reason, ALL_REASONS, usable, single.this,
                                   int(response.produced.timestamp()), None,
                                   "OCSP response of the %s of %s" % (signer.authority, single.this.isoformat())))
    return found
