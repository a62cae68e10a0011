# SPDX-License-Identifier: Apache-2.0
"""Tables from the text of RFC 5280 § 4.2, § 6.1 and from the batch contract, and the enumeration of paths."""
import datetime
import hashlib
import unittest

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import ExtendedKeyUsageOID

import path_oracle
import path_test_certificates as t
from path_test_certificates import ask, ca, Issued, rule

ROOT = ca("Root", None)
MIDDLE = ca("Middle", ROOT)
LEAF_NAMES = t.names(t.dns("example.com"))


class Dates(unittest.TestCase):
    def test_the_validity_period_includes_its_first_and_last_second(self):
        for time, expected in (("2025-12-31T23:59:59Z", "validity 6.1.3 (a)(2)"), ("2026-01-01T00:00:00Z", "accepted"),
                               ("2026-12-31T23:59:59Z", "accepted"), ("2027-01-01T00:00:00Z", "validity 6.1.3 (a)(2)"),
                               ("2026-12-31T23:59:59.999Z", "accepted"), ("2027-01-01T00:59:59+01:00", "accepted"),
                               ("2025-12-31T23:59:59-00:01", "accepted"), ("yesterday", "unreadable")):
            with self.subTest(time):
                self.assertEqual(rule(Issued("L", ROOT), [], [ROOT], time=time), expected)

    def test_an_expired_anchor_or_intermediate_refuses_the_path(self):
        past = t.START + datetime.timedelta(days=1)
        old_root, old_middle = ca("Root", None, end=past), ca("Middle", ROOT, end=past)
        self.assertEqual(rule(Issued("L", old_root), [], [old_root]), "validity 6.1.3 (a)(2)")
        self.assertEqual(rule(Issued("L", old_middle), [old_middle], [ROOT]), "validity 6.1.3 (a)(2)")


class Issuers(unittest.TestCase):
    def outcome(self, middle, **request):
        return rule(Issued("L", middle), [middle], [ROOT], **request)

    def test_an_intermediate_needs_basic_constraints_and_key_cert_sign(self):
        self.assertEqual(self.outcome(Issued("M", ROOT)), "basicConstraints 6.1.4 (k)")
        self.assertEqual(self.outcome(Issued("M", ROOT, (x509.BasicConstraints(False, None), True))), "basicConstraints 6.1.4 (k)")
        self.assertEqual(self.outcome(ca("M", ROOT, t.usage(6))), "keyUsage 6.1.4 (n)")
        self.assertEqual(self.outcome(ca("M", ROOT, t.usage(5))), "accepted")

    def test_an_anchor_of_version_3_is_checked_like_an_issuer(self):
        for anchor, expected in ((Issued("R", None), "basicConstraints 6.1.4 (k)"), (ca("R", None, t.usage(0)), "keyUsage 6.1.4 (n)"),
                                 (ca("R", None, t.raw("1.2.3", b"", True)), "criticalExtension 6.1.4 (o)"),
                                 (ca("R", None, t.purposes(ExtendedKeyUsageOID.CLIENT_AUTH)), "extendedKeyUsage 4.2.1.12")):
            self.assertEqual(rule(Issued("L", anchor), [], [anchor]), expected)

    def test_an_unknown_critical_extension_refuses_the_path(self):
        unknown = t.raw("1.2.3", b"", True)
        self.assertEqual(self.outcome(ca("M", ROOT, unknown)), "criticalExtension 6.1.4 (o)")
        self.assertEqual(rule(Issued("L", ROOT, unknown), [], [ROOT]), "criticalExtension 6.1.5 (f)")
        self.assertEqual(rule(Issued("L", ROOT, t.raw("1.2.3", b"")), [], [ROOT]), "accepted")

    def test_an_unknown_qualifier_refuses_only_in_a_critical_extension(self):
        information = t.tlv(0x30, t.oid("1.2.3"), t.tlv(0x30, t.tlv(0x30, t.oid("1.2.4"), t.tlv(5))))
        for critical, expected in ((True, "criticalExtension 6.1.5 (f)"), (False, "accepted")):
            leaf = Issued("L", ROOT, t.raw("2.5.29.32", t.tlv(0x30, information), critical))
            self.assertEqual(rule(leaf, [], [ROOT]), expected)

    def test_extended_key_usage_limits_each_certificate(self):
        client = t.purposes(ExtendedKeyUsageOID.CLIENT_AUTH)
        anything = t.purposes(ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE)
        self.assertEqual(self.outcome(ca("M", ROOT, client)), "extendedKeyUsage 4.2.1.12")
        self.assertEqual(self.outcome(ca("M", ROOT, client), purpose="clientAuth"), "accepted")
        self.assertEqual(self.outcome(ca("M", ROOT, client), purpose="any"), "accepted")
        self.assertEqual(self.outcome(ca("M", ROOT, anything)), "accepted")

    def test_the_leaf_needs_a_tls_key_usage_under_web_pki_only(self):
        leaf = Issued("L", ROOT, t.usage(1))
        self.assertEqual(rule(leaf, [], [ROOT]), "leafKeyUsage 4.2.1.3")
        self.assertEqual(rule(leaf, [], [ROOT], purpose="any"), "accepted")
        self.assertEqual(rule(leaf, [], [ROOT], profile="rfc5280"), "accepted")
        for bit in (0, 2, 4):
            self.assertEqual(rule(Issued("L", ROOT, t.usage(bit)), [], [ROOT]), "accepted")


class PathLength(unittest.TestCase):
    def outcome(self, root_length, *steps, **request):
        """Each step is (issues itself?, pathLenConstraint)."""
        root = issuer = ca("Root", None, length=root_length)
        others = []
        for number, (itself, length) in enumerate(steps):
            issuer = ca(issuer.subject if itself else f"M{number}", issuer, length=length, key_label=f"K{number}")
            others.append(issuer)
        return rule(Issued("L", issuer), others, [root], **request)

    def test_self_issued_certificates_do_not_count(self):
        for root_length, steps, expected in (
                (0, [], "accepted"), (0, [(False, None)], "pathLength 6.1.4 (l)"), (0, [(True, None)], "accepted"),
                (1, [(False, None)], "accepted"), (1, [(False, 0), (False, None)], "pathLength 6.1.4 (l)"),
                (1, [(False, 0), (True, None)], "accepted"), (1, [(False, 5), (False, None)], "pathLength 6.1.4 (l)"),
                (None, [(False, 0), (True, 0), (False, None)], "pathLength 6.1.4 (l)"), (2, [(False, 1), (True, 1),
                (False, 0)], "accepted")):
            with self.subTest(steps, root_length=root_length):
                self.assertEqual(self.outcome(root_length, *steps), expected)

    def test_maximum_intermediates_counts_like_path_length(self):
        self.assertEqual(self.outcome(None, (False, None), (True, None), maximumIntermediates=1), "accepted")
        self.assertEqual(self.outcome(None, (False, None), (True, None), maximumIntermediates=0), "maximumIntermediates 6.2")


class Paths(unittest.TestCase):
    def test_every_order_of_the_candidates_is_tried(self):
        twin = ca("Middle", ROOT)
        leaf = Issued("L", MIDDLE)
        self.assertEqual(len(ask(leaf, [MIDDLE, twin, MIDDLE], [ROOT])["paths"]), 2)

    def test_a_loop_of_cross_certificates_ends(self):
        a, b = ca("A", ROOT), ca("B", ROOT)
        loop = [a, b, ca("A", b), ca("B", a), ca("A", a), ca("B", b)]
        answer = ask(Issued("L", a), loop, [ROOT])
        self.assertTrue(all(len(set(path)) == len(path) for path in answer["paths"]))
        self.assertGreater(len(answer["paths"]), 4)

    def test_an_anchor_ends_a_path(self):
        leaf = Issued("L", MIDDLE)
        digests = [hashlib.sha256(one.der).hexdigest() for one in (leaf, MIDDLE, ROOT)]
        self.assertEqual(ask(leaf, [MIDDLE], [ROOT])["paths"], [digests])
        self.assertEqual(ask(leaf, [MIDDLE], [ROOT, MIDDLE])["paths"], [digests[:2]])
        self.assertEqual(ask(leaf, [MIDDLE], [leaf, ROOT])["paths"], [digests[:1]])
        self.assertEqual(rule(leaf, [], [leaf], time="2030-01-01T00:00:00Z"), "validity 6.1.3 (a)(2)")
        self.assertEqual(rule(leaf, [], [leaf], host="example.com"), "identity RFC 9525, 6")

    def test_a_wrong_key_refuses_the_path(self):
        self.assertEqual(rule(Issued("L", MIDDLE), [ca("Middle", ROOT, key_label="other")], [ROOT]), "signature 6.1.3 (a)(1)")
        self.assertEqual(rule(Issued("L", MIDDLE), [], [ROOT]), "no path")

    def test_too_many_paths_raise(self):
        twins = [ca("Twin", None, key_label="Twin") for _ in range(9)]
        with self.assertRaises(path_oracle.TooManyPaths):
            ask(Issued("L", twins[0]), twins, [ROOT])

    def test_pins_and_deny_lists_look_at_every_certificate(self):
        leaf = Issued("L", MIDDLE)
        for one in (leaf, MIDDLE, ROOT):
            spki = one.certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
            digest = hashlib.sha256(spki).digest()
            pair = one.certificate.issuer.public_bytes(), one.certificate.serial_number
            self.assertEqual(rule(leaf, [MIDDLE], [ROOT], pins=["sha256/" + t.encoded(digest)]), "accepted")
            for hooks in ({"denied_keys": {digest}}, {"denied_serials": {pair}}):
                self.assertEqual(ask(leaf, [MIDDLE], [ROOT], hooks)["refused"][0]["rule"], "denied")
        self.assertEqual(rule(leaf, [MIDDLE], [ROOT], pins=["sha256/" + t.encoded(bytes(32))]), "pins 6.2")
        self.assertEqual(rule(leaf, [MIDDLE], [ROOT], pins=["sha1/x"]), "unreadable")

    def test_the_revocation_hook_refuses_a_path(self):
        answer = ask(Issued("L", ROOT), [], [ROOT], {"refuses_path": lambda request, path: f"revoked, {len(path)}"})
        self.assertEqual((answer["paths"], answer["refused"][0]["reason"]), ([], "revoked, 2"))


class Identity(unittest.TestCase):
    def test_hosts(self):
        for general, host, expected in (
                (t.dns("example.com"), "EXAMPLE.com", True), (t.dns("EXAMPLE.com"), "example.com", True),
                (t.dns("*.example.com"), "a.example.com", True), (t.dns("*.example.com"), "example.com", False),
                (t.dns("*.example.com"), "a.b.example.com", False), (t.dns("a*.example.com"), "ab.example.com", False),
                (t.dns("*.com"), "example.com", False), (t.dns("*"), "com", False), (t.dns("b.*.com"), "b.example.com", False),
                (t.dns("192.0.2.1"), "192.0.2.1", False), (t.address(192, 0, 2, 1), "192.0.2.1", True),
                (t.address(192, 0, 2, 1), "192.0.2.2", False), (t.address(*bytes(15), 1), "::1", True),
                (t.uri("https://example.com"), "example.com", False)):
            with self.subTest(host=host, general=general):
                leaf = Issued("example.com", ROOT, t.names(general))
                self.assertEqual(rule(leaf, [], [ROOT], host=host) == "accepted", expected)

    def test_the_common_name_never_counts(self):
        self.assertEqual(rule(Issued("example.com", ROOT), [], [ROOT], host="example.com"), "identity RFC 9525, 6")


if __name__ == "__main__":
    unittest.main()
