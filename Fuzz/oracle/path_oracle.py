# SPDX-License-Identifier: Apache-2.0
"""An independent path validator, written from the text of RFC 5280 § 6, § 4.1 and § 4.2 and from the batch contract.

It has no clever search: it tries every order of the candidates. `answer` returns all acceptable paths of one request.
As a command, it reads requests and writes answers, one per line: path_oracle.py <lines >answers
If a request exceeds a limit, its answer has the key `bound` instead of paths.
"""
import json
import sys

import path_request as requests
import path_validation as validation
from path_policies import TooManyNodes

MAXIMUM_PATHS = 20_000
MAXIMUM_REFUSED = 200


class TooManyPaths(RuntimeError):
    """The candidates form more than `MAXIMUM_PATHS` paths, dead ends included."""


def paths(inputs, limit):
    """Every simple path from the leaf to an anchor, with the leaf first. Only names link certificates (§ 6.1.3 (a)(4)).

    An anchor ends a path, so that a leaf that is an anchor forms the only path.
    """
    if any(anchor.digest == inputs.leaf.digest for anchor in inputs.anchors):
        yield [inputs.leaf]
        return
    anchors, candidates = {}, {}
    for one in inputs.anchors:
        anchors.setdefault(one.subject, []).append(one)
    for one in inputs.candidates:
        candidates.setdefault(one.subject, []).append(one)
    count = 0
    stack = [[inputs.leaf]]
    while stack:
        path = stack.pop()
        issuer = path[-1].issuer
        ends = anchors.get(issuer, ())
        more = [path + [one] for one in candidates.get(issuer, ()) if one not in path]
        count += len(ends) or not more
        if count > limit:
            raise TooManyPaths
        for anchor in ends:
            yield path + [anchor]
        stack += more


def denied(path, serials, keys):
    """The index of the first certificate that is denied, by (issuer DER, serial) or by the hash of its key; or None."""
    for index, one in enumerate(path):
        if (one.issuer_der, one.serial) in serials or one.spki_hash in keys:
            return index
    return None


def check(path, request, inputs, refuses_path, serials, keys):
    """Raises `Refused` if a rule of § 6, the deny lists, or the revocation hook (§ 6.1.3 (a)(3)) refuses the path."""
    validation.validate(path, inputs)
    if serials or keys:
        index = denied(path, serials, keys)
        if index is not None:
            raise validation.Refused("denied", "6.1.3 (a)(3)", index)
    if refuses_path:
        reason = refuses_path(request, [one.der for one in path])
        if reason is not None:
            raise validation.Refused("revocation", "6.1.3 (a)(3)", 0, reason)


def answer(request, *, refuses_path=None, denied_serials=frozenset(), denied_keys=frozenset(), limit=MAXIMUM_PATHS):
    """The answer to one request of the batch contract.

    `refuses_path(request, [DER, leaf first])` evaluates revocation: it returns the reason to refuse the path, or None.
    `denied_serials` has pairs of (issuer DER, serial number), `denied_keys` SHA-256 hashes of SubjectPublicKeyInfo.
    """
    found = {"id": request.get("id") if isinstance(request, dict) else None, "readable": True, "paths": [], "refused": []}
    try:
        inputs = requests.Inputs(request)
    except requests.Unreadable as error:
        return {**found, "readable": False, "reason": str(error)}
    for path in list(paths(inputs, limit)):
        digests = [one.digest for one in path]
        try:
            check(path, request, inputs, refuses_path, denied_serials, denied_keys)
            found["paths"].append(digests)
        except validation.Refused as refused:
            if len(found["refused"]) < MAXIMUM_REFUSED:
                found["refused"].append({"path": digests, "rule": refused.rule, "section": refused.section,
                                         "certificate": refused.certificate, "reason": refused.reason or ""})
    found["paths"].sort()
    return found


def main():
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            request = None
        try:
            found = answer(request)
        except (TooManyPaths, TooManyNodes) as error:
            found = {"id": request.get("id"), "readable": True, "bound": type(error).__name__}
        print(json.dumps(found, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
