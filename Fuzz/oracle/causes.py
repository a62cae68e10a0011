# SPDX-License-Identifier: Apache-2.0
"""Finds out why the oracle lacks a path that the engine accepts, in words for reasons.toml."""
import base64
import hashlib

import path_certificates
import path_der
import readings


def by_digest(request):
    """Returns the certificates of a request by their SHA-256 in hexadecimal."""
    found = {}
    for key in ("chain", "intermediates", "anchors"):
        for text in request.get(key, []):
            data = base64.b64decode(text)
            found[hashlib.sha256(data).hexdigest()] = data
    return found


def unreadable(data):
    """Returns why the oracle can't read a certificate, or None if it can."""
    try:
        path_certificates.Certificate(data)
    except path_der.Malformed as error:
        return str(error)
    return None


def causes(request, path, answer, oracle):
    """`request` has the profile, and `answer` is the oracle's. Readings of the standard come first, because they check all other rules."""
    known = by_digest(request)
    if not path or any(one not in known for one in path):
        return ["a certificate that the request doesn't have"]
    if len(set(path)) < len(path):
        return ["a certificate twice"]
    found = readings.accepting(request, path, oracle)
    if found:
        return [f"reading: {name}" for name in found]
    found = sorted({f"unreadable: {why}" for why in map(unreadable, (known[one] for one in path)) if why})
    if found:
        return found
    certificates = [path_certificates.read(known[one]) for one in path]
    if any(below.issuer != above.subject for below, above in zip(certificates, certificates[1:])):
        return ["names that differ"]
    return [f"rule: {one['rule']}" for one in answer["refused"] if one["path"] == list(path)] or ["not a path"]
