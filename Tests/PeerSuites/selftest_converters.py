# SPDX-License-Identifier: Apache-2.0
"""Tests the converters of Mbed TLS's, Botan's and pyca's suites without the network and the command."""
import base64
import datetime
import unittest

import mbedtls
import own_anchor
import pyca
import recorder
import renew
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from suite import ACCEPT, Case


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def issued(subject, key, issuer, issuer_key):
    day = datetime.datetime(2020, 1, 1)
    return (x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(key.public_key()).serial_number(7)
            .not_valid_before(day).not_valid_after(day + datetime.timedelta(days=30)).sign(issuer_key, hashes.SHA256()))


def text(certificate):
    return base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()


class NewKeys(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ca_key, cls.leaf_key = (rsa.generate_private_key(65537, 1024) for _ in range(2))
        cls.ca = issued("CA", cls.ca_key, "CA", cls.ca_key)
        cls.leaf = issued("Leaf", cls.leaf_key, "CA", cls.ca_key)

    def renewed(self, leaf):
        case = renew.renewed(Case("c", {"chain": [leaf], "anchors": [text(self.ca)], "host": "x"}, ACCEPT))
        self.assertEqual((case.name, case.expected, case.request["host"]), ("c (new keys)", ACCEPT, "x"))
        return [x509.load_der_x509_certificate(base64.b64decode(case.request[key][0])) for key in ("chain", "anchors")]

    def test_a_right_signature_is_right_again(self):
        leaf, ca = self.renewed(text(self.leaf))
        leaf.verify_directly_issued_by(ca)
        ca.verify_directly_issued_by(ca)
        self.assertEqual((leaf.subject, leaf.serial_number, leaf.not_valid_after_utc),
                         (self.leaf.subject, self.leaf.serial_number, self.leaf.not_valid_after_utc))

    def test_a_wrong_signature_stays_wrong(self):
        der = bytearray(self.leaf.public_bytes(Encoding.DER))
        der[-1] ^= 1
        leaf, ca = self.renewed(base64.b64encode(der).decode())
        with self.assertRaises(Exception):
            leaf.verify_directly_issued_by(ca)

    def test_an_impostor_of_the_same_name_stays_one(self):
        other = rsa.generate_private_key(65537, 1024)
        leaf, ca = self.renewed(text(issued("Leaf", self.leaf_key, "CA", other)))
        with self.assertRaises(Exception):
            leaf.verify_directly_issued_by(ca)

    def test_algorithms_that_differ_inside_and_outside_still_do(self):
        der = self.leaf.public_bytes(Encoding.DER)
        sha256, sha384 = (bytes.fromhex(f"06092a864886f70d0101{last}") for last in ("0b", "0c"))
        position = der.rindex(sha256)
        leaf, _ = self.renewed(base64.b64encode(der[:position] + sha384 + der[position + len(sha256):]).decode())
        self.assertIn(renew.ECDSA_SHA256, leaf.tbs_certificate_bytes)
        self.assertIn(renew.ECDSA_SHA384, leaf.public_bytes(Encoding.DER))

    def test_a_request_of_today_is_left_as_it_is(self):
        key = rsa.generate_private_key(65537, 2048)
        ca = issued("CA", key, "CA", key)
        self.assertIsNone(renew.renewed(Case("c", {"chain": [text(ca)], "anchors": [text(ca)]}, ACCEPT)))

    def test_a_request_that_cannot_be_parsed_is_left_as_it_is(self):
        self.assertIsNone(renew.renewed(Case("c", {"chain": ["MAA="], "anchors": [text(self.ca)]}, ACCEPT)))

    def test_pss_with_a_wrong_salt_length_is_a_wrong_signature(self):
        pss = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
        self.assertFalse(renew.is_signed_by(Signed(self.ca_key, pss), Signed.der, self.ca_key.public_key()))


class Signed:
    """Signs data with a salt of 20 bytes, but another salt length in the parameters."""

    der = bytes.fromhex("3007300030000301aa")
    signature_hash_algorithm = hashes.SHA256()

    def __init__(self, key, said):
        self.signature_algorithm_parameters = said
        self.signature = key.sign(bytes.fromhex("3000"), padding.PSS(padding.MGF1(hashes.SHA256()), 20), hashes.SHA256())


class Readers(unittest.TestCase):
    def test_lines_of_mbed_tls(self):
        data = '# comment\nA test: with (x)\ndepends_on:A:!B\nf:"a\\:b":C | D:0:""\n\nSecond\ng:"x"\n'
        self.assertEqual(list(mbedtls.lines(data)), [("A test: with (x)", ["A", "!B"], "f", ['"a:b"', "C | D", "0", '""']),
                                                     ("Second", [], "g", ['"x"'])])

    def test_a_certificate_is_asked_within_its_dates(self):
        self.assertEqual(own_anchor.moment(b"..\x17\x0d080612235959Z.."), datetime.datetime(2008, 6, 13, 0, 59, 59))
        self.assertEqual(own_anchor.moment(b"\x17\x0d089912000000Z"), datetime.datetime(2010, 1, 1))

    def test_files_that_pyca_refuses_to_read(self):
        source = ('class TestX:\n def test_a(self):\n  c = _load_cert(os.path.join("x509", "a.pem"), x509.load_pem_x509_certificate)\n'
                  '  with pytest.raises(ValueError):\n   c.extensions\n'
                  '  c = _load_cert(os.path.join("x509", "b.pem"), x509.load_pem_x509_certificate)\n'
                  '  with pytest.raises(x509.ExtensionNotFound):\n   c.extensions\n'
                  '  with pytest.raises(x509.InvalidVersion):\n   _load_cert(os.path.join("x509", "d.pem"), x509.load_pem_x509_certificate)\n')
        function = pyca.ast.parse(source).body[0].body[0]
        self.assertEqual(pyca.refused_files(function), {"x509/a.pem", "x509/d.pem"})

    def test_calls_of_pycas_verifier(self):
        source = ("import pytest\nfrom cryptography.x509.verification import PolicyBuilder, Store, VerificationError\n"
                  "class TestA:\n @pytest.mark.parametrize('x', [1, 2])\n def test_b(self, x):\n"
                  "  v = PolicyBuilder().store(Store(['ca'])).time(x).build_client_verifier()\n  assert v.verify('leaf', []) == 'anything'\n"
                  "  with pytest.raises(VerificationError, match='y'):\n   v.verify('other', ['i'])\n")
        found = [(shown, [(call.leaf, call.intermediates, call.is_refused, call.settings["time"]) for call in calls], error)
                 for shown, calls, error in recorder.Recorder(None).run(source, "x")]
        self.assertEqual(found, [(f"TestA.test_b ({x})", [("leaf", [], False, (x,)), ("other", ["i"], True, (x,))], None) for x in (1, 2)])
