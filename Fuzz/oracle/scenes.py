# SPDX-License-Identifier: Apache-2.0
"""Scenes of revocation, each a function of seed and index: a path, and up to eight CRLs and OCSP responses about it."""
import base64
import datetime
import random

import der
import keys
import statements
from cast import DAY, PART_A, PART_B, Cast
from chain import NOW

HOUR = datetime.timedelta(hours=1)
MODES = ("off", "bestEffort", "required")
HOLD, REMOVE = 6, 8
ORDERS = 3


def encode(one):
    return base64.b64encode(one).decode()


class Scene:
    """What one scene holds. `requests()` has a batch line for each order of the evidence."""

    def __init__(self, index, r, cast):
        self.index, self.cast, self.tags = index, cast, cast.tags
        self.crls, self.responses = [], []
        self.mode = r.choices(MODES, [2, 3, 5])[0]
        self.random = r

    def requests(self):
        path = [one.der() for one in reversed(self.cast.levels)]
        lists = [self.crls, self.responses, [one.der() for one in self.cast.extra]]
        turned = [list(reversed(one)) for one in lists]
        mixed = [self.random.sample(one, len(one)) for one in lists]
        for crls, responses, extra in (lists, turned, mixed):
            yield {
                "id": str(self.index), "host": "www.example.com", "chain": [encode(one) for one in path[:-1]],
                "intermediates": [encode(one) for one in extra], "anchors": [encode(path[-1])], "time": NOW.isoformat() + "Z",
                "revocation": self.mode, "crls": [encode(one) for one in crls], "ocspResponses": [encode(one) for one in responses],
                "tags": self.tags,
            }  # fmt: skip

    @property
    def path(self):
        return [one.der() for one in reversed(self.cast.levels)]


class Generator:
    def __init__(self, seed):
        self.seed = seed
        self.keys = keys.KeyStore(seed)
        # Before processes are forked: making these takes a second.
        for kind, count in (("rsa1024", 2), ("rsa2048", 3)):
            for number in range(count):
                self.keys.get(kind, number)

    def scene(self, index):
        r = random.Random(f"{self.seed}/revocation/{index}")
        return Writer(index, r, Cast(self.keys, r)).scene


class Writer:
    """Writes the evidence of one scene. Moods are the scene's own, so that many scenes have little that is wrong in them."""

    def __init__(self, index, r, cast):
        self.r, self.cast = r, cast
        self.scene = Scene(index, r, cast)
        self.badness = r.choice([0.0, 0.05, 0.2, 0.5])
        self.defects = r.choice([0.0, 0.03, 0.1, 0.3])
        self.strangers = r.choice([0.0, 0.3, 0.7])
        self.holds = r.random() < 0.25
        self.splits = r.choice([0.1, 0.5])
        levels = range(1, len(cast.levels))
        pieces = r.randrange(9)
        if r.random() < 0.6:
            for level in levels:
                if level < len(cast.levels) - 1 or self.chance(0.5):
                    self.vouch(level)
                    pieces = max(0, pieces - 1)
        for _ in range(pieces):
            level = len(cast.levels) - 1 if r.random() < 0.65 else r.choice(levels)
            (self.crl if r.random() < 0.6 else self.response)(level)
        order = r.sample(range(len(self.scene.crls)), len(self.scene.crls))
        self.scene.crls = [self.scene.crls[index] for index in order]

    def chance(self, share):
        return self.r.random() < share

    def defect(self):
        return self.chance(self.defects)

    def vouch(self, level):
        """Evidence without a defect, which says good."""
        if self.chance(0.5):
            if self.cast.known["points", level] in ("none", "uri", "parts", "two-names", "some-reasons"):
                self.crl(level, plain=True)
                return
        self.response(level, plain=True)

    def reason(self):
        if self.holds:
            return self.r.choices([HOLD, REMOVE, 1, None], [5, 5, 1, 1])[0]
        return self.r.choice([None, 0, 1, 2, 3, 4, 5, HOLD, REMOVE, 9, 10])

    def date(self, words):
        """The date of a revocation."""
        if self.chance(0.1):
            words.append("dated-ahead")
            return NOW + DAY / 2
        return NOW - 3 * DAY

    def this(self, words, number):
        """thisUpdate: the higher the number the later, in most cases."""
        if self.defect():
            ahead = self.r.choice([datetime.timedelta(seconds=150), HOUR, 10 * DAY])
            words.append("early" if ahead > HOUR / 2 else "slightly-early")
            return NOW + ahead
        if self.chance(0.1):
            number = self.r.randrange(1, 6)
            words.append("shuffled")
        return NOW - (6 - number) * 6 * HOUR

    def next(self, words, this):
        if self.defect():
            kind = self.r.choice(["late", "late", "endless", "ends-now"])
            words.append(kind)
            return {"late": NOW - HOUR / 2, "endless": None, "ends-now": NOW}[kind]
        return max(this, NOW) + self.r.choice([HOUR, 5 * DAY])

    def add(self, to, der_, level, words):
        to.append(der_)
        self.scene.tags.append(f"{'crl' if to is self.scene.crls else 'ocsp'}@{level}:{','.join(words)}")

    # CRLs

    def signer(self, level):
        cast = self.cast
        kinds = [cast.issuer, cast.renewed, cast.indirect, cast.impostor, cast.other, cast.parent, cast.above_in_name, cast.own]
        weights = [1, 0.5, 0.4, 0.2, 0.12, 0.1, 0.08, 0.05]
        if "indirect" in cast.known["points", level]:
            weights[2] = 2
        if not self.chance(self.strangers):
            return cast.indirect(level) if weights[2] == 2 and self.chance(0.4) else cast.issuer(level)
        return self.r.choices(kinds, weights)[0](level)

    def scope(self, level, signer, words):
        """The value of the issuing distribution point, or None."""
        r, points = self.r, self.cast.known["points", level]
        fields = {}
        indirect = signer.kind.startswith("indirect")
        if self.chance(0.9 if indirect else 0.03):
            fields["indirect"] = True
            words.append("indirect")
        named = self.chance(self.splits)
        if named:
            part = r.choice("ab") if points == "parts" else ""
            right = statements.full_name(self.cast.place(level, part))
            wrong = statements.full_name(self.cast.place(level, "wrong"))
            if points == "directory" or points == "relative":
                right = r.choice([statements.full_name(statements.directory(self.cast.place_name(level))), self.cast.relative(level)])
            if points == "two-names":
                right = statements.full_name(self.cast.place(level, "third"), self.cast.place(level))
            is_right = self.chance(0.75)
            words.append("point" + part if is_right else "other-point")
            fields["name"] = right if is_right else wrong
            if points == "parts" and is_right and self.chance(0.5):
                fields["reasons"] = PART_A if part == "a" else PART_B
                words.append("its-reasons")
        if self.chance(0.3 * self.splits):
            kind = r.choices(["user", "authority", "attribute"], [6, 6, 1])[0]
            fields[kind] = True
            words.append("only-" + kind)
        if "reasons" not in fields and self.chance(0.4 * self.splits):
            which = r.choice(["a", "b", "all"])
            fields["reasons"] = {"a": PART_A, "b": PART_B, "all": PART_A + PART_B}[which]
            words.append("reasons-" + which)
        return statements.scope(**fields) if fields else None

    def entries(self, level, signer, indirect, words):
        r, target = self.r, self.cast.levels[level]
        issuer = self.cast.levels[level - 1].subject
        entries = []
        foreign = lambda: statements.Entry(self.cast.serial(), NOW - 9 * DAY, r.choice([None, 1]))
        if self.chance(0.3):
            entries.append(foreign())
        if self.chance(self.badness + (0.4 if self.holds else 0)):
            reason = self.reason()
            words.append("revoked" if reason is None else {HOLD: "hold", REMOVE: "removed"}.get(reason, f"revoked-{reason}"))
            entry = statements.Entry(target.serial, self.date(words), reason)
            if indirect or signer.name != issuer and self.chance(0.5):
                named = r.choices(["right", "wrong", "none", "before"], [8, 1, 1, 2])[0]
                words.append("entry-issuer-" + named)
                if named == "right":
                    entry.issuer = issuer
                elif named == "wrong":
                    entry.issuer = self.cast.sibling().subject
                elif named == "before":
                    entries.append(statements.Entry(self.cast.serial(), NOW - 8 * DAY, None, issuer))
            if self.chance(self.defects / 2):
                entry.unknown = True
                words.append("entry-extension")
            entries.append(entry)
            if self.chance(0.05):
                again = statements.Entry(target.serial, NOW - 2 * DAY, self.reason(), entry.issuer)
                words.append(f"twice-{again.reason}")
                entries.append(again)
        elif self.chance(0.08):
            entry = statements.Entry(target.serial[:-1] + bytes((target.serial[-1] ^ 2,)), NOW - 3 * DAY, 1)
            words.append("wrong-serial")
            entries.append(entry)
        # Certificates of signers that this CA has issued.
        for what, one in list(self.cast.known.items()):
            if what[0] in ("delegate", "renewed", "indirect") and what[1] == level and self.chance(0.3 * self.badness):
                words.append(f"revokes-{what[0]}" + (f"-{what[2]}" if len(what) > 2 else ""))
                entries.append(statements.Entry(one.serial, NOW - 3 * DAY, r.choice([None, 1, HOLD]), issuer if indirect else None))
        if self.chance(0.3):
            entries.append(foreign())
        if entries and self.chance(self.defects / 4):
            r.choice(entries).unknown = True
            words.append("some-entry-extension")
        return entries

    def crl(self, level, plain=False):
        r = self.r
        if plain:
            signer, number = self.cast.issuer(level), r.randrange(1, 6)
            self.add(self.scene.crls, statements.crl(
                signer.key, signer.name, NOW - (6 - number) * 6 * HOUR, NOW + 5 * DAY, [], number, identifier=signer.identifier), level, ["vouches"])  # fmt: skip
            return
        signer = self.signer(level)
        words = [signer.kind]
        number = r.randrange(1, 6)
        this = self.this(words, number)
        options = {}
        value = self.scope(level, signer, words)
        if self.chance(0.25 if not self.holds else 0.45):
            options["base"] = r.choice([max(0, number - 1), max(0, number - 2), 1, number, number + 1])
            words.append("delta")
        identifier = signer.identifier
        if self.chance(0.08):
            identifier = r.choice([None, bytes(20)])
            words.append("no-identifier" if identifier is None else "other-identifier")
        if self.chance(self.defects / 2):
            number = None
            words.append("no-number")
        if self.defect():
            options["scheme"] = "sha1"
            words.append("sha1")
        if self.chance(self.defects / 2):
            options["unknown"] = True
            words.append("extension")
        if self.chance(self.defects / 2):
            options["damaged"] = True
            words.append("damaged")
        next_ = self.next(words, this)
        entries = self.entries(level, signer, "indirect" in words, words)
        if number is not None:
            words.append(f"#{number}" + (f"<{options['base']}" if "base" in options else ""))
        self.add(self.scene.crls, statements.crl(
            signer.key, signer.name, this, next_, entries, number, scope=value, identifier=identifier, **options), level, words)  # fmt: skip

    # OCSP responses

    def responder(self, level):
        cast = self.cast
        if not self.chance(self.strangers):
            return cast.delegate(level, self.r.choice(["good", "good", "checked"])) if self.chance(0.4) else cast.issuer(level)
        kinds = [cast.issuer, cast.delegate, cast.renewed, cast.impostor, cast.other, cast.parent, cast.above_in_name, cast.own]
        return self.r.choices(kinds, [4, 8, 1, 1, 0.7, 0.7, 0.5, 0.3])[0](level)

    def identity(self, level, words):
        """The identifier of the certificate."""
        r, target, issuer = self.r, self.cast.levels[level], self.cast.levels[level - 1]
        hash_ = r.choices(["sha1", "sha256", "sha384"], [10, 8, 0.3])[0]
        if hash_ == "sha384":
            words.append(hash_)
        name, spki, serial = issuer.subject, issuer.key.spki, target.serial
        if self.chance(self.defects / 2):
            kind = r.choice(["serial", "key", "name"])
            words.append("wrong-" + kind)
            if kind == "serial":
                serial = serial[:-1] + bytes((serial[-1] ^ 2,))
            elif kind == "key":
                spki = self.cast.renewed(level).key.spki
            else:
                name = self.cast.sibling().subject
        return statements.certificate_id(hash_, name, spki, serial)

    def single(self, level, words):
        number = self.r.randrange(1, 6)
        this = self.this(words, number)
        single = statements.Single(self.identity(level, words), "good", this, self.next(words, this))
        if self.chance(self.badness + (0.2 if self.holds else 0)):
            single.status, single.date, single.reason = "revoked", self.date(words), self.reason()
            words.append("revoked" if single.reason is None else {HOLD: "hold", REMOVE: "removed"}.get(single.reason, f"revoked-{single.reason}"))
        elif self.chance(0.3 * self.badness + 0.02):
            single.status = "unknown"
            words.append("unknown")
        else:
            words.append("good")
        if self.chance(self.defects / 2):
            single.unknown = True
            words.append("single-extension")
        return single

    def response(self, level, plain=False):
        r = self.r
        if not plain and self.chance(0.02):
            number = r.choice([1, 2, 3, 5, 6])
            self.add(self.scene.responses, statements.ocsp_error(number), level, [f"error-{number}"])
            return
        signer = self.cast.issuer(level) if plain or self.chance(0.3) else self.responder(level)
        words = [signer.kind]
        options = {}
        if plain:
            this = NOW - r.randrange(1, 5) * 6 * HOUR
            words.append("vouches")
            singles = [statements.Single(self.plain_identity(level), "good", this, NOW + DAY)]
        else:
            singles = [self.single(level, words)]
            while self.chance(0.12):
                about = level if self.chance(0.6) else r.randrange(1, len(self.cast.levels))
                words.append(f"and@{about}")
                singles.append(self.single(about, words))
            if self.chance(0.3 * self.badness):
                singles += self.about_signers(level, words)
            if self.chance(0.1):
                foreign = statements.certificate_id("sha1", signer.name, signer.key.spki, self.cast.serial())
                singles.insert(0, statements.Single(foreign, "revoked", NOW - DAY, NOW + DAY, NOW - DAY, 1))
                words.append("and-foreign")
            if self.defect():
                options["scheme"] = "sha1"
                words.append("sha1")
            if self.chance(self.defects / 2):
                options["unknown"] = True
                words.append("extension")
            if self.chance(self.defects / 2):
                options["damaged"] = True
                words.append("damaged")
        produced = max(one.this for one in singles)
        if not plain and produced <= NOW and self.chance(self.defects / 2):
            produced = NOW + HOUR
            words.append("produced-early")
        certificates = []
        if signer.certificate and (signer.kind != "issuer" or self.chance(0.1)):
            certificates = [signer.certificate.der()]
            if self.chance(0.1):
                certificates.insert(r.randrange(2), self.cast.sibling().der())
            if self.chance(0.03):
                certificates = []
                words.append("without-certificate")
        self.add(self.scene.responses, statements.ocsp(
            signer.key, signer.name, produced, singles, self.chance(0.4), certificates, **options), level, words)  # fmt: skip

    def about_signers(self, level, words):
        """Statements about certificates of signers that this CA has issued."""
        issuer, found = self.cast.levels[level - 1], []
        for what, one in list(self.cast.known.items()):
            if what[0] in ("delegate", "renewed", "indirect") and what[1] == level:
                status = self.r.choice(["good", "revoked"])
                words.append(f"{status}-{what[0]}" + (f"-{what[2]}" if len(what) > 2 else ""))
                id_ = statements.certificate_id("sha1", issuer.subject, issuer.key.spki, one.serial)
                found.append(statements.Single(id_, status, NOW - DAY, NOW + DAY, NOW - 2 * DAY, self.r.choice([None, 1, HOLD])))
        return found

    def plain_identity(self, level):
        issuer = self.cast.levels[level - 1]
        return statements.certificate_id(self.r.choice(["sha1", "sha256"]), issuer.subject, issuer.key.spki, self.cast.levels[level].serial)
