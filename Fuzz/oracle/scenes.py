# SPDX-License-Identifier: Apache-2.0
"""Revocation scenes, each a function of seed and index: a path, and up to eight CRLs and OCSP responses about it."""
import base64
import datetime
import random

import keys
from cast import DAY, HOLD, HOUR, REMOVE, Cast
from chain import NOW
from scene_lists import ListWriter
from scene_responses import ResponseWriter

MODES = ("off", "bestEffort", "required")
ORDERS = 3


def encode(one):
    return base64.b64encode(one).decode()


class Scene:
    """The contents of one scene. `requests()` returns a batch line for each order of the evidence."""

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


class Writer(ListWriter, ResponseWriter):
    """Writes the evidence of one scene. Each scene has its own error rates, so that many scenes contain few errors."""

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

    def spoil(self, options, words):
        """Adds up to three defects of the encoding and the signature to a list or response."""
        if self.defect():
            options["scheme"] = "sha1"
            words.append("sha1")
        if self.chance(self.defects / 2):
            options["unknown"] = True
            words.append("extension")
        if self.chance(self.defects / 2):
            options["damaged"] = True
            words.append("damaged")

    def vouch(self, level):
        """Creates evidence without a defect for a good status."""
        if self.chance(0.5):
            if self.cast.known["points", level] in ("none", "uri", "parts", "two-names", "some-reasons"):
                self.crl(level, plain=True)
                return
        self.response(level, plain=True)

    def reason(self):
        if self.holds:
            return self.r.choices([HOLD, REMOVE, 1, None], [5, 5, 1, 1])[0]
        return self.r.choice([None, 0, 1, 2, 3, 4, 5, HOLD, REMOVE, 9, 10])

    def word(self, reason):
        return {None: "revoked", HOLD: "hold", REMOVE: "removed"}.get(reason, f"revoked-{reason}")

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


class Generator:
    def __init__(self, seed):
        self.seed = seed
        self.keys = keys.KeyStore(seed)
        # Before forking, because creating these takes a second.
        for kind, count in (("rsa1024", 2), ("rsa2048", 3)):
            for number in range(count):
                self.keys.get(kind, number)

    def scene(self, index):
        r = random.Random(f"{self.seed}/revocation/{index}")
        return Writer(index, r, Cast(self.keys, r)).scene
