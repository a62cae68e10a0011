# SPDX-License-Identifier: Apache-2.0
"""An independent revocation oracle: RFC 5280 § 6.3.3, RFC 6960 § 3.2 and § 4.2.2, and the batch contract.

`revocation_oracle.py <lines >answers`: each line is a batch request with the key `path`, a list of base64 DER
certificates from leaf to anchor. Each answer has `verdict` ("accepted", "refused" or "either"), `refusal` and `statuses`.
"""
import base64
import datetime
import json
import sys

from crl_oracle import crl_claims
from crl_reading import read_crl
from crl_signers import Scene
from ocsp_oracle import ocsp_claims
from ocsp_reading import read_response
from revocation_certificates import read_certificate
from revocation_claims import conclude
from revocation_readings import decisive, explore


def octets(value):
    """DER from base64 or bytes."""
    return value if isinstance(value, bytes) else base64.b64decode(value)


def moment(text):
    """Returns the verify date (default: now)."""
    if text is None:
        return datetime.datetime.now(datetime.timezone.utc)
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def readable(reader, values):
    """Returns each value that the reader can parse, each once."""
    found = {}
    for value in values or ():
        der = octets(value)
        item = reader(der)
        if item is not None:
            found[der] = item
    return list(found.values())


def scene_of(request, path):
    """The scene of a request and a path."""
    certificates = [read_certificate(octets(one)) for one in path]
    if None in certificates:
        raise ValueError("the path has a certificate that can't be read")
    pool = readable(read_certificate, list(request.get("chain") or ()) + list(request.get("intermediates") or ()))
    return Scene(moment(request.get("time")), certificates, pool, readable(read_crl, request.get("crls")),
                 readable(read_response, request.get("ocspResponses")), bool(request.get("exemptShortLived")),
                 request.get("revocation") == "required")


def status_in(scene):
    """The function that finds the status of a certificate of its issuer in a scene."""
    def full(certificate, issuer, reading, visiting, kinds=("crl", "ocsp")):
        # The CRLs about a responder are examined separately, before the responses about it.
        outer = visiting - {"responder"} if "responder" in kinds else visiting
        claims = crl_claims(certificate, issuer, scene, reading, brief, outer) if "crl" in kinds else []
        claims += ocsp_claims(certificate, issuer, scene, reading, brief, visiting) if "ocsp" in kinds else []
        return conclude(claims, issuer, reading)

    def brief(certificate, issuer, reading, visiting, kinds=("crl", "ocsp")):
        """The status of a signer: "accused" if only evidence that can't vouch says that it is revoked, "good by its own list"."""
        return full(certificate, issuer, reading, visiting, kinds)[0]

    def told(*arguments):
        status, by, why = full(*arguments)
        return {"accused": "revoked", "good by its own list": "good"}.get(status, status), by, why

    return told


def status_with_exemptions(found, certificate, scene, reading):
    """RFC 9608 (noRevAvail) and the contract's exemption of short-lived certificates."""
    if certificate.no_revocation and not certificate.is_ca:
        if found[0] == "revoked" and not reading.ask("bad news counts in spite of noRevAvail"):
            return "good", "noRevAvail", "RFC 9608 § 4"
        if found[0] == "unknown":
            return "good", "noRevAvail", "RFC 9608 § 4"
    if found[0] == "unknown" and scene.exempt_short and certificate.end - certificate.start <= datetime.timedelta(days=10):
        if reading.ask("a certificate of at most ten days is exempt as short-lived"):
            return "good", "shortLived", "the request exempts short-lived certificates"
    return found


def explored(request, path):
    """Returns each reading's tuple of (status, by, why), one per certificate except the anchor, or None with too many readings."""
    scene = scene_of(request, path)
    full = status_in(scene)

    def run(reading, at):
        certificate, issuer = scene.path[at], scene.path[at + 1]
        found = full(certificate, issuer, reading, frozenset({certificate.der}))
        return status_with_exemptions(found, certificate, scene, reading)

    return [explore(lambda reading, at=at: run(reading, at)) for at in range(len(scene.path) - 1)]


def statuses(request, path):
    """Returns one {"status", "by", "why"} per certificate except the anchor. "either" lists the statuses of an ambiguous case."""
    answers = []
    for outcomes in explored(request, path):
        if outcomes is None:
            answers.append({"status": "unknown", "by": None, "why": "too many readings",
                            "either": ["good", "revoked", "unknown"], "readings": ["too many readings"]})
            continue
        found = sorted({result[0] for _, result in outcomes})
        first = next(result for _, result in outcomes if result[0] == found[0])
        answer = {"status": first[0], "by": first[1], "why": first[2]}
        if len(found) > 1:
            answer["either"] = found
            answer["readings"] = decisive([(assumed, result[0]) for assumed, result in outcomes])
        answers.append(answer)
    return answers


def judge(request, answers):
    """("accepted" | "refused" | "either", why) from the statuses."""
    possible = [(at, set(one.get("either", [one["status"]])), one) for at, one in enumerate(answers)]
    required = request.get("revocation") == "required"
    refusing = {"revoked", "unknown"} if required else {"revoked"}
    doubtful = []
    for at, found, one in possible:
        if found <= refusing:
            return "refused", "certificate %d is %s: %s" % (at, "/".join(sorted(found)), one["why"])
        if found & refusing:
            doubtful.append("certificate %d: %s" % (at, "; ".join(one.get("readings", []))))
    return ("either", ", ".join(doubtful)) if doubtful else ("accepted", None)


def refusal(request, path):
    """Why revocation refuses the path, or None. An ambiguous case gives a text that begins with "either: "."""
    verdict, why = judge(request, statuses(request, path))
    return None if verdict == "accepted" else why if verdict == "refused" else "either: " + why


def main():
    """Answers each line."""
    for line in sys.stdin:
        if not line.strip():
            continue
        request = json.loads(line)
        try:
            found = statuses(request, request["path"])
            verdict, why = judge(request, found)
            answer = {"id": request.get("id"), "verdict": verdict, "refusal": why, "statuses": found}
        except (ValueError, KeyError) as error:
            answer = {"id": request.get("id"), "verdict": "unreadable", "refusal": str(error), "statuses": []}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
