# SPDX-License-Identifier: Apache-2.0
"""Tables from RFC 5280 § 7.1 (comparison of names) and § 4.2.1.10 (name constraints)."""
import unittest

from cryptography import x509
from cryptography.x509 import name as x509_name
from cryptography.x509.oid import NameOID

import path_names
import path_test_certificates as t
from path_test_certificates import ca, Issued, rule


def common(text, kind=0x0C, identifier="2.5.4.3"):
    value = {0x1E: text.encode("utf-16-be"), 0x1C: text.encode("utf-32-be")}.get(kind, text.encode("latin-1" if kind == 0x14 else "utf-8"))
    return t.tlv(0x31, t.tlv(0x30, t.oid(identifier), t.tlv(kind, value)))


def parsed(*relative):
    return path_names.parse_name_bytes(t.tlv(0x30, *relative))[0]


class Comparison(unittest.TestCase):
    def test_strings_match_after_preparation(self):
        for left, right, expected in (
                (("Root CA", 0x13), ("root ca", 0x0C), True), (("Root  CA", 0x13), (" Root CA ", 0x13), True),
                (("RootCA", 0x13), ("Root CA", 0x13), False), (("Root\u00a0CA",), ("Root CA",), True),
                (("Ro\u00adot",), ("Root",), True), (("Ro\u200bot",), ("root",), True), (("Stra\u00dfe",), ("STRASSE",), True),
                (("\u00c9",), ("e\u0301",), True), (("\u00e9",), ("e",), False), (("\uff21",), ("a",), True), (("\u0130",), ("i\u0307",),
                True),
                (("Root", 0x1E), ("root", 0x0C), True), (("Root", 0x1C), ("root", 0x13), True), (("",), ("   ",), True),
                (("Root", 0x14), ("Root", 0x14), True), (("Root", 0x14), ("root", 0x14), False), (("Root", 0x14), ("Root", 0x13), False),
                (("Root", 0x14), ("Root", 0x16), False),
                (("\ue000",), ("\ue000",), True), (("\ue000A",), ("\ue000a",), False), (("\t\nx",), ("x",), True), (("a b",), ("a c",),
                False)):
            with self.subTest(left=left, right=right):
                self.assertEqual(parsed(common(*left)) == parsed(common(*right)), expected)

    def test_types_and_order_count(self):
        a, b = common("a"), common("b", identifier="2.5.4.10")
        self.assertNotEqual(parsed(a, b), parsed(b, a))
        self.assertNotEqual(parsed(common("a")), parsed(common("a", identifier="2.5.4.10")))
        self.assertNotEqual(parsed(a), parsed(a, b))
        self.assertTrue(path_names.within(parsed(a, b), parsed(a)))
        self.assertFalse(path_names.within(parsed(a), parsed(a, b)))

    def test_the_attributes_of_a_relative_name_are_a_set(self):
        def pair(*values):
            return parsed(t.tlv(0x31, *sorted(t.tlv(0x30, t.oid(i), t.tlv(0x0C, v)) for i, v in values)))
        self.assertEqual(pair(("2.5.4.3", b"zz"), ("2.5.4.10", b"a")), pair(("2.5.4.3", b"ZZ"), ("2.5.4.10", b"A")))
        self.assertNotEqual(pair(("2.5.4.3", b"a"), ("2.5.4.10", b"b")), pair(("2.5.4.3", b"b"), ("2.5.4.10", b"a")))

    def test_mail_addresses_and_domain_components_ignore_case(self):
        for identifier in (path_names.EMAIL_ADDRESS, path_names.DOMAIN_COMPONENT):
            self.assertEqual(parsed(common("Com", 0x16, identifier)), parsed(common("cOM", 0x16, identifier)))
        self.assertNotEqual(parsed(common("Com", 0x16)), parsed(common("cOM", 0x16)))

    def test_a_path_chains_over_another_spelling(self):
        root = ca("Root CA", None)
        spelled = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "root  CA", x509_name._ASN1Type.PrintableString)])
        issuer = ca(spelled, None, key_label="Root CA")
        self.assertEqual(rule(Issued("L", issuer), [], [root]), "accepted")


V4, V6 = (192, 0, 2, 0, 255, 255, 255, 0), bytes.fromhex("20010db8" + "00" * 12 + "ffffffff" + "00" * 12)
P, X = "permittedSubtrees 6.1.3 (b)", "excludedSubtrees 6.1.3 (c)"


class Constraints(unittest.TestCase):
    def outcome(self, permitted, excluded, *general, subject="L", extensions=()):
        middle = ca("Middle", t_root(), t.constraints(permitted, excluded))
        return rule(Issued(subject, middle, *([t.names(*general)] if general else []), *extensions), [middle], [t_root()])

    def table(self, rows, make):
        """Each row has a base, a name, and whether the name is within ("?" if it can't be compared)."""
        for base, general, expected in rows:
            with self.subTest(base=base, name=general):
                answers = self.outcome([make(base)], [], make(general)), self.outcome([], [make(base)], make(general))
                self.assertEqual(answers, {True: ("accepted", X), False: (P, "accepted"), "?": (P, X)}[expected])

    def test_dns(self):
        self.table([("host.example.com", "www.host.example.com", True), ("host.example.com", "host.example.com", True),
                    ("host.example.com", "host1.example.com", False), ("host.example.com", "xhost.example.com", False),
                    ("EXAMPLE.com", "a.example.COM", True), ("example.com", "com", False), ("", "example.com", True),
                    ("example.com", "*.example.com", True), ("example.com", "*.com", "?"), ("a.example.com", "*.example.com", "?"),
                    ("b.a.example.com", "*.example.com", False), (".example.com", "a.example.com", "?"),
                    ("*.example.com", "a.example.com", "?"), ("example.com", "a..example.com", "?"), ("example.com", "example.com.", "?")],
                   t.dns)

    def test_mail(self):
        self.table([("root@example.com", "root@EXAMPLE.com", True), ("root@example.com", "ROOT@example.com", False),
                    ("example.com", "a@example.com", True), ("example.com", "a@b.example.com", False),
                    (".example.com", "a@b.example.com", True), (".example.com", "a@example.com", False),
                    ("example.com", "example.com", "?"), ("example.com", "a@b@example.com", "?"),
                    ("example.com", "\"a@b\"@example.com", True),
                    ("", "a@example.com", "?")], t.mail)

    def test_uri(self):
        self.table([("host.example.com", "https://host.example.com/x", True), ("host.example.com", "https://a.host.example.com", False),
                    (".example.com", "http://host.example.com:80/", True), (".example.com", "http://my.host.EXAMPLE.com", True),
                    (".example.com", "http://example.com", False), (".example.com", "http://u@a.example.com?q", True),
                    ("example.com", "urn:x", "?"), ("example.com", "http://192.0.2.1/", "?"), ("example.com", "http://[::1]/", "?"),
                    ("example.com", "http:///x", "?"), ("example.com", "/x", "?")], t.uri)

    def test_addresses(self):
        for base, octets, expected in ((V4, (192, 0, 2, 9), True), (V4, (192, 0, 3, 9), False), (V4, bytes(16), False),
            (V4, bytes(12) + bytes((192, 0, 2, 9)), False),
                                       (V6, bytes.fromhex("20010db8") + bytes(12), True), (V6, bytes(16), False), (V6, (192, 0, 2, 1),
                                       False),
                                       (V4[:4], (192, 0, 2, 0), "?"), (V4[:4] + (255, 0, 255, 0), (192, 0, 2, 9), "?"), (V4, (192, 0, 2),
                                       "?"),
                                       ((0,) * 8, (1, 2, 3, 4), True)):
            with self.subTest(base=base, octets=octets):
                answers = [self.outcome(*(lists + [t.address(*octets)])) for lists in ([[t.address(*base)], []], [[], [t.address(*base)]])]
                self.assertEqual(tuple(answers), {True: ("accepted", X), False: (P, "accepted"), "?": (P, X)}[expected])

    def test_directory_names_and_the_subject(self):
        inside = x509.Name([x509.NameAttribute(NameOID.COUNTRY_NAME, "US"), x509.NameAttribute(NameOID.COMMON_NAME, "L")])
        base = x509.Name([x509.NameAttribute(NameOID.COUNTRY_NAME, "us")])
        for subject, general, expected in ((inside, (), ("accepted", X)), ("L", (), (P, "accepted")), (inside, (t.directory("L"),), (P, X)),
                                           ("", (t.directory(inside),), ("accepted", X)), ("", (t.dns("x"),), ("accepted", "accepted"))):
            for lists, one in zip((([t.directory(base)], []), ([], [t.directory(base)])), expected):
                self.assertEqual(self.outcome(*lists, *general, subject=subject), one)

    def test_a_mail_address_in_the_subject_counts_without_alternative_names(self):
        subject = x509.Name([x509.NameAttribute(NameOID.EMAIL_ADDRESS, "a@other.example")])
        self.assertEqual(self.outcome([t.mail("example.com")], [], subject=subject), P)
        self.assertEqual(self.outcome([t.mail("example.com")], [], t.dns("example.com"), subject=subject), "accepted")

    def test_a_form_without_a_comparison_matters_when_it_appears(self):
        self.assertEqual(self.outcome([], [t.OTHER], t.OTHER), X)
        self.assertEqual(self.outcome([t.OTHER], [], t.OTHER), P)
        self.assertEqual(self.outcome([t.OTHER], [], t.dns("example.com")), "accepted")

    def test_another_form_is_not_limited(self):
        self.assertEqual(self.outcome([t.dns("example.com")], [], t.mail("a@other.example")), "accepted")
        self.assertEqual(self.outcome([t.dns("example.com")], [t.dns("a.example.com")], t.dns("b.a.example.com")), X)

    def test_permitted_subtrees_intersect(self):
        outer = ca("Outer", t_root(), t.constraints([t.dns("example.com"), t.dns("example.net")]))
        inner = ca("Inner", outer, t.constraints([t.dns("a.example.com"), t.dns("example.org")]))
        for host, expected in (("b.a.example.com", "accepted"), ("example.com", P), ("example.org", P), ("example.net", P)):
            self.assertEqual(rule(Issued("L", inner, t.names(t.dns(host))), [outer, inner], [t_root()]), expected)

    def test_constraints_of_an_anchor_count(self):
        root = ca("Root", None, t.constraints([t.dns("example.com")]))
        self.assertEqual(rule(Issued("L", root, t.names(t.dns("example.net"))), [], [root]), P)

    def test_a_self_issued_certificate_is_skipped_unless_it_is_the_last(self):
        root = ca("Root", None, t.constraints([], [t.directory("Root")]))
        renewed = ca("Root", root, key_label="new")
        self.assertEqual(rule(Issued("L", renewed), [renewed], [root]), "accepted")
        self.assertEqual(rule(renewed, [], [root]), X)


def t_root(cache=[]):
    return cache[0] if cache else cache.append(ca("Root", None)) or cache[0]


if __name__ == "__main__":
    unittest.main()
