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
