# SPDX-License-Identifier: Apache-2.0
"""Tables from the texts of RFC 5280 § 5 and § 6.3, RFC 6960 and the batch contract."""
import base64
import json
import pathlib
import subprocess
import sys
import unittest

from asn1crypto import core

import revocation_oracle
from authorities import DAY, NOW, certificate, key, name, resigned
from evidence import extension, name_of, ocsp, scope, spoilt
from revocation_scenes import (answer, ca, ca_key, crl_issuer, delegate, elsewhere, found, impostor, impostor_key, issuer_key,
                               leaf, leaf_with, listing, made, new_key, no_sign, other_branch, other_root, renewed, request, root,
                               root_key, root_list, self_issued, short_key, spoken, unrelated, unrelated_key)

REASONS = ["key_compromise", "ca_compromise", "affiliation_changed", "superseded", "cessation_of_operation", "certificate_hold",
           "privilege_withdrawn", "aa_compromise"]
UNKNOWN = extension("1.2.3.4", core.Null().dump(), critical=True)


class Tables(unittest.TestCase):
    """Runs a table of (expected, words, CRLs, options)."""

    def check(self, *rows):
        """Each row: expected status, what it is, the keyword arguments of `found`."""
        for expected, words, arguments in rows:
            with self.subTest(words):
                self.assertEqual(found(**arguments), expected)

    def lists(self, *rows):
        """Each row: expected status, what it is, CRLs, and maybe options."""
        self.check(*[(row[0], row[1], {"crls": row[2], **(row[3] if len(row) > 3 else {})}) for row in rows])

    def answers(self, *rows):
        """Each row: expected status, what it is, OCSP responses, and maybe options."""
        self.check(*[(row[0], row[1], {"responses": row[2], **(row[3] if len(row) > 3 else {})}) for row in rows])


class CompleteLists(Tables):
    """RFC 5280 § 5.1, § 5.2, § 6.3.3 (a), (f), (g), (j)."""

    def test_a_current_list_by_the_issuer_decides(self):
        self.lists(
            ("unknown", "no evidence", []),
            ("good", "not listed", [made()]),
            ("good", "another serial number", [made([listing(serial=5)])]),
            ("revoked", "listed", [made([listing()])]),
            ("revoked", "listed with a reason", [made([listing("key_compromise")])]),
            ("revoked", "on hold", [made([listing("certificate_hold")])]),
            ("revoked", "revoked from tomorrow on", [made([listing(at=NOW + DAY)])]),
            ("good", "version 1", [made(version=1)]),
            ("revoked", "version 1", [made([listing()], version=1)]),
            ("good", "without a number", [made(number=None)]),
            ("good/unknown", "a foreign key identifier", [made(identifier=b"x" * 20)]),
            ("good", "no key identifier", [made(identifier=None)]),
            ("revoked", "a foreign key identifier", [made([listing()], identifier=b"x" * 20)]),
            ("good/revoked", "removed in a complete list", [made([listing("remove_from_crl")])]))

    def test_dates_and_weak_signatures_take_only_the_good_news(self):
        weak = {"hash_name": "sha1"}
        self.lists(
            ("unknown", "late", [made(end=-0.5)]), ("revoked", "late", [made([listing()], end=-0.5)]),
            ("unknown", "early", [made(start=0.5)]), ("revoked", "early", [made([listing()], start=0.5)]),
            ("revoked/unknown", "early, revoked later", [made([listing(at=NOW + DAY / 2)], start=0.5)]),
            ("good", "thisUpdate now", [made(start=0)]), ("good/unknown", "nextUpdate now", [made(end=0)]),
            ("good/unknown", "no nextUpdate", [made(end=None)]), ("revoked", "no nextUpdate", [made([listing()], end=None)]),
            ("unknown", "SHA-1", [made(**weak)]), ("revoked", "SHA-1", [made([listing()], **weak)]),
            ("unknown", "broken", [made(broken=True)]), ("unknown", "broken", [made([listing()], broken=True)]),
            ("unknown", "two algorithms", [made(outside_hash="sha384")]))

    def test_the_key_of_the_signer_decides(self):
        bad = [listing()]
        self.lists(
            ("unknown", "an impostor", [made(bad, by=impostor, signer=impostor_key)], {"more": [impostor]}),
            ("unknown", "the CA's name under another root", [made(bad, by=elsewhere, signer=impostor_key)],
             {"more": [elsewhere, other_root]}),
            ("unknown", "another CA", [made(bad, by=unrelated, signer=unrelated_key)], {"more": [unrelated]}),
            ("unknown", "the leaf's key", [made(bad, signer=key("leaf"))]),
            ("unknown", "the issuer's issuer", [made(bad, by=root, signer=root_key)]),
            ("unknown", "a renewed key without its certificate", [made(bad, by=renewed, signer=new_key)]),
            ("revoked", "a renewed key of the same parent", [made(bad, by=renewed, signer=new_key)], {"more": [renewed]}),
            ("good", "with a status", [made(by=renewed, signer=new_key), root_list], {"more": [renewed]}),
            ("good/unknown", "without a status", [made(by=renewed, signer=new_key)], {"more": [renewed]}),
            ("revoked", "a self-issued new key", [made(bad, by=self_issued, signer=new_key)], {"more": [self_issued]}),
            ("unknown", "a renewed key without cRLSign", [made(bad, by=no_sign, signer=key("no sign"))], {"more": [no_sign]}),
            ("revoked/unknown", "the name certified by another CA", [made(bad, by=other_branch, signer=key("branch"))],
             {"more": [other_branch, unrelated]}),
            ("unknown", "not listed, the name certified by another CA", [made(by=other_branch, signer=key("branch"))],
             {"more": [other_branch, unrelated]}))

    def test_an_issuer_without_crl_sign_signs_no_lists(self):
        authority = certificate("CA", ca_key, "Root", root_key, ca=True, usage={"key_cert_sign"})
        for entries, expected in (([], ["unknown"]), ([listing()], ["revoked", "unknown"])):
            line, path = request([made(entries)], path=[leaf, authority, root])
            line["intermediates"] = [authority]
            status = revocation_oracle.statuses(line, path)[0]
            self.assertEqual(status.get("either", [status["status"]]), expected)

    def test_unknown_critical_extensions_stop_the_whole_list(self):
        other = listing(serial=5, extensions=[UNKNOWN])
        mild = extension("1.2.3.4", core.Null().dump())
        self.lists(
            ("unknown", "in the list", [made(extensions=[UNKNOWN])]),
            ("revoked/unknown", "in the list", [made([listing()], extensions=[UNKNOWN])]),
            ("unknown", "in another entry", [made([other])]),
            ("revoked/unknown", "in another entry", [made([listing(), other])]),
            ("good", "not critical", [made(extensions=[mild])]),
            ("good", "not critical in an entry", [made([listing(serial=5, extensions=[mild])])]))


class Scopes(Tables):
    """RFC 5280 § 5.2.5 and § 6.3.3 (b), (d), (l)."""

    def test_the_kind_of_certificate(self):
        for words, options, expected in (("user", {"user": True}, "good"), ("ca", {"ca": True}, "unknown"),
                                         ("attribute", {"attribute": True}, "unknown"),
                                         ("user and CA", {"user": True, "ca": True}, "unknown")):
            with self.subTest(words):
                self.assertEqual(found([made(scope=scope(**options))]), expected)
                listed = found([made([listing()], scope=scope(**options))])
                outside = "unknown" if words == "attribute" else "revoked/unknown"
                self.assertEqual(listed, "revoked" if expected == "good" else outside)
        path = [ca, root]
        line = {"time": NOW.isoformat(), "crls": [made(by=root, signer=root_key, scope=scope(ca=True))], "anchors": [root], "chain": [ca]}
        self.assertEqual(revocation_oracle.statuses(line, path)[0]["status"], "good")

    def test_distribution_points_share_a_name(self):
        one, two = leaf_with([{"full": ["http://a/1", "http://a/2"]}]), leaf_with([{"full": ["http://a/3"]}])
        here = scope(full=["http://a/2", "http://b/"])
        relative = name("x").public_bytes()[2:]
        self.lists(
            ("good", "a common name", [made(scope=here)], {"subject": one}),
            ("revoked", "a common name", [made([listing()], scope=here)], {"subject": one}),
            ("unknown", "no common name", [made(scope=here)], {"subject": two}),
            ("revoked/unknown", "no common name", [made([listing()], scope=here)], {"subject": two}),
            ("unknown", "no distribution point in the certificate", [made(scope=here)]),
            ("good", "the issuer's name", [made(scope=scope(full=[name_of(ca)]))]),
            ("good", "a list without one", [made()], {"subject": two}),
            ("good", "a relative name", [made(scope=scope(relative=relative))], {"subject": leaf_with([{"relative": relative}])}))

    def test_reasons_have_to_add_up(self):
        def part(reasons, entries=(), **options):
            return made(entries, scope=scope(reasons=reasons), **options)
        self.lists(
            ("unknown", "a part", [part(REASONS[:3])]),
            ("good", "both parts", [part(REASONS[:3]), part(REASONS[3:])]),
            ("good", "overlapping parts", [part(REASONS[:5]), part(REASONS[3:])]),
            ("unknown", "one reason is missing", [part(REASONS[:3]), part(REASONS[4:])]),
            ("unknown", "one part is late", [part(REASONS[:3]), part(REASONS[3:], end=-0.5)]),
            ("unknown", "one part is weak", [part(REASONS[:3]), part(REASONS[3:], hash_name="sha1")]),
            ("revoked", "one part lists it", [part(REASONS[:3]), part(REASONS[3:], [listing("certificate_hold")])]),
            ("good", "distribution points by reasons",
             [made(scope=scope(full=["http://a/"])), made(scope=scope(full=["http://b/"]))],
             {"subject": leaf_with([{"full": ["http://a/"], "reasons": REASONS[:3]}, {"full": ["http://b/"], "reasons": REASONS[3:]}])}),
            ("unknown", "one of them",
             [made(scope=scope(full=["http://a/"]))],
             {"subject": leaf_with([{"full": ["http://a/"], "reasons": REASONS[:3]}, {"full": ["http://b/"], "reasons": REASONS[3:]}])}))

    def test_indirect_lists(self):
        subject = leaf_with([{"full": ["http://i/"], "issuer": [name_of(crl_issuer)]}])
        indirect = scope(full=["http://i/"], indirect=True)

        def of(entries=(), **options):
            return [made(entries, by=crl_issuer, signer=issuer_key, **{"scope": indirect, **options}), root_list]
        mine, again = listing(issuer=name_of(ca)), listing()
        foreign = listing(issuer=name_of(unrelated), serial=9)
        more = {"subject": subject, "more": [crl_issuer, unrelated]}
        self.lists(
            ("good", "not listed", of(), more), ("revoked", "listed with its issuer", of([mine]), more),
            ("good", "the first entry defaults to the CRL issuer", of([again]), more),
            ("good", "another issuer's entry", of([foreign, again]), more),
            ("revoked", "the issuer carries over", of([listing(serial=9, issuer=name_of(ca)), again]), more),
            ("unknown", "not marked as indirect", of(scope=scope(full=["http://i/"])), more),
            ("unknown", "no certificate of the CRL issuer", of([mine]), {"subject": subject}),
            ("unknown", "not named by the certificate", of([mine]), {"more": [crl_issuer]}),
            ("good", "the issuer's list marked as indirect", [made(scope=scope(indirect=True))]),
            ("revoked", "the issuer's list marked as indirect", [made([again], scope=scope(indirect=True))]),
            ("good", "another issuer's entry in it", [made([foreign, again], scope=scope(indirect=True))]),
            ("good/revoked", "a certificate issuer in a direct list", [made([foreign, again])]))
        weak = certificate("CRL Issuer", short_key, "Root", root_key, usage={"crl_sign"})
        for entries, expected in (([], "unknown"), ([mine], "revoked")):
            with self.subTest("a CRL issuer with a short key"):
                one = made(entries, by=weak, signer=short_key, scope=indirect)
                self.assertEqual(found([one, root_list], subject=subject, more=[weak]), expected)
        revoked = made([listing(serial=77)], by=root, signer=root_key)
        signer = certificate("CRL Issuer", issuer_key, "Root", root_key, usage={"crl_sign"}, serial=77)
        with self.subTest("a revoked CRL issuer"):
            self.assertEqual(found([of()[0], revoked], subject=subject, more=[signer]), "unknown")


class DeltaLists(Tables):
    """RFC 5280 § 5.2.4 and § 6.3.3 (c), (h), (i), (k)."""

    def test_a_delta_updates_a_complete_list(self):
        hold, removed, bad = listing("certificate_hold"), listing("remove_from_crl"), listing("key_compromise")
        base, held = made(start=-3, number=5), made([hold], start=-3, number=5)

        def delta(entries=(), **options):
            return made(entries, **{"number": 7, "base": 5, **options})
        late = made([hold], start=-3, end=-2, number=5)
        self.lists(
            ("unknown", "a delta without a complete list", [delta()]),
            ("revoked", "its bad news", [delta([bad])]), ("unknown", "its removal", [delta([removed])]),
            ("good", "nothing new", [base, delta()]), ("revoked", "new bad news", [base, delta([bad])]),
            ("revoked", "still on hold", [held, delta()]), ("good", "released", [held, delta([removed])]),
            ("good", "released, the complete list is late", [late, delta([removed])]),
            ("good", "nothing new, the complete list is late", [made(start=-3, end=-2, number=5), delta()]),
            ("revoked", "released by a late delta", [held, delta([removed], end=-0.5)]),
            ("revoked", "released by an early delta", [held, delta([removed], start=0.5)]),
            ("revoked", "released by a weak delta", [held, delta([removed], hash_name="sha1")]),
            ("revoked", "released by an impostor", [held, delta([removed], signer=impostor_key)], {"more": [impostor]}),
            ("revoked", "base number above the complete list", [held, delta([removed], base=6)]),
            ("good", "base number below the complete list", [held, delta([removed], base=2)]),
            ("revoked", "number not above the complete list", [held, delta([removed], number=5)]),
            ("revoked", "another scope", [held, delta([removed], scope=scope(user=True))]),
            ("revoked", "another key identifier", [held, delta([removed], identifier=b"x" * 20)]),
            ("revoked", "another key", [held, delta([removed], by=renewed, signer=new_key), root_list], {"more": [renewed]}),
            ("good/revoked", "removed after a compromise", [made([bad], start=-3, number=5), delta([removed])]))


class Superseding(Tables):
    """The contract: authentic bad news counts unless newer usable evidence of the same authority supersedes it."""

    def test_only_newer_usable_evidence_supersedes(self):
        def held(**options):
            return made([listing("certificate_hold")], **{"start": -5, "number": 3, **options})
        hold = {"status": "revoked", "reason": "certificate_hold", "start": -5}
        self.lists(
            ("good", "hold then free", [held(), made(number=4)]), ("good", "a late hold", [held(end=-3), made(number=4)]),
            ("good", "a weak hold", [held(hash_name="sha1"), made(number=4)]),
            ("revoked", "free then hold", [made(start=-6, number=2), held()]),
            ("revoked", "an early hold", [held(start=0.5, number=5), made(number=4)]),
            ("revoked", "free by weak evidence", [held(), made(number=4, hash_name="sha1")]),
            ("revoked", "free by late evidence", [held(), made(number=4, end=-0.5)]),
            ("revoked", "free by early evidence", [held(), made(number=4, start=0.5)]),
            ("good", "a hold in a list for other reasons, then free", [
                held(scope=scope(reasons=REASONS[:5])), made(number=4, scope=scope(reasons=REASONS[:5])), made(number=4)]),
            ("good/revoked", "a hold by the renewed key, free by the issuer",
             [held(by=renewed, signer=new_key), made(number=4), root_list], {"more": [renewed]}),
            ("revoked", "free by a list for other reasons", [held(), made(number=4, scope=scope(reasons=REASONS[:5]))]),
            ("good/revoked", "compromise then free", [made([listing("key_compromise")], start=-5, number=3), made(number=4)]),
            ("good/revoked", "no reason then free", [made([listing()], start=-5, number=3), made(number=4)]))
        self.answers(
            ("good/revoked", "hold then free", [answer(**hold), answer()]),
            ("revoked", "free then hold", [answer(**hold), answer(start=-6)]),
            ("revoked", "free by a late answer", [answer(**hold), answer(end=-0.5)]),
            ("revoked", "free by a weak answer", [answer(**hold), answer(hash_name="sha1")]),
            ("good/revoked", "another kind of evidence", [answer(**hold)], {"crls": [made()]}),
            ("good/revoked", "a delegate frees", [answer(**hold), spoken(delegate())]),
            ("good/revoked", "compromise then free", [answer("revoked", -5, reason="key_compromise"), answer()]))
        self.check(("revoked", "a good answer and a list that revokes", {"crls": [made([listing()])], "responses": [answer(start=-2)]}))


class Answers(Tables):
    """RFC 6960 § 3.2, § 4.2.2."""

    def test_the_issuer_answers(self):
        self.answers(
            ("good", "good", [answer()]), ("revoked", "revoked", [answer("revoked")]), ("unknown", "unknown", [answer("unknown")]),
            ("good", "by name", [answer(named="name")]),
            ("unknown", "late", [answer(end=-0.5)]),
            ("revoked", "late", [answer("revoked", end=-0.5)]), ("unknown", "early", [answer(start=0.5)]),
            ("revoked", "early", [answer("revoked", start=0.5)]),
            ("revoked/unknown", "early, revoked later", [answer("revoked", start=0.5, at=NOW + DAY / 2)]),
            ("unknown", "produced early", [answer(produced=0.5)]),
            ("revoked", "produced early", [answer("revoked", produced=0.5)]),
            ("good/unknown", "no nextUpdate", [answer(end=None)]), ("good/unknown", "nextUpdate now", [answer(end=0)]),
            ("unknown", "SHA-1", [answer(hash_name="sha1")]), ("revoked", "SHA-1", [answer("revoked", hash_name="sha1")]),
            ("unknown", "broken", [answer("revoked", broken=True)]), ("unknown", "another serial number", [answer(serial=5)]),
            ("unknown", "another issuer's identifier", [answer("revoked", about=impostor)]),
            ("good", "an identifier with SHA-256", [answer(single_options={"hash_name": "sha256"})]),
            ("unknown", "tryLater", [ocsp(None, [], produced=NOW, responder=ca, status=3)]),
            ("unknown", "another type of response", [answer(outside_type="1.2.3")]),
            ("unknown", "an unknown critical extension", [answer(extensions=[UNKNOWN])]),
            ("revoked/unknown", "an unknown critical extension", [answer("revoked", extensions=[UNKNOWN])]),
            ("unknown", "another responder ID", [answer(by=impostor)]),
            ("revoked/unknown", "another responder ID", [answer("revoked", by=impostor)]),
            ("revoked", "two statements", [answer(), answer("revoked")]))

    def test_a_delegate_answers(self):
        cut = {"start": NOW - 300 * DAY, "end": NOW - DAY / 2}
        free, checked = delegate(), delegate(no_check=False, serial=99)
        short = delegate(short_key)
        self.answers(
            ("good", "good", [spoken(free)]), ("revoked", "revoked", [spoken(free, "revoked")]),
            ("good", "by name", [spoken(free, named="name")]), ("revoked", "by name", [spoken(free, "revoked", named="name")]),
            ("unknown", "without id-kp-OCSPSigning", [spoken(delegate(purposes=None), "revoked")]),
            ("unknown", "any purpose", [spoken(delegate(purposes=["2.5.29.37.0"]), "revoked")]),
            ("unknown", "by the issuer's issuer", [spoken(delegate(issuer="Root", signer=root_key), "revoked")]),
            ("unknown", "by an impostor", [spoken(delegate(signer=impostor_key), "revoked")], {"more": [impostor]}),
            ("unknown", "by another CA", [spoken(delegate(issuer="Unrelated", signer=unrelated_key), "revoked")], {"more": [unrelated]}),
            ("unknown", "by the renewed key", [spoken(delegate(signer=new_key), "revoked")], {"more": [renewed]}),
            ("unknown", "expired", [spoken(delegate(**cut))]),
            ("revoked/unknown", "expired", [spoken(delegate(**cut), "revoked")]),
            ("unknown", "a short key", [spoken(short, signer=short_key)]),
            ("revoked", "a short key", [spoken(short, "revoked", signer=short_key)]),
            ("unknown", "a SHA-1 certificate", [spoken(resigned(free, ca_key))]),
            ("revoked", "a SHA-1 certificate", [spoken(resigned(free, ca_key), "revoked")]),
            ("unknown", "another key than the delegate's", [spoken(free, "revoked", signer=impostor_key)]),
            ("unknown", "certificate absent", [answer("revoked", signer=key("delegate"), by=free)]),
            ("good/unknown", "without nocheck and status", [spoken(checked)]),
            ("revoked", "without nocheck and status", [spoken(checked, "revoked")]),
            ("good/unknown", "without nocheck, good", [spoken(checked), answer(serial=99)]),
            ("good/unknown", "without nocheck, revoked", [spoken(checked), answer("revoked", serial=99)]),
            ("revoked/unknown", "bad news without nocheck, revoked", [spoken(checked, "revoked"), answer("revoked", serial=99)]),
            ("good/unknown", "the issuer's renewed key", [answer(signer=new_key, by=renewed)], {"more": [renewed], "crls": [root_list]}))


class Verdicts(unittest.TestCase):
    """The contract's modes."""

    def test_required_asks_each_certificate_and_off_refuses_only_bad_news(self):
        for revocation, crls, refused in (("off", [], False), ("bestEffort", [], False), ("required", [], True),
                                          ("required", [made()], True), ("required", [made(), root_list], False),
                                          ("off", [made([listing()])], True), ("bestEffort", [made([listing()])], True)):
            with self.subTest(revocation=revocation, crls=len(crls)):
                self.assertEqual(revocation_oracle.refusal(*request(crls, revocation=revocation)) is not None, refused)

    def test_the_command_answers_each_line(self):
        lines = []
        for crls, path_text in (([made(), root_list], True), ([made([listing()])], True), ([made(end=None), root_list], True), ([], False)):
            line, path = request(crls, revocation="required")
            line = {key_: [base64.b64encode(one).decode() for one in value] if isinstance(value, list) else value
                    for key_, value in {**line, "path": path}.items()}
            lines.append(json.dumps(line if path_text else {**line, "path": ["AAAA"]}))
        script = pathlib.Path(revocation_oracle.__file__)
        output = subprocess.run([sys.executable, str(script)], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        self.assertEqual([json.loads(one)["verdict"] for one in output.stdout.splitlines()],
                         ["accepted", "refused", "either", "unreadable"])

    def test_hostile_octets_never_stop_the_oracle(self):
        samples = [made([listing("key_compromise")], scope=scope(full=["http://a/"], indirect=True)), spoken(delegate(), "revoked")]
        for sample in samples:
            for at in range(0, len(sample), 3):
                broken = sample[:at] + bytes([sample[at] ^ 0x41]) + sample[at + 1:]
                for octets in (broken, sample[:at], sample + b"\x00", spoilt(sample)):
                    line, path = request([octets], [octets])
                    revocation_oracle.refusal(line, path)


if __name__ == "__main__":
    unittest.main()
