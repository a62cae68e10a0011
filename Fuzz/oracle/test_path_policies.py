# SPDX-License-Identifier: Apache-2.0
"""Tables from RFC 5280 § 6.1 (d) to (j): policies, mappings, anyPolicy and their constraints."""
import unittest

import path_test_certificates as t
from path_test_certificates import ca, Issued, rule

A, B, C, ANY = "1.2.3.1", "1.2.3.2", "1.2.3.3", "2.5.29.32.0"
EXPLICIT, WRAP, MAPPED = "explicitPolicy 6.1.3 (f)", "explicitPolicy 6.1.5 (g)", "policyMappings 6.1.4 (a)"


class Policies(unittest.TestCase):
    def outcome(self, *steps, acceptable=None, **policies):
        """Each step has the extensions of one certificate; the last is the leaf. A leading "self" issues to itself."""
        root = issuer = ca("Root", None)
        others = []
        for number, step in enumerate(steps[:-1]):
            itself = bool(step) and step[0] == "self"
            issuer = ca(issuer.subject if itself else f"M{number}", issuer, *step[itself:], key_label=f"K{number}")
            others.append(issuer)
        if acceptable is not None:
            policies["acceptable"] = acceptable
        return rule(Issued("L", issuer, *steps[-1]), others, [root], policies=policies)

    def test_every_certificate_needs_the_policy(self):
        p = t.policies
        for steps, acceptable, expected in (
                (([p(A)], [p(A)]), None, "accepted"), (([p(A)], [p(A)]), [A], "accepted"), (([p(A)], [p(A)]), [B], WRAP),
                (([p(A)], [p(A)]), [A, B], "accepted"), (([p(A)], [p(B)]), None, EXPLICIT), (([], [p(A)]), None, EXPLICIT),
                (([p(A)], []), None, EXPLICIT), (([p(ANY)], [p(A)]), [A], "accepted"), (([p(A)], [p(ANY)]), [A], "accepted"),
                (([p(A)], [p(ANY)]), [B], WRAP), (([p(ANY)], [p(ANY)]), [B], "accepted"), (([p(A, B)], [p(B, C)]), [B], "accepted"),
                (([p(A, B)], [p(B, C)]), [C], WRAP), (([p(ANY)], [p(ANY)]), [], WRAP), (([p(A)], [p(A)]), [ANY], "accepted")):
            with self.subTest(steps=steps, acceptable=acceptable):
                self.assertEqual(self.outcome(*steps, acceptable=acceptable, requireExplicit=True), expected)

    def test_without_a_requirement_policies_do_not_matter(self):
        self.assertEqual(self.outcome([t.policies(A)], [t.policies(B)], acceptable=[C]), "accepted")
        self.assertEqual(self.outcome([], [], acceptable=[C], inhibitAny=True, inhibitMapping=True), "accepted")

    def test_require_explicit_policy_counts_certificates_that_are_not_self_issued(self):
        for value, steps, expected in ((0, [], EXPLICIT), (1, [], WRAP), (2, [], "accepted"), (1, [[]], EXPLICIT), (2, [[]], WRAP),
                                       (3, [[]], "accepted"), (1, [["self"]], WRAP), (2, [["self"]], "accepted")):
            with self.subTest(value=value, steps=steps):
                first = [t.policies(A), t.policy_constraints(explicit=value)]
                self.assertEqual(self.outcome(first, *steps, []), expected)

    def test_the_leaf_can_require_a_policy(self):
        self.assertEqual(self.outcome([], [t.policy_constraints(explicit=0)]), WRAP)
        self.assertEqual(self.outcome([], [t.policy_constraints(explicit=1)]), "accepted")

    def test_mapping(self):
        p, m = t.policies, t.mappings
        for steps, acceptable, expected in (
                (([p(A), m((A, B))], [p(B)]), [A], "accepted"), (([p(A), m((A, B))], [p(B)]), [B], WRAP),
                (([p(A), m((A, B))], [p(A)]), None, EXPLICIT), (([p(A), m((A, A), (A, B))], [p(A)]), [A], "accepted"),
                (([p(ANY), m((A, B))], [p(B)]), [A], "accepted"), (([p(ANY), m((A, B))], [p(C)]), [C], "accepted"),
                (([p(A, B), m((A, C), (B, C))], [p(C)]), [B], "accepted"), (([p(A), m((C, B))], [p(B)]), None, EXPLICIT),
                (([p(A), m((A, B))], [p(ANY)]), [A], "accepted"), (([p(A), m((A, B), (A, C))], [p(C)]), [A], "accepted"),
                (([p(C, ANY), m((C, A))], [p(A, ANY), m((A, B))], [p(B)]), [C], "accepted"),
                (([p(C, ANY), m((C, A))], [p(A, ANY), m((A, B))], [p(B)]), [A], WRAP),
                (([p(A), m((ANY, B))], [p(A)]), None, MAPPED), (([p(A), m((A, ANY))], [p(A)]), None, MAPPED)):
            with self.subTest(steps=steps, acceptable=acceptable):
                self.assertEqual(self.outcome(*steps, acceptable=acceptable, requireExplicit=True), expected)
        self.assertEqual(self.outcome([m((ANY, B))], []), MAPPED)
        self.assertEqual(self.outcome([], [m((ANY, B))]), "accepted")

    def test_mapping_is_inhibited(self):
        step = [t.policies(A), t.mappings((A, B))]
        self.assertEqual(self.outcome(step, [t.policies(B)], requireExplicit=True, inhibitMapping=True), EXPLICIT)
        for value, between, expected in ((0, [], EXPLICIT), (1, [], "accepted"), (1, [[t.policies(A)]], EXPLICIT),
                                         (1, [["self", t.policies(A)]], "accepted"), (2, [[t.policies(A)]], "accepted")):
            first = [t.policies(A), t.policy_constraints(mapping=value)]
            self.assertEqual(self.outcome(first, *between, step, [t.policies(B)], requireExplicit=True), expected)

    def test_any_policy_is_inhibited(self):
        p = t.policies
        self.assertEqual(self.outcome([p(A)], [p(ANY)], requireExplicit=True, inhibitAny=True), EXPLICIT)
        for value, steps, expected in ((0, [[p(ANY)]], EXPLICIT), (1, [[p(ANY)]], "accepted"), (1, [[p(ANY)], [p(ANY)]], EXPLICIT),
                                       (0, [["self", p(ANY)], [p(A)]], "accepted"), (1, [["self", p(ANY)], [p(ANY)]], "accepted"),
                                       (2, [[p(ANY)], [p(ANY)]], "accepted")):
            with self.subTest(value=value, steps=steps):
                self.assertEqual(self.outcome([p(A), t.inhibit_any(value)], *steps, requireExplicit=True), expected)

    def test_the_policies_of_an_anchor_do_not_count(self):
        root = ca("Root", None, t.policies(A), t.policy_constraints(0, 0), t.inhibit_any(0), t.mappings((ANY, B)))
        self.assertEqual(rule(Issued("L", root), [], [root]), "accepted")
        self.assertEqual(rule(Issued("L", root, t.policies(B)), [], [root], policies={"requireExplicit": True}), "accepted")


if __name__ == "__main__":
    unittest.main()
