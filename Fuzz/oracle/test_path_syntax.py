# SPDX-License-Identifier: Apache-2.0
"""Strict DER (X.690) of RFC 5280 § 4.1, keys and signature algorithms."""
import unittest

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import path_certificates
import path_der
import path_signatures
import path_test_certificates as t
from path_test_certificates import ca, Issued, rule

ROOT = ca("Root", None)
SHA256_ECDSA = t.tlv(0x30, t.oid("1.2.840.10045.4.3.2"))
NULL = t.tlv(5)


def certificate(version=b"\xa0\x03\x02\x01\x02", serial=t.tlv(2, b"\x01"), inner=SHA256_ECDSA, outer=SHA256_ECDSA, dates=None, subject="L",
                spki=None, unique=b"", extensions=b"", after=b"", signer="Root", sign=None, issuer="Root"):
    """A certificate field by field."""
    dates = dates or t.tlv(0x30, t.tlv(0x17, b"260101000000Z"), t.tlv(0x17, b"270101000000Z"))
    spki = spki or t.key("L").public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    subject = subject if isinstance(subject, bytes) else t.name(subject).public_bytes()
    tbs = t.tlv(0x30, version, serial, inner, t.name(issuer).public_bytes(), dates, subject, spki, unique, extensions)
    signature = sign(tbs) if sign else t.key(signer).sign(tbs, ec.ECDSA(hashes.SHA256()))
    return t.tlv(0x30, tbs, outer, t.tlv(3, b"\0", signature)) + after


def extensions(*values):
    return t.tlv(0xA3, t.tlv(0x30, *values))


def extension(identifier, value, critical=b""):
    return t.tlv(0x30, t.oid(identifier), critical, t.tlv(4, value))


def dates(first, last, tags=(0x17, 0x17)):
    return t.tlv(0x30, t.tlv(tags[0], first), t.tlv(tags[1], last))


BASIC = "2.5.29.19"


class Syntax(unittest.TestCase):
    def outcome(self, **fields):
        return rule(certificate(**fields), [], [ROOT], profile="rfc5280")

    def test_the_plain_certificate_is_accepted(self):
        self.assertEqual(self.outcome(), "accepted")
        self.assertEqual(self.outcome(version=b""), "accepted")
        self.assertEqual(self.outcome(version=b"\xa0\x03\x02\x01\x01"), "accepted")

    def test_what_is_no_strict_syntax_is_unreadable(self):
        for fields in (
                {"after": b"\0"}, {"version": b"\xa0\x03\x02\x01\x00"}, {"version": b"\xa0\x03\x02\x01\x03"}, {"serial": t.tlv(2, b"\0\1")},
                {"serial": t.tlv(2)}, {"version": b"", "extensions": extensions(extension("1.2.3", b""))},
                {"version": b"\xa0\x03\x02\x01\x01", "extensions": extensions(extension("1.2.3", b""))},
                {"extensions": extensions()}, {"extensions": extensions(extension("1.2.3", b""), extension("1.2.3", b""))},
                {"extensions": extensions(extension("1.2.3", b"", t.tlv(1, b"\0")))},
                {"extensions": extensions(extension("1.2.3", b"", t.tlv(1, b"\1")))},
                {"extensions": extensions(extension(BASIC, t.tlv(0x30, t.tlv(1, b"\0"))))},
                {"extensions": extensions(extension(BASIC, t.tlv(0x30, t.tlv(1, b"\xff"), t.tlv(2, b"\xff"))))},
                {"extensions": extensions(extension(BASIC, t.tlv(0x30) + b"\0"))},
                {"extensions": extensions(extension("2.5.29.15", t.tlv(3, b"\0\x80")))},
                {"extensions": extensions(extension("2.5.29.37", t.tlv(0x30)))}, {"extensions": extensions(extension("2.5.29.17",
                t.tlv(0x30)))},
                {"extensions": extensions(extension("2.5.29.17", t.tlv(0x30, t.tlv(0x82, b"\xc3"))))},
                {"extensions": extensions(extension("2.5.29.30", t.tlv(0x30, t.tlv(0xA0))))},
                {"extensions": extensions(extension("2.5.29.30", t.tlv(0x30, t.tlv(0xA0, t.tlv(0x30, t.dns("a"), t.tlv(0x80, b"\1"))))))},
                {"extensions": extensions(extension("2.5.29.30", t.tlv(0x30, t.tlv(0xA0, t.tlv(0x30, t.dns("a"), t.tlv(0x81, b"\1"))))))},
                {"version": b"", "unique": t.tlv(0x81, b"\0\1")}, {"unique": t.tlv(0x82, b"\0\1") + t.tlv(0x81, b"\0\1")},
                {"subject": t.tlv(0x30, t.tlv(0x31))}, {"subject": t.tlv(0x30, t.tlv(0x31, t.tlv(0x30, t.oid("2.5.4.3"),
                t.tlv(0x0C, b"\xff"))))},
                {"subject": t.tlv(0x30, t.tlv(0x31, t.tlv(0x30, t.oid("2.5.4.3"), t.tlv(0x13, b"*"))))},
                {"subject": t.tlv(0x30, t.tlv(0x31, t.tlv(0x30, t.oid("2.5.4.4"), t.tlv(12, b"b")), t.tlv(0x30, t.oid("2.5.4.3"),
                t.tlv(12, b"b"))))},
                {"dates": dates(b"2601010000Z", b"270101000000Z")}, {"dates": dates(b"260101000000+0000", b"270101000000Z")},
                {"dates": dates(b"260230000000Z", b"270101000000Z")}, {"dates": dates(b"260101000060Z", b"270101000000Z")},
                {"dates": dates(b"20260101000000.0Z", b"270101000000Z", (0x18, 0x17))}, {"inner": t.tlv(0x30), "outer": t.tlv(0x30)}):
            with self.subTest(fields):
                self.assertEqual(self.outcome(**fields), "unreadable")

    def test_both_kinds_of_time_are_read(self):
        self.assertEqual(self.outcome(dates=dates(b"20260101000000Z", b"99991231235959Z", (0x18, 0x18))), "accepted")
        self.assertEqual(path_der.moment(0x17, b"500101000000Z"), 19500101000000)
        self.assertEqual(path_der.moment(0x17, b"491231235959Z"), 20491231235959)

    def test_lengths_take_the_fewest_octets(self):
        for data in (b"\x30\x80\0\0", b"\x30\x81\x01\0", b"\x30\x82\0\x81" + bytes(129),
            b"\x30\x85\0\0\0\0\0", b"\x30", b"\x30\x02\0", b"\x1f\x1e\0",
                     b"\x1f\x80\x7f\0"):
            with self.assertRaises(path_der.Malformed):
                path_der.element(data, 0, len(data))

    def test_no_prefix_and_no_flipped_length_is_read(self):
        data = certificate(extensions=extensions(extension(BASIC, t.tlv(0x30, t.tlv(1, b"\xff")))))
        self.assertIsNotNone(path_certificates.read(data))
        for end in range(len(data)):
            self.assertIsNone(path_certificates.read(data[:end]))

    def test_an_unreadable_intermediate_or_anchor_is_left_out(self):
        leaf = Issued("L", ROOT)
        self.assertEqual(rule(leaf, [b"\0"], [b"\0", ROOT]), "accepted")
        self.assertEqual(rule(leaf, [], [b"\0"]), "no path")


class Versions(unittest.TestCase):
    def test_versions_1_and_2(self):
        old = certificate(version=b"")
        self.assertEqual(rule(old, [], [ROOT], profile="rfc5280"), "accepted")
        self.assertEqual(rule(old, [], [ROOT]), "version 4.1.2.1")
        anchor = certificate(version=b"", subject="Old", spki=spki(t.key("Old")))
        middle = ca("Old", None)
        leaf = Issued("L2", middle)
        self.assertEqual(rule(leaf, [], [anchor], profile="rfc5280"), "accepted")
        self.assertEqual(rule(leaf, [], [anchor]), "version 4.1.2.1")
        for version in (b"", b"\xa0\x03\x02\x01\x01"):
            middle = certificate(version=version, subject="Old", spki=spki(t.key("Old")))
            self.assertEqual(rule(leaf, [middle], [ROOT], profile="rfc5280"), "version 6.1.4 (k)")


def spki(key):
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


class Algorithms(unittest.TestCase):
    def test_signature_algorithms(self):
        with_null = t.tlv(0x30, t.oid("1.2.840.10045.4.3.2"), NULL)
        sha1 = t.tlv(0x30, t.oid("1.2.840.10045.4.1"))
        self.assertEqual(rule(certificate(inner=with_null, outer=with_null), [], [ROOT]), "signatureAlgorithm 4.1.1.2")
        self.assertEqual(rule(certificate(inner=with_null, outer=with_null), [], [ROOT], profile="rfc5280"), "accepted")
        self.assertEqual(rule(certificate(inner=with_null), [], [ROOT], profile="rfc5280"), "signatureAlgorithm 4.1.1.2")
        sign = lambda tbs: t.key("Root").sign(tbs, ec.ECDSA(hashes.SHA1()))
        self.assertEqual(rule(certificate(inner=sha1, outer=sha1, sign=sign), [], [ROOT]), "signatureAlgorithm 4.1.1.2")

    def test_a_signature_without_whole_octets_is_refused(self):
        data = certificate(sign=lambda tbs: t.key("Root").sign(tbs, ec.ECDSA(hashes.SHA256())) + b"\0")
        self.assertEqual(rule(data, [], [ROOT]), "signature 6.1.3 (a)(1)")
        good = path_certificates.Certificate(certificate())
        good.signature_unused = 1
        self.assertFalse(path_signatures.signed_by(good, path_certificates.read(ROOT.der)))

    def test_the_signature_of_an_anchor_is_not_checked(self):
        sha1 = t.tlv(0x30, t.oid("1.2.840.10045.4.1"))
        basic = extensions(extension(BASIC, t.tlv(0x30, t.tlv(1, b"\xff"))))
        anchor = certificate(outer=sha1, subject="Root", spki=spki(t.key("Root")), extensions=basic, sign=lambda tbs: b"x")
        self.assertEqual(rule(Issued("L", ROOT), [], [anchor]), "accepted")

    def test_rsa_signatures(self):
        key = rsa.generate_private_key(65537, 2048)
        t.KEYS["rsa"] = key
        basic = extensions(extension(BASIC, t.tlv(0x30, t.tlv(1, b"\xff"))))
        anchor = certificate(subject="Root", spki=spki(key), extensions=basic)
        sha256 = t.tlv(0x30, t.oid("2.16.840.1.101.3.4.2.1"))
        mask = t.tlv(0x30, t.oid("1.2.840.113549.1.1.8"), sha256)

        def pss(*fields):
            return t.tlv(0x30, t.oid("1.2.840.113549.1.1.10"), t.tlv(0x30, *fields))
        full = t.tlv(0xA0, sha256), t.tlv(0xA1, mask), t.tlv(0xA2, t.tlv(2, b"\x20"))
        v15 = padding.PKCS1v15()
        salted = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
        for algorithm, scheme, expected in (
                (t.tlv(0x30, t.oid("1.2.840.113549.1.1.11"), NULL), v15, "accepted"), (t.tlv(0x30, t.oid("1.2.840.113549.1.1.11")),
                v15, "accepted"),
                (t.tlv(0x30, t.oid("1.2.840.113549.1.1.11"), t.tlv(2, b"\1")), v15, "signatureAlgorithm 4.1.1.2"),
                (t.tlv(0x30, t.oid("1.2.840.113549.1.1.5"), NULL), v15, "signatureAlgorithm 4.1.1.2"),
                (pss(*full), salted, "accepted"), (pss(*full), v15, "signature 6.1.3 (a)(1)"), (pss(),
                salted, "signatureAlgorithm 4.1.1.2"),
                (pss(*full, t.tlv(0xA3, t.tlv(2, b"\1"))), salted, "signatureAlgorithm 4.1.1.2"),
                (SHA256_ECDSA, v15, "signature 6.1.3 (a)(1)")):
            with self.subTest(algorithm):
                leaf = certificate(inner=algorithm, outer=algorithm, sign=lambda tbs: key.sign(tbs, scheme, hashes.SHA256()))
                self.assertEqual(rule(leaf, [], [anchor]), expected)

    def test_keys(self):
        point = t.key("L").public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        broken = t.tlv(0x30, t.tlv(0x30, t.oid("1.2.840.10045.2.1"), t.oid("1.2.840.10045.3.1.7")), t.tlv(3, b"\0", point[:-1], b"\0"))
        unknown = t.tlv(0x30, t.tlv(0x30, t.oid("1.2.3")), t.tlv(3, b"\0x"))
        refused = "key 4.1.2.7"
        for value, web, rfc in (
                (spki(rsa.generate_private_key(65537, 1024)), refused, refused), (spki(ec.generate_private_key(ec.SECP256K1())),
                refused, refused),
                (spki(ec.generate_private_key(ec.SECP384R1())), "accepted", "accepted"), (spki(ed25519.Ed25519PrivateKey.generate()),
                "accepted", "accepted"),
                (spki(dsa.generate_private_key(1024)), refused, "accepted"), (unknown, refused, "accepted"), (broken, refused, "accepted")):
            leaf = certificate(spki=value)
            self.assertEqual((rule(leaf, [], [ROOT]), rule(leaf, [], [ROOT], profile="rfc5280")), (web, rfc))


if __name__ == "__main__":
    unittest.main()
