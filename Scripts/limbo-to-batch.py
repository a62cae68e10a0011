#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts a suite in x509-limbo's schema into lines for `servertrust verify --batch`.

    Scripts/limbo-to-batch.py ../shared/corpora/limbo.json --strict --profile case --with-expected
        | servertrust verify --batch

Writes one line per test case, with the case's ID. Cases with CRLs require a revocation check. `--profile case` uses rfc5280 for the cases of
that namespace and for the one case that contradicts another case of the namespace webpki, and webPKI for all others. `--with-expected` adds
the key `expected` (trusted or rejected), which `verify --batch` ignores. `--check ANSWERS` compares the answers of a run with the suite
instead, and exits with 1 if any differs. `--except ID` names a case for which another answer is intended. The suite's answer is then an error.
"""

import argparse
import gzip
import json
import re
import sys

# Contradicts webpki::ca-as-leaf.
PLAIN = {"pathlen::validation-ignores-pathlen-in-leaf"}


def load(path):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as file:
        return json.load(file)["testcases"]


def der(pem):
    """Returns the base64 between the first BEGIN and END line unchanged: unreadable cases stay unreadable."""
    found = re.search(r"-----BEGIN [^-]*-----(.*?)-----END", pem, re.DOTALL)
    return "".join((found.group(1) if found else pem).split())


def request(case, options):
    line = {
        "id": case["id"],
        "chain": [der(case["peer_certificate"])],
        "intermediates": [der(pem) for pem in case["untrusted_intermediates"]],
        "anchors": [der(pem) for pem in case["trusted_certs"]],
        "purpose": "clientAuth" if case["validation_kind"] == "CLIENT" else "serverAuth",
    }
    if case["expected_peer_name"]:
        line["host"] = case["expected_peer_name"]["value"]
    if case["validation_time"]:
        line["time"] = case["validation_time"]
    if case["max_chain_depth"] is not None:
        line["maximumIntermediates"] = case["max_chain_depth"]
    if case["crls"]:
        line["crls"] = [der(pem) for pem in case["crls"]]
        # Only if a CRL is required do cases that limbo rejects without a usable CRL differ from cases that it accepts.
        line["revocation"] = "required"
    if options.strict:
        line["strict"] = True
    profile = options.profile
    if profile == "case":
        is_plain = case["id"].startswith("rfc5280::") or case["id"] in PLAIN
        profile = "rfc5280" if is_plain else "webPKI"
    if profile != "webPKI":
        line["profile"] = profile
    if options.with_expected:
        line["expected"] = expected(case)
    return line


def expected(case):
    return "trusted" if case["expected_result"] == "SUCCESS" else "rejected"


def check(cases, path, exceptions):
    with (sys.stdin if path == "-" else open(path)) as file:
        answers = [json.loads(line) for line in file]
    wrong = len(answers) != len(cases)
    if wrong:
        print(f"{len(cases)} cases, {len(answers)} answers")
    for case, answer in zip(cases, answers):
        # An unreadable leaf is also a rejection.
        verdict = "trusted" if answer["verdict"] == "trusted" else "rejected"
        differs = verdict != expected(case)
        if answer["id"] != case["id"] or differs != (case["id"] in exceptions):
            wrong = True
            reasons = "; ".join(failure["message"] for failure in answer["failures"])
            print(f"{case['id']}: expected {expected(case)}, found {answer['verdict']} {reasons}")
    excepted = f", {len(exceptions)} exceptions" if exceptions else ""
    print(f"{len(cases)} cases, {'not all' if wrong else 'all'} as expected{excepted}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", help="the suite, .json or .json.gz")
    parser.add_argument("--strict", action="store_true", help="require the strict rules")
    parser.add_argument("--profile", choices=["webPKI", "rfc5280", "case"], default="webPKI")
    parser.add_argument("--with-expected", action="store_true", help="add the answer that the suite expects")
    parser.add_argument("--without", metavar="PREFIX", action="append", default=[], help="skip cases, such as crl::")
    parser.add_argument("--check", metavar="ANSWERS", help="compare answers (- for standard input) with the suite")
    parser.add_argument("--except", metavar="ID", dest="exceptions", action="append", default=[])
    options = parser.parse_args()
    cases = [case for case in load(options.suite) if not case["id"].startswith(tuple(options.without))]
    if options.check:
        return check(cases, options.check, options.exceptions)
    for case in cases:
        sys.stdout.write(json.dumps(request(case, options), separators=(",", ":")) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
