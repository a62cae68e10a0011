# SPDX-License-Identifier: Apache-2.0
"""The status of the leaf under the product's answers, and under the other answer to one question."""
import os
import unittest

from authorities import certificate
from disagreements import Reasons
from revocation_reader import Reader
from revocation_scenes import SERIAL, ca_key, listing, made, new_key, renewed, request, self_issued

ANSWERS = Reasons(os.path.join(os.path.dirname(os.path.abspath(__file__)), "revocation-reasons.toml")).answers


class ProductAnswers(unittest.TestCase):
    def check(self, question, *rows):
        """Each row: status, status under the other answer (None if the question doesn't decide), what it is, CRLs, and maybe options."""
        for status, other, words, crls, *options in rows:
            with self.subTest(words):
                line, path = request(crls, **(options[0] if options else {}))
                found = Reader(ANSWERS, line, path).statuses()[0]
                self.assertEqual((found["status"], found["either"].get(question)), (status, other))

    def test_a_list_without_next_update_and_a_delta_keep_back_another_key(self):
        endless, other = made(start=-3, end=None, number=1), made(by=renewed, signer=new_key, start=-2, number=2)
        dated = made(start=-4, end=-3, number=1)

        def delta(**options):
            return made(**{"number": 3, "base": 1, **options})
        more = {"more": [renewed]}
        self.check(
            "a complete CRL without nextUpdate is current under the issuer's key beside a current delta CRL",
            ("unknown", "good", "a current delta CRL", [endless, delta(), other], more),
            ("good", None, "no delta CRL", [endless, other], more),
            ("good", None, "a late delta CRL", [endless, delta(end=-0.5), other], more),
            ("good", None, "a weak delta CRL", [endless, delta(hash_name="sha1"), other], more),
            ("good", None, "a delta CRL that doesn't fit", [endless, delta(base=2), other], more),
            ("good", None, "a delta CRL brings the complete one up to date", [dated, delta(), other], more),
            ("revoked", None, "the delta CRL revokes", [endless, delta(entries=[listing()]), other], more))

    def test_a_newer_late_list_supersedes_the_base_of_a_delta(self):
        base, delta = made(start=-3, number=1), made(start=-2, number=2, base=1)
        self.check(
            "a delta CRL vouches with an older complete CRL although a newer complete CRL is late",
            ("unknown", "good", "without nextUpdate", [base, delta, made(start=-2, end=None, number=2)]),
            ("unknown", "good", "late", [base, delta, made(start=-2, end=-1, number=2)]),
            ("good", None, "current", [base, delta, made(start=-2, number=2)]),
            ("good", None, "weak", [base, delta, made(start=-2, end=None, number=2, hash_name="sha1")]),
            ("good", None, "older than the base", [base, delta, made(start=-4, end=-3, number=0)]),
            ("revoked", None, "revokes", [base, delta, made([listing()], start=-2, end=None, number=2)]))

    def test_a_superseded_list_keeps_back_no_other_key(self):
        old, other = made(start=-3, number=1), made(by=renewed, signer=new_key, number=4)
        more = {"more": [renewed]}
        self.check(
            "a CRL under the issuer's key is current although a newer one of its scope is late",
            ("good", "unknown", "superseded by a late list", [old, made(start=-1, end=-0.5, number=4), other], more),
            ("unknown", None, "no list of another key", [old, made(start=-1, end=-0.5, number=4)], more),
            ("good", None, "superseded by nothing", [old, other], more),
            ("unknown", None, "a weak list isn't superseded by a weak one", [
                made(start=-3, number=1, hash_name="sha1"), made(start=-1, end=-0.5, number=4, hash_name="sha1"), other], more),
            ("revoked", None, "the late list revokes", [old, made([listing()], start=-1, end=-0.5, number=4), other], more),
            ("revoked", None, "the superseded list revokes", [
                made([listing()], start=-3, number=1), made(start=-1, end=-0.5, number=4), other], more))

    def test_a_key_ends_no_hold_by_its_own_list(self):
        held, worse = (made([listing(reason)], start=-3, end=-2, number=1) for reason in ("certificate_hold", "key_compromise"))
        own = certificate("CA", new_key, "CA", ca_key, serial=SERIAL, usage={"crl_sign"})
        self.check(
            "a CRL under the certificate's own key ends a late hold",
            ("revoked", "good", "a hold", [held, made(by=own, signer=new_key, number=4)], {"subject": own}),
            ("revoked", None, "a compromise", [worse, made(by=own, signer=new_key, number=4)], {"subject": own}),
            ("good", None, "no hold", [made(by=own, signer=new_key, number=4)], {"subject": own}))
        mine = made(by=self_issued, signer=new_key, number=4)
        self.check(
            "evidence whose signer is good only by its own CRL ends a late hold",
            ("revoked", "good", "a hold", [held, mine], {"more": [self_issued]}),
            ("revoked", None, "a compromise", [worse, mine], {"more": [self_issued]}),
            ("revoked", None, "the hold is later", [made([listing("certificate_hold")], start=-0.5, end=-0.2), mine],
             {"more": [self_issued]}),
            ("good", None, "no hold", [mine], {"more": [self_issued]}),
            ("good", None, "a signer that another CA certified", [held, made(by=renewed, signer=new_key, number=4)],
             {"more": [renewed]}))


if __name__ == "__main__":
    unittest.main()
