#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts NIST's Public Key Interoperability Test Suite (PKITS) into lines for `servertrust verify --batch`.

    pip download --no-deps cryptography-vectors && unzip -q cryptography_vectors-*.whl
    Scripts/pkits-to-batch.py cryptography_vectors/x509/PKITS_data > pkits.jsonl
    servertrust verify --batch < pkits.jsonl > answers.jsonl
    Scripts/pkits-to-batch.py cryptography_vectors/x509/PKITS_data --compare answers.jsonl

Downloads nothing. Each test's certificates and CRLs come from its S/MIME message in the folder `smime`. So does the expected
result: the message's name contains Valid or Invalid. The tables below list tests without such a word and tests with several inputs,
from section 4 of the suite's documentation. All requests require revocation and use the profile rfc5280 and the purpose any.

With --everything, each request contains all certificates and CRLs of the suite, so that the verifier must find the right ones.
--section 4.4 (may be repeated) only writes or compares tests of that section.

--compare prints right and wrong answers for each section, and exits with 1 for a wrong answer that isn't a known difference. With --write,
it also writes the counts to Documentation/Generated/Assurance.
"""

import argparse
import base64
import json
import pathlib
import re
import subprocess
import sys

TIME = "2015-06-01T00:00:00Z"

# Each section with the number of its tests and a pattern for their names, without the leading Valid or Invalid.
SECTIONS = [
    ("4.1", 6, r"(Signatures|CASignature|EESignature|DSA\w*)Test"),
    ("4.2", 8, r"(CAnot|EEnot|pre2000UTC\w*not|GeneralizedTimenot)"),
    ("4.3", 11, r"(NameChaining|RFC3280|UTF8String|Rollover)"),
    ("4.4", 21, r"(MissingCRL|RevokedCA|RevokedEE|BadCRL|WrongCRL|TwoCRLs|UnknownCRL|OldCRL|pre2000CRL|GeneralizedTimeCRL"
                r"|NegativeSerial|LongSerial|SeparateCertificate)"),
    ("4.5", 8, r"BasicSelfIssued"),
    ("4.6", 17, r"(MissingbasicConstraints|cAFalse|basicConstraints|pathLen|SelfIssuedpathLen)"),
    ("4.7", 5, r"keyUsage"),
    ("4.8", 20, r"(AllCertificates|DifferentPolicies|OverlappingPolicies|AnyPolicyTest14|UserNotice|CPSPointer)"),
    ("4.9", 8, r"(RequireExplicit|SelfIssuedrequireExplicit)"),
    ("4.10", 14, r"(PolicyMapping|Mapping(From|To)any)"),
    ("4.11", 11, r"(inhibitPolicyMapping|SelfIssuedinhibitPolicyMapping)"),
    ("4.12", 10, r"(inhibitAny|SelfIssuedinhibitAny)"),
    ("4.13", 38, r"(DNname|DNandRFC822|RFC822name|DNSname|URIname|SelfIssuedDNname)"),
    ("4.14", 35, r"(distributionPoint|NoissuingDistributionPoint|onlyContains|onlySome|IDPwith|cRLIssuer)"),
    ("4.15", 10, r"deltaCRL"),
    ("4.16", 2, r"Unknown(Not)?CriticalCertificate"),
]


def policies(*numbers, **flags):
    """Returns the inputs of a run: user-initial-policy-set by the numbers of NIST-test-policy, and flags."""
    inputs = {name: True for name in flags}
    if numbers:
        inputs["acceptable"] = [f"2.16.840.1.101.3.2.1.48.{number}" for number in numbers]
    return inputs


EXPLICIT = {"requireExplicit": True}
DEFAULT = policies()

# The inputs, and whether the path validates with them, for tests whose names aren't sufficient.
RUNS = {
    "4.8.1": [(policies(**EXPLICIT), True), (policies(1, **EXPLICIT), True), (policies(2, **EXPLICIT), False),
              (policies(1, 2, **EXPLICIT), True)],
    "4.8.2": [(DEFAULT, True), (policies(**EXPLICIT), False)],
    "4.8.3": [(DEFAULT, True), (policies(**EXPLICIT), False), (policies(1, 2, **EXPLICIT), False)],
    "4.8.4": [(DEFAULT, False)],
    "4.8.5": [(DEFAULT, False)],
    "4.8.6": [(DEFAULT, True), (policies(1), True), (policies(2), False)],
    "4.8.7": [(DEFAULT, False)],
    "4.8.8": [(DEFAULT, False)],
    "4.8.9": [(DEFAULT, False)],
    "4.8.10": [(DEFAULT, True), (policies(1), True), (policies(2), True)],
    "4.8.11": [(DEFAULT, True), (policies(1), True)],
    "4.8.12": [(DEFAULT, False)],
    "4.8.13": [(policies(1), True), (policies(2), True), (policies(3), True)],
    "4.8.14": [(policies(1), True), (policies(2), False)],
    "4.8.15": [(DEFAULT, True)],
    "4.8.16": [(DEFAULT, True)],
    "4.8.17": [(DEFAULT, True)],
    "4.8.18": [(policies(1), True), (policies(2), True)],
    "4.8.19": [(DEFAULT, True)],
    "4.8.20": [(DEFAULT, True)],
    "4.10.1": [(policies(1), True), (policies(2), False), (policies(inhibitMapping=True), False)],
    "4.10.2": [(DEFAULT, False), (policies(inhibitMapping=True), False)],
    "4.10.3": [(policies(1), False), (policies(2), True)],
    "4.10.5": [(policies(1), True), (policies(6), False)],
    "4.10.6": [(policies(1), True), (policies(6), False)],
    "4.10.12": [(policies(1), True), (policies(2), True)],
    "4.12.3": [(DEFAULT, True), (policies(inhibitAny=True), False)],
    "4.4.1": [(DEFAULT, False)],
}

# The tests for which this project gives another answer, with the reason.
DIFFERENCES = {
    "4.1.4": "DSA signatures are not verified",
    "4.1.5": "DSA signatures are not verified",
}


def element(data, start):
    """Returns the tag, start of the contents and end of the DER element at `start`."""
    length = data[start + 1]
    content = start + 2
    if length >= 0x80:
        count = length & 0x7F
        length = int.from_bytes(data[content:content + count], "big")
        content += count
    return data[start], content, content + length


def members(data, start, end):
    while start < end:
        tag, content, stop = element(data, start)
        yield tag, start, content, stop
        start = stop


def signed_data(path):
    """Returns the DER certificates and CRLs of an S/MIME message (RFC 5652 § 5.1)."""
    text = path.read_text(errors="replace")
    body = re.search(r"smime\.p7s\"?\s*\n(?:[^\n]*:[^\n]*\n)*\s*\n(.*?)\n-----", text, re.S | re.I).group(1)
    data = base64.b64decode(re.sub(r"\s", "", body))
    _, content, end = element(data, 0)
    wrapped = [member for member in members(data, content, end) if member[0] == 0xA0][0]
    _, content, end = element(data, wrapped[2])
    certificates, crls = [], []
    for tag, _, content, stop in members(data, content, end):
        into = {0xA0: certificates, 0xA1: crls}.get(tag)
        if into is not None:
            into += [data[first:last] for _, first, _, last in members(data, content, stop)]
    return certificates, crls


def subject_and_issuer(der):
    """Returns the names in a certificate as DER."""
    _, content, _ = element(der, 0)
    _, content, end = element(der, content)
    # version, serialNumber, signature, issuer, validity, subject
    fields = [(first, last) for _, first, _, last in members(der, content, end)]
    if der[content] != 0xA0:
        fields.insert(0, None)
    issuer, subject = fields[3], fields[5]
    return der[subject[0]:subject[1]], der[issuer[0]:issuer[1]]


def section(name):
    """Returns the section and number of a test from the name of its message."""
    plain = re.sub(r"^(Valid|Invalid)", "", name)
    number = int(re.search(r"Test(\d+)$", name).group(1))
    # For example, inhibitPolicyMapping comes before PolicyMapping, because patterns match from the start.
    for title, count, pattern in SECTIONS:
        if re.match(pattern, plain):
            return title, number, count
    raise SystemExit(f"{name} belongs to no known section")


def tests(folder):
    for path in sorted((folder / "smime").glob("Signed*.eml")):
        name = path.stem.removeprefix("Signed")
        title, number, _ = section(name)
        test = f"{title}.{number}"
        if test in RUNS:
            runs = RUNS[test]
        elif name.startswith(("Valid", "Invalid")):
            runs = [(DEFAULT, name.startswith("Valid"))]
        else:
            raise SystemExit(f"{name}: neither Valid nor Invalid, and not listed")
        for index, (inputs, is_valid) in enumerate(runs, 1):
            yield f"{test} {name}" + (f" run {index}" if len(runs) > 1 else ""), path, title, inputs, is_valid


def order(identifier):
    return [int(part) for part in identifier.split(" ")[0].split(".")] + [identifier]


def text(ders):
    return [base64.b64encode(der).decode() for der in ders]


def write(folder, cases, everything):
    anchor = (folder / "certs" / "TrustAnchorRootCertificate.crt").read_bytes()
    all_certificates = [path.read_bytes() for path in sorted((folder / "certs").glob("*.crt"))]
    all_crls = [path.read_bytes() for path in sorted((folder / "crls").glob("*.crl"))]
    leaves = {}
    for path in (folder / "certs").glob("*EE.crt"):
        leaves[path.stem.removesuffix("EE").lower()] = path.read_bytes()
    for identifier, path, _, inputs, _ in cases:
        certificates, crls = signed_data(path)
        leaf = leaves.get(path.stem.removeprefix("Signed").lower())
        if leaf is None:
            # The message's signer is the only certificate that can't be the issuer of another one.
            candidates = [der for der in certificates if der in leaves.values()]
            if len(candidates) != 1:
                raise SystemExit(f"{path.name}: no end entity certificate")
            leaf = candidates[0]
        # The message of 4.14.18 contains the CA of another test.
        is_whole = any(subject_and_issuer(der)[0] == subject_and_issuer(leaf)[1] for der in certificates + [anchor])
        takes_all = everything or not is_whole
        others = [der for der in (all_certificates if takes_all else certificates) if der not in (leaf, anchor)]
        request = {
            "id": identifier, "chain": text([leaf]), "intermediates": text(others), "anchors": text([anchor]),
            "time": TIME, "purpose": "any", "profile": "rfc5280", "revocation": "required",
            "crls": text(all_crls if takes_all else crls), "policies": inputs,
        }
        print(json.dumps(request))


def compare(cases, answers):
    verdicts = {}
    for line in answers.read_text().splitlines():
        answer = json.loads(line)
        verdicts[answer["id"]] = answer
    totals = {}
    unexplained = 0
    for identifier, _, title, _, is_valid in cases:
        answer = verdicts.get(identifier)
        if answer is None:
            raise SystemExit(f"no answer to {identifier}")
        right, known, wrong = totals.get(title, (0, 0, 0))
        test = identifier.split(" ")[0]
        if (answer["verdict"] == "trusted") == is_valid:
            totals[title] = (right + 1, known, wrong)
            if test in DIFFERENCES:
                print(f"{identifier}: a known difference, but the answer is as expected")
                unexplained += 1
            continue
        codes = [failure["code"] for failure in answer["failures"]]
        if test in DIFFERENCES:
            totals[title] = (right, known + 1, wrong)
            print(f"{identifier}: {answer['verdict']} {codes}, known: {DIFFERENCES[test]}")
        else:
            totals[title] = (right, known, wrong + 1)
            unexplained += 1
            expected = "trusted" if is_valid else "rejected"
            found = [failure.get("message") for failure in answer["failures"]] + answer.get("warnings", [])
            print(f"{identifier}: {answer['verdict']} {codes}, expected {expected}: {found}")
    for title, _, _ in SECTIONS:
        if title in totals:
            right, known, wrong = totals[title]
            print(f"{title}: {right} right, {known} known differences, {wrong} wrong")
    return unexplained


def record(cases, answers, everything):
    """Records the counts for Documentation/Generated/Assurance.md."""
    verdicts = {answer["id"]: answer["verdict"] for answer in map(json.loads, answers.read_text().splitlines())}
    found = [(verdicts[identifier] == "trusted", is_valid) for identifier, _, _, _, is_valid in cases]
    counts = {"cases": len(found), "right": sum(one == other for one, other in found), "unasked": 0,
              "stricter": found.count((False, True)), "laxer": found.count((True, False))}
    suite = "PKITS, each test with all certificates and CRLs" if everything else "PKITS"
    subprocess.run([pathlib.Path(__file__).parent / "assurance", "--record", "suites", f"suite={suite}", "verifier=this package, default rules",
                    *(f"{name}={count}" for name, count in counts.items())], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="the folder PKITS_data")
    parser.add_argument("--everything", action="store_true", help="put all certificates and CRLs into each request")
    parser.add_argument("--section", action="append", help="4.1 to 4.16; may be repeated")
    parser.add_argument("--compare", type=pathlib.Path, metavar="ANSWERS", help="answers, as JSON Lines")
    parser.add_argument("--write", action="store_true", help="with --compare: write the counts for the page Assurance")
    arguments = parser.parse_args()
    cases = sorted(tests(arguments.folder), key=lambda case: order(case[0]))
    for title, count, _ in SECTIONS:
        found = len({case[1] for case in cases if case[2] == title})
        if found != count:
            raise SystemExit(f"section {title} has {found} tests, not {count}")
    if arguments.section:
        cases = [case for case in cases if case[2] in arguments.section]
    if arguments.compare:
        if arguments.write and not arguments.section:
            record(cases, arguments.compare, arguments.everything)
        sys.exit(1 if compare(cases, arguments.compare) else 0)
    write(arguments.folder, cases, arguments.everything)


if __name__ == "__main__":
    main()
