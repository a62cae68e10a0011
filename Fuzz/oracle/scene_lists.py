# SPDX-License-Identifier: Apache-2.0
"""The CRLs of a scene: signer, scope, dates, number and entries, each right or wrong."""
import statements
from cast import DAY, HOLD, HOUR, PART_A, PART_B
from chain import NOW


class ListWriter:
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
            words.append(self.word(reason))
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
            this = NOW - (6 - number) * 6 * HOUR
            made = statements.crl(signer.key, signer.name, this, NOW + 5 * DAY, [], number, identifier=signer.identifier)
            self.add(self.scene.crls, made, level, ["vouches"])
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
        self.spoil(options, words)
        next_ = self.next(words, this)
        entries = self.entries(level, signer, "indirect" in words, words)
        if number is not None:
            words.append(f"#{number}" + (f"<{options['base']}" if "base" in options else ""))
        made = statements.crl(signer.key, signer.name, this, next_, entries, number, scope=value, identifier=identifier, **options)
        self.add(self.scene.crls, made, level, words)
