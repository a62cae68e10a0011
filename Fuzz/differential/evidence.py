# SPDX-License-Identifier: Apache-2.0
"""CRLs and OCSP responses for half of all chains.

Every certificate of a chain gets good evidence from its issuer, except one, the target. The tag names the form, the mode of the request,
the kind of evidence about the target, and the target: `evidence.crl.required.late-revoked@leaf`.
"""
import datetime
import re

import der
import revocation
from chain import *

MODES = ("off", "bestEffort", "required")
DAY = datetime.timedelta(days=1)
FRESH = (NOW - DAY, NOW + 6 * DAY)
EARLY = (NOW + DAY, NOW + 6 * DAY)
LATE = (NOW - 30 * DAY, NOW - 20 * DAY)
OLDER, NEWER = (NOW - 3 * DAY, NOW + 4 * DAY), (NOW - DAY / 2, NOW + 6 * DAY)

# The effect of the target's evidence on an otherwise valid path. "revoked": it refuses the path in any mode. "vouches": the status is good.
# "nothing": the evidence isn't usable, which `required` refuses. "either": it depends on rules that aren't in this file.
KINDS = {
    "good": "vouches", "revoked": "revoked", "absent": "nothing",
    # Authentic, but it can't prove a good status: signed with SHA-1, dated in the future, or outdated. Its bad news still counts.
    "weak-good": "nothing", "early-good": "nothing", "late-good": "nothing",
    "weak-revoked": "revoked", "early-revoked": "revoked", "late-revoked": "revoked",
    # Not authentic: another key under the issuer's name, or a wrong signature. It says that the target is revoked.
    "impostor": "nothing", "broken": "nothing", "impostor-beside-good": "vouches", "stranger-beside-good": "vouches",
    # The impostor's is newer and says good.
    "revoked-beside-impostor": "revoked",
    # On hold in the older list, and not in the newer one.
    "lifted": "either",
}  # fmt: skip
# OCSP responses by another certificate's key.
DELEGATED = {"delegate": "vouches", "delegate-revoked": "revoked", "delegate-impostor": "nothing", "delegate-without-purpose": "nothing"}
FORMS = {
    "crl": list(KINDS),
    "ocsp": [kind for kind in KINDS if kind != "lifted"] + list(DELEGATED),
    # A CRL without the certificate, and a response of the same day that it is revoked.
    "both": ["revoked"],
}

# Mutations that don't change who may sign evidence or how a certificate is found in it.
OF_LEAF = r"(extended|dates|usage|identifiers|key|public-key|version|algorithm|encoding(?!.*serial))\..*@leaf$"
OF_ALL = r"(identity|extended|purpose|policy|policy-form|constraints|constraints-form|basic|extension|identifiers)\."
HARMLESS = re.compile(f"{OF_ALL}|{OF_LEAF}")
# A delegate has a certificate, which must satisfy the constraints in the CA's certificate.
HARMLESS_FOR_DELEGATES = re.compile(rf"identity\.|{OF_LEAF}")
# The issuer says that the leaf is revoked: every path has the leaf, unless the leaf is an anchor.
HARMLESS_TO_REVOKED_LEAF = re.compile(r"shape\.(?!leaf-anchor|self-signed-leaf)")


def add(chain, r):
    """Adds evidence about the certificates of a chain, and sets the outcome if only the evidence decides it."""
    above = []
    one = chain.leaf
    while one.parent is not None and one not in above:
        above.append(one)
        one = one.parent
    if not above:
        return
    target = above[0] if r.random() < 0.5 else r.choice(above)
    mode = r.choice(MODES)
    form = r.choices(list(FORMS), [5, 4, 1])[0]
    kind = "good" if form != "both" and r.random() < 0.25 else r.choice(FORMS[form])
    if not target.parent.key.fits("sha1") and kind.startswith("weak-"):
        kind = kind.removeprefix("weak-")
    chain.revocation = mode
    others = [one for one in certificates(chain, above) if one is not target]
    if form == "ocsp":
        chain.crls = []
        chain.responses = [response for one in others for response in responses(chain, one, "good")]
        chain.responses += responses(chain, target, kind)
    else:
        chain.crls = lists(chain, target, others, "good" if form == "both" else kind)
        chain.responses = responses(chain, target, "revoked") if form == "both" else []
    r.shuffle(chain.crls)
    r.shuffle(chain.responses)
    effect = {**KINDS, **DELEGATED}[kind]
    harmless = [HARMLESS_FOR_DELEGATES if kind in DELEGATED else HARMLESS]
    if effect == "revoked" and target is chain.leaf:
        harmless.append(HARMLESS_TO_REVOKED_LEAF)
    decide(chain, mode, effect, all(any(one.match(tag) for one in harmless) for tag in chain.tags))
    chain.tags.append(f"evidence.{form}.{mode}.{kind}@{target.role}")


def decide(chain, mode, effect, is_clean):
    """Writes the outcome into `chain.expected`. `is_clean` means that no mutation affects the evidence."""
    refuses = effect == "revoked" or effect == "nothing" and mode == "required"
    if refuses and is_clean:
        chain.expected = dict.fromkeys(PROFILES, "rejected")
    elif refuses or effect == "either" or mode == "required" and not is_clean:
        # Evidence can't make a path trusted if something else refuses it.
        chain.expected = {profile: None if expected == "trusted" else expected for profile, expected in chain.expected.items()}


def certificates(chain, above):
    """Returns the certificates of a request that have an issuer, each once."""
    found = []
    for one in [*above, *chain.path, *(chain.sent or []), *chain.extra, *chain.intermediates, *(chain.anchors or [])]:
        if not isinstance(one, bytes) and one.parent is not None and all(one is not other for other in found):
            found.append(one)
    return found


def lists(chain, target, others, kind):
    """Creates a CRL for each issuer, and the CRLs of `kind` from the target's issuer."""
    issuers = []
    for one in others:
        if all(not same(one.parent, issuer) for issuer in issuers) and not same(one.parent, target.parent):
            issuers.append(one.parent)
    made = [revocation.crl(issuer.subject, issuer.key, [], FRESH) for issuer in issuers]
    issuer, key = target.parent.subject, target.parent.key
    impostor, stranger = chain.keys.get("p256", 120), chain.keys.get("p256", 121)
    bad = [target.serial_number()]
    crl = lambda serials, dates=FRESH, signer=None, **more: revocation.crl(issuer, key, serials, dates, signer=signer, **more)
    quality, _, statement = kind.rpartition("-")
    if quality in ("weak", "early", "late"):
        serials = bad if statement == "revoked" else []
        made.append(crl(serials, {"early": EARLY, "late": LATE}.get(quality, FRESH), scheme="sha1" if quality == "weak" else None))
        return made
    return made + {
        "good": lambda: [crl([])],
        "revoked": lambda: [crl(bad)],
        "absent": lambda: [],
        "impostor": lambda: [crl(bad, signer=impostor)],
        "broken": lambda: [crl(bad, broken=True)],
        "impostor-beside-good": lambda: [crl([]), crl(bad, NEWER, signer=impostor)],
        "stranger-beside-good": lambda: [crl([]), revocation.crl(der.name((der.CN, "Stranger")), stranger, bad, NEWER)],
        "revoked-beside-impostor": lambda: [crl(bad), crl([], NEWER, signer=impostor)],
        "lifted": lambda: [crl(bad, OLDER, reason=6), crl([], NEWER)],
    }[kind]()


def responses(chain, one, kind):
    """Creates the OCSP responses of `kind` about one certificate."""
    # The name in the certificate's spelling (RFC 6960 § 4.1.1).
    issuer, key = one.issuer or one.parent.subject, one.parent.key
    impostor, stranger = chain.keys.get("p256", 120), chain.keys.get("p256", 121)
    strange = lambda: revocation.ocsp(der.name((der.CN, "Stranger")), stranger, one.serial_number(), True, NEWER)
    ocsp = lambda revoked, dates=FRESH, **more: revocation.ocsp(issuer, key, one.serial_number(), revoked, dates, **more)
    quality, _, statement = kind.rpartition("-")
    if quality in ("weak", "early", "late"):
        dates = {"early": EARLY, "late": LATE}.get(quality, FRESH)
        return [ocsp(statement == "revoked", dates, scheme="sha1" if quality == "weak" else None)]
    if kind.startswith("delegate"):
        parent = one.parent
        if kind == "delegate-impostor":
            parent = Certificate("anchor", impostor, parent.subject)
        name = der.name((der.C, der.string("XX", "printable")), (der.O, "Differential"), (der.CN, "Responder"))
        delegate = Certificate("leaf", chain.keys.get("p256", 122), name, parent)
        delegate.set(EKU, purposes(SERVER if kind == "delegate-without-purpose" else revocation.OCSP_SIGNING))
        delegate.set(revocation.NO_CHECK, der.NULL)
        return [ocsp(kind != "delegate", delegate=delegate)]
    return {
        "good": lambda: [ocsp(False)],
        "revoked": lambda: [ocsp(True)],
        "absent": lambda: [],
        "impostor": lambda: [ocsp(True, signer=impostor)],
        "broken": lambda: [ocsp(True, broken=True)],
        "impostor-beside-good": lambda: [ocsp(False), ocsp(True, NEWER, signer=impostor)],
        "stranger-beside-good": lambda: [ocsp(False), strange()],
        "revoked-beside-impostor": lambda: [ocsp(True), ocsp(False, NEWER, signer=impostor)],
    }[kind]()


def same(one, other):
    """Whether two issuers share their CRLs: same name and key."""
    return one is other or one.subject == other.subject and one.key is other.key
