# SPDX-License-Identifier: Apache-2.0
"""NIST PKITS sections 4.4, 4.5, 4.7 (cRLSign), 4.14 and 4.15: the file names contain the expected result.

Needs the package `cryptography-vectors`, or the environment variable PKITS_DATA with its folder x509/PKITS_data.
The oracle sees all CRLs of PKITS at once, because the test doesn't choose a CRL for it.
"""
import os
import pathlib
import unittest

import revocation_oracle
from crl_signers import Scene, faults, routes
from revocation_certificates import read_certificate

SECTIONS = {
    "4.4": ("MissingCRL", "RevokedCA", "RevokedEE", "InvalidRevoked", "BadCRL", "WrongCRL", "TwoCRLs", "UnknownCRL", "OldCRL",
            "pre2000CRL", "GeneralizedTimeCRL", "NegativeSerial", "LongSerial", "SeparateCertificateandCRLKeys"),
    "4.5": ("BasicSelfIssued",), "4.7": ("cRLSignFalse",),
    "4.14": ("distributionPoint", "NoissuingDistributionPoint", "onlyContains", "onlySomeReasons", "IDPwithindirectCRL", "cRLIssuer"),
    "4.15": ("deltaCRL",)}
TIME = "2020-06-15T12:00:00Z"


def folder():
    """The PKITS folder, or None."""
    if os.environ.get("PKITS_DATA"):
        return pathlib.Path(os.environ["PKITS_DATA"])
    try:
        import cryptography_vectors
    except ImportError:
        return None
    return pathlib.Path(cryptography_vectors.__file__).parent / "x509" / "PKITS_data"


def outcomes(root):
    """(section, file name, expected, verdicts of each path) of each test."""
    files = sorted((root / "certs").glob("*.crt"))
    crls = [one.read_bytes() for one in sorted((root / "crls").glob("*.crl"))]
    authorities = [one.read_bytes() for one in files if "EE" not in one.name]
    anchor = (root / "certs" / "TrustAnchorRootCertificate.crt").read_bytes()
    for file in files:
        section = next((number for number, words in SECTIONS.items() for word in words if word in file.name), None)
        if section is None or not file.name.startswith(("Valid", "Invalid")) or "EE" not in file.name:
            continue
        leaf = file.read_bytes()
        request = {"time": TIME, "revocation": "required", "crls": crls, "chain": [leaf], "intermediates": authorities}
        signer = read_certificate(leaf)
        scene = Scene(revocation_oracle.moment(TIME), [signer, read_certificate(anchor)],
                      [one for one in map(read_certificate, authorities) if one], [], [])
        paths = [route for route in routes(signer, scene) if not faults(route, scene)]
        verdicts = []
        for route in paths:
            found = revocation_oracle.statuses(request, [one.der for one in route])
            verdicts.append((revocation_oracle.judge(request, found), found))
        yield section, file.name, "accepted" if file.name.startswith("Valid") else "refused", verdicts


@unittest.skipUnless(folder() and folder().is_dir(), "needs cryptography-vectors or PKITS_DATA")
class Pkits(unittest.TestCase):
    """Each test of the sections; "either" counts as agreement if one of its readings is the expected one."""

    def test_each_certificate_has_the_status_that_its_name_tells(self):
        """A valid test has one accepted path; an invalid one has none."""
        counts = {}
        for section, name, expected, verdicts in outcomes(folder()):
            with self.subTest(section=section, name=name):
                found = {verdict for (verdict, _), _ in verdicts}
                got = "accepted" if "accepted" in found else "either" if "either" in found else "refused"
                counts.setdefault(section, []).append(got)
                self.assertIn(got, (expected, "either"), verdicts)
        print({section: {one: got.count(one) for one in sorted(set(got))} for section, got in counts.items()})


if __name__ == "__main__":
    unittest.main()
