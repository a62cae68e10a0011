# SPDX-License-Identifier: Apache-2.0
"""The certificates of a scene: a path, and the other signers of evidence about it."""
import datetime

import der
import statements
from chain import ANY_PURPOSE, EKU, NOW, SAN, USAGE, Certificate, dns, purposes

POINTS = "2.5.29.31"
OCSP_SIGNING, NO_CHECK = "1.3.6.1.5.5.7.3.9", "1.3.6.1.5.5.7.48.1.5"
DAY = datetime.timedelta(days=1)
HOUR = DAY / 24
PART_A, PART_B = [1, 2, 3], [4, 5, 6, 7, 8]
# Reasons of entries.
HOLD, REMOVE = 6, 8


class Signer:
    """A key that signs evidence, the signer's name, and the certificates in its OCSP responses."""

    def __init__(self, kind, key, name, certificate=None, identifier=None):
        self.kind, self.key, self.name, self.certificate = kind, key, name, certificate
        self.identifier = identifier or key.identifier


class Cast:
    """`levels` is the path from the root to the leaf. `extra` are the certificates for the request's `intermediates`."""

    def __init__(self, keys, r):
        self.keys, self.r = keys, r
        self.family = r.choices(["p256", "rsa2048"], [12, 1])[0]
        self.hierarchy = r.randrange(3)
        self.count = r.choices([1, 2, 3], [3, 5, 2])[0]
        self.extra, self.tags = [], []
        self.known = {}
        self.levels = []
        for level in range(self.count):
            parent = self.levels[-1] if self.levels else None
            key = self.key(level) if self.family == "p256" else self.keys.get(self.family, level)
            name = der.name((der.O, "Scenes"), (der.CN, f"Authority {self.family} {self.hierarchy} {level}"))
            one = Certificate("intermediate" if parent else "anchor", key, name, parent)
            # The same in each scene, so that scenes share roots.
            one.serial = der.integer(4000 + level)
            self.levels.append(one)
        leaf = Certificate("leaf", self.key(9), der.name((der.CN, "Leaf")), self.levels[-1])
        leaf.serial = self.serial()
        leaf.set(SAN, der.sequence(dns("www.example.com")))
        self.levels.append(leaf)
        for level in range(1, len(self.levels)):
            self.set_points(level)

    def serial(self):
        return der.integer(self.r.getrandbits(40) | 1 << 40)

    def key(self, number):
        return self.keys.get("p256", self.hierarchy * 20 + number)

    def once(self, what, make):
        if what not in self.known:
            self.known[what] = make()
        return self.known[what]

    # Distribution points

    def place(self, level, part=""):
        return statements.uri(f"http://crl.example/{level}{part}.crl")

    def set_points(self, level):
        r = self.r
        kinds = {
            "none": 40, "uri": 18, "directory": 3, "relative": 3, "parts": 8, "some-reasons": 3, "indirect": 14, "indirect-parts": 3,
            "two-names": 3, "issuer-as-indirect": 2,
        }  # fmt: skip
        kind = r.choices(list(kinds), kinds.values())[0]
        self.known["points", level] = kind
        if kind == "none":
            return
        issuer = self.levels[level - 1].subject
        full = lambda part="": statements.full_name(self.place(level, part))
        indirect = self.indirect_name(level)
        points = {
            "uri": lambda: [statements.point(full())],
            "directory": lambda: [statements.point(statements.full_name(statements.directory(self.place_name(level))))],
            "relative": lambda: [statements.point(self.relative(level))],
            "parts": lambda: [statements.point(full("a"), PART_A), statements.point(full("b"), PART_B)],
            "some-reasons": lambda: [statements.point(full(), PART_A)],
            "indirect": lambda: [statements.point(full() if r.random() < 0.5 else None, issuers=[indirect])],
            "indirect-parts": lambda: [statements.point(full(), PART_A), statements.point(full(), PART_B, [indirect])],
            "two-names": lambda: [statements.point(statements.full_name(self.place(level, "other"), self.place(level)))],
            "issuer-as-indirect": lambda: [statements.point(full(), issuers=[issuer])],
        }[kind]()
        self.levels[level].set(POINTS, der.sequence(*points))
        self.tags.append(f"points@{level}:{kind}")

    def relative_attribute(self, level):
        return der.attribute(der.CN, der.string(f"Part {level}"))

    def relative(self, level):
        return statements.relative_name(self.relative_attribute(level))

    def place_name(self, level):
        """Returns the full name for `relative`."""
        issuer = self.levels[level - 1].subject
        return der.sequence(issuer[2:] if issuer[1] < 128 else issuer[3:], der.set_of(self.relative_attribute(level)))

    # Signers

    def make(self, role, key, name, parent, **changes):
        one = Certificate(role, key, name, parent)
        one.serial = self.serial()
        for field, value in changes.items():
            setattr(one, field, value)
        return one

    def sibling(self):
        """Another CA below the root."""
        return self.once("sibling", lambda: self.make("intermediate", self.key(10), der.name((der.CN, "Sibling")), self.levels[0]))

    def issuer(self, level):
        one = self.levels[level - 1]
        return Signer("issuer", one.key, one.subject, one)

    def parent(self, level):
        one = self.levels[max(0, level - 2)]
        return Signer("parent", one.key, one.subject, one)

    def above_in_name(self, level):
        """The CA above the issuer, which signs under the issuer's name."""
        one = self.levels[max(0, level - 2)]
        return Signer("parent-in-name", one.key, self.levels[level - 1].subject, one)

    def other(self, level):
        one = self.sibling()
        return Signer("other", one.key, one.subject, one)

    def own(self, level):
        one = self.levels[level]
        return Signer("own", one.key, self.levels[level - 1].subject, one)

    def impostor(self, level):
        """A key under the issuer's name that no CA of the path has certified."""
        name, key = self.levels[level - 1].subject, self.key(11)
        how = self.once(("impostor", level), lambda: self.r.choice(["self", "sibling", "none"]))

        def make():
            one = self.make("intermediate", key, name, self.sibling() if how == "sibling" else None)
            if how == "sibling":
                self.extra.append(self.sibling())
            self.extra.append(one)
            return one

        return Signer(f"impostor-{how}", key, name, None if how == "none" else self.once(("impostor certificate", level), make))

    def renewed(self, level):
        """The issuer with another key."""
        issuer = self.levels[level - 1]
        kinds = {
            "good": 30, "by-parent": 10, "list-signer": 10, "no-usage": 3, "wrong-usage": 3, "expired-since": 6, "expired-before": 5,
            "early": 4, "sha1": 4, "rsa1024": 4, "hidden": 3, "damaged": 3,
        }  # fmt: skip
        kind = self.once(("renewed kind", level), lambda: self.r.choices(list(kinds), kinds.values())[0])
        key = self.keys.get("rsa1024", 0) if kind == "rsa1024" else self.key(12 + level)

        def make():
            parent = self.levels[level - 2] if kind == "by-parent" and level > 1 else issuer
            one = self.make("leaf" if kind == "list-signer" else "intermediate", key, issuer.subject, parent)
            if kind == "list-signer":
                one.drop(EKU)
                one.set(USAGE, der.named_bits(6), True)
            self.change(one, kind)
            if kind == "no-usage":
                one.drop(USAGE)
            if kind == "wrong-usage":
                one.set(USAGE, der.named_bits(0, 5), True)
            if kind != "hidden":
                self.extra.append(one)
            return one

        return Signer(f"renewed-{kind}", key, issuer.subject, self.once(("renewed", level), make))

    def change(self, one, kind):
        if kind == "expired-since":
            one.not_before, one.not_after = der.time(NOW - 300 * DAY), der.time(NOW - DAY / 4)
        if kind == "expired-before":
            one.not_before, one.not_after = der.time(NOW - 300 * DAY), der.time(NOW - 100 * DAY)
        if kind == "early":
            one.not_before, one.not_after = der.time(NOW + DAY / 4), der.time(NOW + 300 * DAY)
        if kind == "sha1":
            one.scheme = "sha1"
        if kind == "damaged":
            one.alter_signature = lambda signature: signature[:-1] + bytes((signature[-1] ^ 1,))

    def indirect_name(self, level):
        return der.name((der.O, "Scenes"), (der.CN, f"List issuer {level}"))

    def indirect(self, level):
        """The issuer of indirect CRLs: certified by the certificate's issuer, by a CA above it, or by another CA."""
        key = self.key(16)
        kind = self.once(("indirect kind", level), lambda: self.r.choices(
            ["good", "by-parent", "by-other", "authority", "expired-since", "no-usage"], [30, 10, 5, 5, 4, 3])[0])  # fmt: skip

        def make():
            parent = {"by-parent": self.levels[max(0, level - 2)], "by-other": self.sibling()}.get(kind, self.levels[level - 1])
            one = self.make("intermediate" if kind == "authority" else "leaf", key, self.indirect_name(level), parent)
            one.drop(EKU)
            if kind != "authority":
                one.set(USAGE, der.named_bits(6), True)
            if kind == "no-usage":
                one.drop(USAGE)
            self.change(one, kind)
            self.extra.append(one)
            if kind == "by-other" and self.sibling() not in self.extra:
                self.extra.append(self.sibling())
            return one

        return Signer(f"indirect-{kind}", key, self.indirect_name(level), self.once(("indirect", level), make))

    def delegate(self, level, kind=None):
        """An OCSP responder with a certificate."""
        kinds = {
            "good": 30, "checked": 16, "no-purpose": 6, "any-purpose": 3, "expired-since": 5, "expired-before": 4, "early": 3,
            "by-other": 5, "by-renewed": 7, "by-parent": 5, "sha1": 4, "rsa1024": 4, "wrong-usage": 3, "self": 2, "damaged": 2,
            "authority": 2,
        }  # fmt: skip
        kind = kind or self.r.choices(list(kinds), kinds.values())[0]
        name = der.name((der.CN, f"Responder {level} {kind}"))
        key = self.keys.get("rsa1024", 1) if kind == "rsa1024" else self.key(17)

        def make():
            issuer = self.levels[level - 1]
            parent = {
                "by-other": self.sibling, "self": lambda: None, "by-parent": lambda: self.levels[max(0, level - 2)],
                "by-renewed": lambda: self.renewed(level).certificate,
            }.get(kind, lambda: issuer)()  # fmt: skip
            one = self.make("intermediate" if kind == "authority" else "leaf", key, name, parent)
            one.set(EKU, purposes(OCSP_SIGNING))
            if kind == "no-purpose":
                one.drop(EKU)
            if kind == "any-purpose":
                one.set(EKU, purposes(ANY_PURPOSE))
            if kind == "wrong-usage":
                one.set(USAGE, der.named_bits(5, 6), True)
            if kind == "authority":
                one.set(USAGE, der.named_bits(0, 5, 6), True)
            if kind != "checked":
                one.set(NO_CHECK, der.NULL)
            self.change(one, kind)
            return one

        return Signer(f"delegate-{kind}", key, name, self.once(("delegate", level, kind), make))
