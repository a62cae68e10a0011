# SPDX-License-Identifier: Apache-2.0
"""The authorities and certificates that the tests of the revocation oracle share."""
from authorities import DAY, NOW, OCSP_SIGNING, certificate, key
from evidence import crl, distribution_points, entry, ocsp, single
import revocation_oracle

SERIAL = 4711
root_key, ca_key, new_key, leaf_key = key("root"), key("ca"), key("new"), key("leaf")
root = certificate("Root", root_key, "Root", root_key, ca=True)
ca = certificate("CA", ca_key, "Root", root_key, ca=True)
leaf = certificate("leaf", leaf_key, "CA", ca_key, serial=SERIAL)
renewed = certificate("CA", new_key, "Root", root_key, ca=True)
self_issued = certificate("CA", new_key, "CA", ca_key, ca=True)
impostor_key = key("impostor")
impostor = certificate("CA", impostor_key, "CA", impostor_key, ca=True)
other_root = certificate("Root", impostor_key, "Root", impostor_key, ca=True)
elsewhere = certificate("CA", impostor_key, "Root", impostor_key, ca=True)
unrelated_key = key("unrelated")
unrelated = certificate("Unrelated", unrelated_key, "Root", root_key, ca=True)
other_branch = certificate("CA", key("branch"), "Unrelated", unrelated_key, ca=True)
issuer_key = key("issuer")
crl_issuer = certificate("CRL Issuer", issuer_key, "Root", root_key, usage={"crl_sign"})
no_sign = certificate("CA", key("no sign"), "Root", root_key, ca=True, usage={"key_cert_sign"})
delegate_key = key("delegate")
short_key = key("short", "rsa1024")


def delegate(subject_key=delegate_key, issuer="CA", signer=ca_key, **options):
    """A delegate's certificate; with id-pkix-ocsp-nocheck unless `no_check` says otherwise."""
    fields = {"purposes": [OCSP_SIGNING], "no_check": True, "usage": {"digital_signature"}, **options}
    return certificate("Responder", subject_key, issuer, signer, **fields)


def listing(reason=None, at=NOW - 10 * DAY, serial=SERIAL, **options):
    """An entry for the leaf."""
    return entry(serial, at, reason, **options)


def made(entries=(), start=-1, end=1, by=ca, signer=ca_key, **options):
    """A CRL with dates in days from the verify date."""
    return crl(by, signer, NOW + start * DAY, None if end is None else NOW + end * DAY, entries, **options)


def answer(status="good", start=-1, end=1, signer=ca_key, by=ca, about=ca, serial=SERIAL, produced=None, sent=(), reason=None,
           at=NOW - 20 * DAY, single_options=None, named="key", **options):
    """An OCSP response with dates in days from the verify date."""
    one = single(about, serial, status, NOW + start * DAY, None if end is None else NOW + end * DAY, reason=reason, at=at,
                 **(single_options or {}))
    return ocsp(signer, [one], produced=NOW + (start if produced is None else produced) * DAY, responder=by, certificates=sent,
                by=named, **options)


def spoken(sent, status="good", signer=delegate_key, **options):
    """A delegate's OCSP response that sends the delegate's certificate along."""
    return answer(status, signer=signer, by=sent, sent=[sent], **options)


def leaf_with(points):
    """The leaf with distribution points."""
    return certificate("leaf", leaf_key, "CA", ca_key, serial=SERIAL, points=distribution_points(points))


root_list = crl(root, root_key, NOW - DAY, NOW + DAY)


def request(crls=(), responses=(), *, subject=leaf, more=(), revocation="off", path=None, time=NOW):
    """A batch request and its path."""
    line = {"time": time.isoformat(), "crls": list(crls), "ocspResponses": list(responses), "chain": [subject],
            "intermediates": [ca, *more], "anchors": [root], "revocation": revocation}
    return line, path or [subject, ca, root]


def found(crls=(), responses=(), **options):
    """The status of the leaf, or "a/b" where readings differ."""
    line, path = request(crls, responses, **options)
    status = revocation_oracle.statuses(line, path)[0]
    return "/".join(status.get("either", [status["status"]]))
