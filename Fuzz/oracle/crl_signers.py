# SPDX-License-Identifier: Apache-2.0
"""RFC 5280 § 6.3.3 (f) and (g): the certificates whose keys may have signed a CRL, with a path to the same anchor."""
import hashlib
from dataclasses import dataclass

from revocation_names import same_name
from revocation_signatures import power, verified


@dataclass
class Scene:
    """The input of one evaluation."""
    time: object
    path: list          # Certificates, leaf to anchor
    pool: list          # further Certificates: chain and intermediates
    crls: list
    responses: list
    exempt_short: bool = False
    required: bool = False

    @property
    def anchor(self):
        return self.path[-1]

    def above(self, issuer):
        """The CAs of the path from the issuer up."""
        position = next((at for at, one in enumerate(self.path) if one.der == issuer.der), 0)
        return self.path[position:]


@dataclass(frozen=True)
class Signer:
    """A key that signed evidence: its authority, the flaws that keep it from proving a good status (revocation_claims), and the key."""
    authority: str
    flaws: frozenset
    key: bytes
    is_own_witness: bool = False  # whether only the signer's own CRL says that the signer is good


NONE, WEAK, UNCHECKED, OWN_WITNESS = frozenset(), frozenset({"weak"}), frozenset({"unchecked"}), frozenset({"own witness"})
STRENGTH = {"vouches": NONE, "accuses": WEAK}


def routes(signer, scene, depth=6, seen=()):
    """Yields each chain of Certificates from the signer to the anchor of the path, by names and signatures (§ 6.1.3 (a))."""
    if signer.der == scene.anchor.der:
        return [[signer]]
    found = []
    if depth:
        for parent in {one.der: one for one in scene.pool + scene.path}.values():
            if parent.der in seen or parent.der == signer.der or not (parent.is_ca or parent.der == scene.anchor.der):
                continue
            if not parent.may_sign("key_cert_sign") or signer.signed_by(parent) is None:
                continue
            found += [[signer] + rest for rest in routes(parent, scene, depth - 1, seen + (signer.der,))]
    return found


def faults(route, scene):
    """Returns what § 6.1 or the contract rejects in a route, as a set of words."""
    found = set()
    for at, one in enumerate(route):
        if not one.valid_at(scene.time):
            found.add("dates")
        if one.unknown_critical:
            found.add("critical")
        if at + 1 < len(route):
            weaknesses = one.signed_by(route[at + 1])
            if weaknesses - {"null parameters", "sha224"}:
                found.add("weak")
            if one.algorithm != one.inside:
                found.add("critical")
        if at and at + 1 < len(route) and one.version != "v3":
            found.add("version")
        if at and one.constrains:
            found.add("constraints")
        between = [other for other in route[1:at] if not same_name(other.subject, other.issuer)]
        if at and one.path_length is not None and len(between) > one.path_length:
            found.add("path length")
    return found


def standing(signer, about, scene, date, reading, status_of, visiting):
    """Returns the flaws of a signer by its path to the same anchor, or None if it has no authority. `date` is its statement's date.

    OWN_WITNESS isn't a flaw.

    `about` is the certificate in question, which may be the signer's.
    """
    best = None
    for route in routes(signer, scene):
        wrong = faults(route, scene)
        if wrong & {"critical", "version", "path length"}:
            continue
        if "constraints" in wrong and not reading.ask("a CRL signer under name or policy constraints has a valid path"):
            continue
        flaws = NONE
        if "dates" in wrong:
            then = "was valid at" if all(one.valid_at(date) for one in route[:-1]) else "wasn't valid at"
            if not reading.ask("bad news by a CRL signer that isn't valid now and %s thisUpdate counts" % then):
                continue
            flaws = WEAK
        if "weak" in wrong:
            if not reading.ask("bad news by a CRL signer whose path has weak signatures counts"):
                continue
            flaws = WEAK
        found = route_status(route, about, scene, reading, status_of, visiting)
        if found is not None and (best is None or len(found | flaws) < len(best)):
            best = found | flaws
    return best


def route_status(route, about, scene, reading, status_of, visiting):
    """§ 6.1.3 (a)(3) for a signer's path: certificates outside the path in question must not be revoked."""
    members = {one.der for one in scene.path}
    result = NONE
    for at, one in enumerate(route[:-1]):
        if one.der in members:
            continue
        if about is not None and one.der == about.der:
            if not reading.ask("a CRL under the certificate's own key says whether it is revoked"):
                result |= UNCHECKED
            continue
        if one.der in visiting and not reading.ask("a CRL whose signer's status depends on itself counts"):
            return None
        status = "unknown" if one.der in visiting else status_of(one, route[at + 1], reading, visiting | {one.der})
        if status == "revoked":
            if not reading.ask("bad news by a revoked CRL signer counts"):
                return None
            result |= WEAK
        elif status == "accused":
            if not reading.ask("bad news by a CRL signer that doubtful evidence revokes counts"):
                return None
            result |= WEAK
        elif status == "unknown":
            where = " where an answer is required" if scene.required else ""
            if not reading.ask("a CRL signer without a status vouches" + where):
                result |= UNCHECKED
        elif status == "good by its own list":
            result |= OWN_WITNESS
    return result


def related(signer, issuer, scene):
    """Whether a certificate with the issuer's name is the issuer's: of the same parent, or signed by or for its key."""
    position = next((at for at, one in enumerate(scene.path) if one.der == issuer.der), None)
    if signer.signed_by(issuer) is not None or issuer.signed_by(signer) is not None:
        return True
    if position is None or position + 1 >= len(scene.path):
        return False
    return signer.signed_by(scene.path[position + 1]) is not None


def signers(crl, certificate, issuer, scene, reading, status_of, visiting):
    """Yields each Signer of the CRL with authority over the certificate."""
    found = []
    own = same_name(crl.issuer, certificate.issuer)
    weaknesses = verified(issuer.key, crl.algorithm, crl.signed, crl.signature) if own else None
    if weaknesses is not None:
        strength = power(weaknesses, reading)
        if issuer.may_sign("crl_sign"):
            if strength:
                found.append(Signer("issuer", STRENGTH[strength] | identified(crl, issuer, reading), issuer.key))
        elif strength and reading.ask("bad news by the issuer's key without cRLSign counts"):
            found.append(Signer("issuer", WEAK, issuer.key))
    for other in {one.der: one for one in scene.pool + scene.path}.values():
        if other.der == issuer.der or not same_name(other.subject, crl.issuer) or not other.may_sign("crl_sign"):
            continue
        if own and other.key == issuer.key and issuer.may_sign("crl_sign"):
            continue
        weaknesses = verified(other.key, crl.algorithm, crl.signed, crl.signature)
        strength = None if weaknesses is None else power(weaknesses, reading)
        if strength is None:
            continue
        if other.usage is None and not other.is_ca and not reading.ask("an end entity without key usage signs CRLs"):
            continue
        above = scene.above(issuer)
        if other.usage is None and other.is_ca and other.der not in {one.der for one in above}:
            if not reading.ask("a CA without key usage, outside of the path, signs CRLs"):
                continue
        place = standing(other, certificate, scene, crl.this, reading, status_of, visiting)
        if place is None:
            continue
        if own and other.key != issuer.key and not related(other, issuer, scene):
            if not reading.ask("bad news by a CRL signer of the issuer's name that another CA certified counts"):
                continue
            place |= WEAK
        if not own and not near(other, above):
            if not reading.ask("a CRL issuer that a CA outside of the path certified counts"):
                continue
        authority = "CRL issuer " + crl.issuer.human_friendly
        if own:
            authority = "issuer" if other.key == issuer.key else "issuer's other key " + short(other.key)
        flaws = STRENGTH[strength] | place - OWN_WITNESS | identified(crl, other, reading)
        found.append(Signer(authority, flaws, other.key, OWN_WITNESS <= place))
    return found


def identified(crl, signer, reading):
    """§ 5.2.1: the flaw if not: whether the CRL's key identifier names the signer's key. § 6.3.3 doesn't ask; a contradiction is open."""
    if crl.key_identifier is None or signer.identifier is None or crl.key_identifier == signer.identifier:
        return NONE
    return NONE if reading.ask("a CRL whose key identifier names another key vouches") else UNCHECKED


def short(key):
    """Returns a short name of a key."""
    return hashlib.sha256(key).hexdigest()[:8]


def near(signer, above):
    """Whether a CRL issuer is a CA of the path above the certificate, or certified by one."""
    return any(signer.der == one.der or signer.signed_by(one) is not None for one in above)
