# SPDX-License-Identifier: Apache-2.0
"""The OCSP responses of a scene: signer, identifiers, dates and statuses, each right or wrong."""
import statements
from cast import DAY, HOLD, HOUR
from chain import NOW


class ResponseWriter:
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
            words.append(self.word(single.reason))
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
            self.spoil(options, words)
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
        made = statements.ocsp(signer.key, signer.name, produced, singles, self.chance(0.4), certificates, **options)
        self.add(self.scene.responses, made, level, words)

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
