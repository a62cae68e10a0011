#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts how many cases of x509-limbo and BetterTLS each verifier decides as the suite expects.

    Fuzz/differential/suites.py [--corpora FOLDER] [--servertrust FILE] [--write]

--write writes the counts to Documentation/Generated/Assurance. All verifiers get the same requests, except that a peer isn't asked what
its interface here lacks: CRLs (except OpenSSL), a limit on the length of a path, and for Python's cryptography clients. cryptography
has no budget: a case without an answer after 20 seconds counts as not asked.

Exit status: 0 done, 1 a suite is missing.
"""
import argparse
import base64
import binascii
import collections
import importlib.util
import json
import multiprocessing
import os
import subprocess
import sys
import types

import builds
import cryptography
import peers
import running

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# For cases without a date, as in LimboTests.
TODAY = "2026-11-21T00:00:00Z"
UNREADABLE = "AAAA"
# Seconds for one answer of cryptography.
LONGEST = 20


def converter():
    """Returns Scripts/limbo-to-batch.py as a module."""
    spec = importlib.util.spec_from_file_location("limbo_to_batch", os.path.join(ROOT, "Scripts", "limbo-to-batch.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]


def versions():
    return {
        "openssl": first_line("openssl", "version").split()[1], "gnutls": first_line("gnutls-cli", "--version").split()[1],
        "cryptography": cryptography.__version__, "go": first_line("go", "version").split()[2].removeprefix("go"),
    }  # fmt: skip


def readable(text):
    """Returns a text that is base64. The peers read no other."""
    try:
        base64.b64decode(text, validate=True)
    except binascii.Error:
        return UNREADABLE
    return text or UNREADABLE


def request_for_peers(request):
    lists = {name: list(map(readable, request[name])) for name in ("chain", "intermediates", "anchors", "crls") if name in request}
    return {**request, **lists}


def is_asked(peer, request):
    return "maximumIntermediates" not in request and (peer == "openssl" or "crls" not in request)


def cryptography_verdicts(requests):
    """Only another process can end a search that runs too long."""
    pool, verdicts = None, []
    for request in requests:
        pool = pool or multiprocessing.get_context("fork").Pool(1)
        try:
            verdicts.append(pool.apply_async(peers.cryptography, (request,)).get(LONGEST)[0])
        except multiprocessing.TimeoutError:
            verdicts.append(None)
            pool.terminate()
            pool = None
    if pool:
        pool.terminate()
    return verdicts


def answers(settings, requests):
    """Yields each peer with its verdicts."""
    asked = list(map(request_for_peers, requests))
    both = peers.openssl_and_gnutls(settings.c_peers, asked)
    for peer in ("openssl", "gnutls"):
        yield peer, [answer[peer][0] for answer in both]
    yield "cryptography", cryptography_verdicts(asked)
    yield "go", [verdict for verdict, _ in peers.go(settings.go_peer, asked)]


def ours(settings, requests):
    found = peers.run([settings.servertrust, "verify", "--batch"], list(map(json.dumps, requests)), "servertrust")
    return [json.loads(answer)["verdict"] == "trusted" for answer in found]


def count(settings, suite, verifier, version, expected, verdicts):
    counts = collections.Counter()
    for expectation, verdict in zip(expected, verdicts):
        kind = "unasked" if verdict is None else "right" if verdict == expectation else "laxer" if verdict else "stricter"
        counts[kind] += 1
    row = {name: counts[name] for name in ("right", "stricter", "laxer", "unasked")}
    print(f"{suite:12} {verifier:28} {version:8}", *(f"{name} {number:<6}" for name, number in row.items()))
    if settings.write:
        running.record("suites", suite=suite, verifier=verifier, version=version, cases=len(expected) - row["unasked"], **row)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", default=os.environ.get("SERVERTRUST_CORPORA", os.path.join(ROOT, "../shared/corpora")))
    parser.add_argument("--servertrust", default=os.path.join(ROOT, ".build", "release", "servertrust"))
    parser.add_argument("--write", action="store_true")
    settings = parser.parse_args()
    settings.c_peers, settings.go_peer = builds.c_peers(), builds.go_peer()
    limbo, found = converter(), versions()
    for suite, name in (("x509-limbo", "limbo.json"), ("BetterTLS", "bettertls.json.gz")):
        path = os.path.join(settings.corpora, name)
        if not os.path.exists(path):
            print(f"suites: error: {path} is missing; Scripts/fetch-conformance-suites fetches it", file=sys.stderr)
            return 1
        cases = limbo.load(path)
        expected = [limbo.expected(case) == "trusted" for case in cases]
        for title, strict, profile in (("this package, strict rules", True, "case"), ("this package, default rules", False, "webPKI")):
            options = types.SimpleNamespace(strict=strict, profile=profile, with_expected=False)
            requests = [{"time": TODAY, **limbo.request(case, options)} for case in cases]
            for request in requests:
                request["time"] = request["time"].replace("+00:00", "Z")
            count(settings, suite, title, "-", expected, ours(settings, requests))
        for peer, verdicts in answers(settings, requests):
            verdicts = [verdict if is_asked(peer, request) else None for request, verdict in zip(requests, verdicts)]
            count(settings, suite, peers.TITLES[peer], found[peer], expected, verdicts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
