# SPDX-License-Identifier: Apache-2.0
"""x509-limbo: every case under both profiles. LIMBO_JSON names the suite's file."""
import collections
import json
import os
import unittest

import path_oracle
from path_limbo_differences import DIFFERENCES

# Millions of name comparisons take seconds for each case, and DIFFERENCES explains the outcome.
SLOW = {"pathological::nc-dos-1", "pathological::nc-dos-2", "pathological::nc-dos-3"}


def body(pem):
    return "".join(line for line in pem.splitlines() if "-----" not in line)


def request(case, profile):
    found = {"chain": [body(case["peer_certificate"])], "intermediates": [body(one) for one in case["untrusted_intermediates"]],
             "anchors": [body(one) for one in case["trusted_certs"]], "time": case["validation_time"], "profile": profile,
             "purpose": "clientAuth" if case["validation_kind"] == "CLIENT" else "serverAuth",
             "maximumIntermediates": case["max_chain_depth"]}
    peer = case["expected_peer_name"]
    if peer and peer["kind"] in ("DNS", "IP"):
        found["host"] = peer["value"]
    return found


def accepts(case, profile):
    try:
        return bool(path_oracle.answer(request(case, profile), limit=2_000)["paths"])
    except path_oracle.TooManyPaths:
        return False


@unittest.skipUnless("LIMBO_JSON" in os.environ, "LIMBO_JSON isn't set")
class Limbo(unittest.TestCase):
    def test_each_difference_has_its_reason(self):
        with open(os.environ["LIMBO_JSON"], encoding="utf-8") as file:
            cases = json.load(file)["testcases"]
        for profile in ("webPKI", "rfc5280"):
            reasons, seen = collections.Counter(), set()
            for case in cases:
                if case["id"] in SLOW:
                    continue
                with self.subTest(case["id"], profile=profile):
                    reason, profiles = DIFFERENCES.get(case["id"], ("agreeing", ()))
                    same = accepts(case, profile) == (case["expected_result"] == "SUCCESS")
                    self.assertEqual(same, profile not in profiles, case["description"])
                    reasons["agreeing" if same else reason] += 1
                    seen.add(case["id"])
            self.assertLessEqual(set(DIFFERENCES), seen | SLOW)
            print(profile, *(f"{count} {reason}" for reason, count in reasons.most_common()), sep="\n  ")


if __name__ == "__main__":
    unittest.main()
