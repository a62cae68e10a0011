# SPDX-License-Identifier: Apache-2.0
"""NIST's PKITS: the sections whose outcome doesn't depend on CRLs.

Needs the certificates of the PyPI package cryptography-vectors, or PKITS_DATA with the folder that has `certs`.
Every CA certificate of the suite is a candidate, so that the oracle finds the path of each test by itself.
"""
import base64
import importlib.util
import os
import pathlib
import re
import unittest

import path_oracle

P = ["2.16.840.1.101.3.2.1.48.%d" % number for number in range(11)]
EXPLICIT = {"requireExplicit": True}


def only(*numbers, **more):
    return {"acceptable": [P[number] for number in numbers], **more}


# § 4.8 and § 4.10, § 4.12: tests with several settings, whose names don't contain the outcomes.
SETTINGS = {
    "ValidCertificatePathTest1": [(EXPLICIT, True), (only(1, **EXPLICIT), True), (only(2, **EXPLICIT), False), (only(1, 2, **EXPLICIT),
        True)],
    "AllCertificatesNoPoliciesTest2": [({}, True), (EXPLICIT, False)],
    "DifferentPoliciesTest3": [({}, True), (EXPLICIT, False), (only(1, 2, **EXPLICIT), False)],
    "DifferentPoliciesTest4": [({}, False)], "DifferentPoliciesTest5": [({}, False)],
    "OverlappingPoliciesTest6": [({}, True), (only(1), True), (only(2), False)],
    "DifferentPoliciesTest7": [({}, False)], "DifferentPoliciesTest8": [({}, False)], "DifferentPoliciesTest9": [({}, False)],
    "AllCertificatesSamePoliciesTest10": [({}, True), (only(1), True), (only(2), True)],
    "AllCertificatesanyPolicyTest11": [({}, True), (only(1), True)], "DifferentPoliciesTest12": [({}, False)],
    "AllCertificatesSamePoliciesTest13": [(only(1), True), (only(2), True), (only(3), True)],
    "AnyPolicyTest14": [(only(1), True), (only(2), False)],
    "UserNoticeQualifierTest15": [({}, True)], "UserNoticeQualifierTest16": [({}, True)], "UserNoticeQualifierTest17": [({}, True)],
    "UserNoticeQualifierTest18": [(only(1), True), (only(2), True)], "UserNoticeQualifierTest19": [({}, True)],
    "CPSPointerQualifierTest20": [({}, True)],
    "ValidPolicyMappingTest1": [(only(1), True), (only(2), False), ({"inhibitMapping": True}, False)],
    "InvalidPolicyMappingTest2": [({}, False), ({"inhibitMapping": True}, False)],
    "ValidPolicyMappingTest3": [(only(1), False), (only(2), True)],
    "ValidPolicyMappingTest5": [(only(1), True), (only(6), False)], "ValidPolicyMappingTest6": [(only(1), True), (only(6), False)],
    "ValidPolicyMappingTest12": [(only(1), True), (only(2), True)],
    "inhibitAnyPolicyTest3": [({}, True), ({"inhibitAny": True}, False)],
}

# Tests whose outcome a CRL decides (§ 4.4, § 4.5, § 4.7, § 4.14, § 4.15), by a part of the name.
NEEDS_CRL = re.compile(
    r"CRL|Revoked|SeparateCertificate|[dD]istributionPoint|onlyContains|onlySomeReasons|deltaCRL|indirect|cRLIssuer|cRLSign"
    r"|InvalidBasicSelfIssued(Old|New)|InvalidNegativeSerial|InvalidLongSerial")
# RFC 5280 § 6.1.4 (n) decides this one without a CRL.
ALSO = {"InvalidBasicSelfIssuedCRLSigningKeyTest8"}

# The reasons for outcomes that differ from the suite's.
DIFFERENCES = {
    "ValidDSASignaturesTest4": "the contract refuses DSA",
    "ValidDSAParameterInheritanceTest5": "the contract refuses DSA",
}


def folder():
    if "PKITS_DATA" in os.environ:
        return pathlib.Path(os.environ["PKITS_DATA"])
    spec = importlib.util.find_spec("cryptography_vectors")
    return pathlib.Path(spec.origin).parent / "x509/PKITS_data" if spec else None


@unittest.skipUnless(folder(), "cryptography-vectors isn't installed and PKITS_DATA isn't set")
class Pkits(unittest.TestCase):
    def setUp(self):
        files = sorted((folder() / "certs").glob("*.crt"))
        encoded = {file.stem: base64.b64encode(file.read_bytes()).decode() for file in files}
        self.leaves = {stem.removesuffix("EE"): data for stem, data in encoded.items() if stem.endswith("EE")}
        self.anchor = encoded.pop("TrustAnchorRootCertificate")
        self.others = [data for stem, data in encoded.items() if not stem.endswith("EE")]

    def cases(self):
        for name, leaf in self.leaves.items():
            if NEEDS_CRL.search(name) and name not in ALSO:
                continue
            for number, (policies, expected) in enumerate(SETTINGS.get(name) or [({}, name.startswith("Valid"))]):
                yield name, number, leaf, policies, expected

    def test_the_outcomes_are_the_ones_of_the_suite(self):
        agreeing, differing = 0, set()
        for name, number, leaf, policies, expected in self.cases():
            answer = path_oracle.answer({"chain": [leaf], "intermediates": self.others, "anchors": [self.anchor],
                "time": "2024-06-01T00:00:00Z",
                                         "purpose": "any", "profile": "rfc5280", "policies": policies})
            with self.subTest(name, setting=number):
                if bool(answer["paths"]) == expected:
                    agreeing += 1
                else:
                    differing.add(name)
                    self.assertIn(name, DIFFERENCES, answer["refused"][:1])
        self.assertEqual(differing, set(DIFFERENCES))
        print(f"PKITS: {agreeing} agreeing, {len(differing)} differing with a reason")


if __name__ == "__main__":
    unittest.main()
