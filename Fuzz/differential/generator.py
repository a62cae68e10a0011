# SPDX-License-Identifier: Apache-2.0
"""Whole chains, each a function of seed and index: a shape, up to three mutations, and evidence in every second one."""
import random

import der
import evidence
import keys
import mutations
from chain import *


class Generator:
    def __init__(self, seed):
        self.seed = seed
        self.keys = keys.KeyStore(seed)
        # Before forking, because creating these takes a second.
        for kind, count in (("rsa1024", 2), ("rsa2047", 2), ("rsa2048", 4)):
            for number in range(count):
                self.keys.get(kind, number)

    def chain(self, index):
        attempt = 0
        while True:
            try:
                return self._chain(index, random.Random(f"{self.seed}/{index}/{attempt}"))
            except (TypeError, KeyError, AttributeError):
                # Mutations that can't be combined, such as a change of extensions after removing all of them.
                if attempt == 5:
                    raise
                attempt += 1

    def _chain(self, index, r):
        chain = Chain(index)
        chain.keys = self.keys
        self.build(chain, r)
        several = r.random() < 0.25
        count = r.choices([0, 1, 2, 3], [1, 14, 4, 1] if not several else [4, 8, 2, 0])[0]
        done = set()
        while len(done) < count:
            function = r.choice(mutations.ALL)
            if function not in done:
                function(chain, r)
                done.add(function)
        if several:
            shape(chain, r)
        # The expected outcome of a mutation is only valid for a single path and without other mutations.
        if several or count > 1:
            chain.expected = dict.fromkeys(PROFILES, None)
        # From another random source, so that the certificates of an index are the same with and without evidence.
        source = random.Random(f"{self.seed}/{index}/evidence")
        if source.random() < 0.5:
            evidence.add(chain, source)
        return chain

    def build(self, chain, r):
        """Creates a valid chain from root to leaf."""
        hierarchy = r.randrange(6)
        family = r.choices(["p256", "rsa2048", "p384"], [10, 3, 1])[0]
        count = r.choices([0, 1, 2, 3, 6], [2, 10, 5, 2, 0.3])[0]
        chain.names = {}
        above = None
        for level in range(count + 1):
            text = f"Authority {family} {hierarchy} {level}"
            key = self.keys.get(family, level % 2 if family == "rsa2048" else hierarchy * 10 + level)
            subject = der.name((der.C, der.string("XX", "printable")), (der.O, "Differential"), (der.CN, text))
            above = Certificate("anchor" if level == 0 else "intermediate", key, subject, above)
            chain.names[id(above)] = text
            chain.path.insert(0, above)
        subject = der.name((der.C, der.string("XX", "printable")), (der.O, "Differential"), (der.OU, f"Server {chain.index}"))
        leaf = Certificate("leaf", self.keys.get(r.choice(["p256", "p256", "rsa2048"]), 3), subject, above)
        leaf.set(SAN, der.sequence(dns(chain.host)))
        chain.path.insert(0, leaf)


AROUND = {
    "same-key-twin", "cross-to-stranger", "root-cross", "expired-root-cross", "leaf-anchor", "self-signed-leaf", "intermediate-anchor", "both-anchors",
}  # fmt: skip


def shape(chain, r):
    """Changes the presented certificates: their order, unrelated certificates, other paths, other anchors."""
    sent = chain.path[1:-1]
    issuer, root = chain.leaf.parent, chain.root
    other = other_root(chain, 90)
    kinds = ["reversed", "shuffled", "root-sent", "missing", "stranger", "twice", "as-intermediates", "leaf-again", "anchor-added", "leaf-anchor", "other-anchor", "no-anchor", "self-signed-leaf"]
    if sent:
        kinds += ["cross-first", "cross-first", "cross-last", "cross-last", "cross-to-stranger", "expired-twin", "expired-twin-last", "wrong-twin", "wrong-twin-last", "intermediate-anchor",
                  "both-anchors", "loop", "self-issued", "self-issued", "same-key-twin", "root-cross", "constrained-twin", "expired-root-cross"]  # fmt: skip
    # These add a path around the authorities, or end below them. Changes of those authorities are then outside the path,
    # and a remaining tag would explain an unrelated difference.
    if any(tag.endswith(("@intermediate", "@anchor")) or tag.startswith("policy.") for tag in chain.tags):
        kinds = [kind for kind in kinds if kind not in AROUND]
    kind = r.choice(kinds)
    twin = lambda parent, key=None: make_twin(chain, issuer, parent, key)
    if kind == "reversed":
        chain.sent = sent[::-1]
    elif kind == "shuffled":
        chain.sent = r.sample(sent, len(sent))
    elif kind == "root-sent":
        chain.extra = [root]
    elif kind == "missing":
        chain.sent = r.sample(sent, max(0, len(sent) - 1))
    elif kind == "stranger":
        chain.extra = [other, make_twin(chain, other, None, chain.keys.get("p256", 95))]
        chain.extra_first = r.random() < 0.5
    elif kind == "twice":
        chain.extra = list(sent)
    elif kind == "as-intermediates":
        chain.sent, chain.intermediates = [], r.sample(sent, len(sent))
    elif kind == "leaf-again":
        chain.extra, chain.extra_first = [chain.leaf], r.random() < 0.5
    elif kind == "anchor-added":
        chain.anchors = [other, root]
    elif kind == "leaf-anchor":
        chain.anchors = [chain.leaf]
    elif kind == "other-anchor":
        chain.anchors = [other]
    elif kind == "no-anchor":
        # The same name with another key.
        chain.anchors = [make_twin(chain, root, None, chain.keys.get("p256", 96))]
    elif kind == "self-signed-leaf":
        chain.leaf.parent = None
        chain.leaf.issuer = chain.leaf.subject
        if r.random() < 0.5:
            chain.anchors = [chain.leaf]
            kind += "-anchor"
    elif kind in ("cross-first", "cross-last"):
        # The same authority under a root that isn't an anchor.
        chain.extra, chain.extra_first = [twin(other)] + ([other] if r.random() < 0.5 else []), kind == "cross-first"
    elif kind == "cross-to-stranger":
        chain.extra, chain.extra_first, chain.anchors = [twin(other)], r.random() < 0.5, [other]
    elif kind.startswith("expired-twin"):
        old = twin(issuer.parent)
        old.not_after = der.time(moment("2024-01-01"))
        chain.extra, chain.extra_first = [old], not kind.endswith("last")
    elif kind.startswith("wrong-twin"):
        chain.extra, chain.extra_first = [twin(issuer.parent, chain.keys.get("p256", 97))], not kind.endswith("last")
    elif kind == "constrained-twin":
        narrow = twin(issuer.parent)
        narrow.set(NAMES, der.sequence(der.tlv(0xA0, der.sequence(dns("example.net")))), True)
        chain.extra, chain.extra_first = [narrow], r.random() < 0.7
    elif kind == "same-key-twin":
        chain.extra, chain.extra_first = [twin(issuer.parent)], r.random() < 0.5
    elif kind == "intermediate-anchor":
        chain.anchors, chain.sent = [issuer], r.choice([[], sent])
    elif kind == "both-anchors":
        chain.anchors = r.sample([issuer, root], 2)
    elif kind == "loop":
        # Two authorities that signed each other.
        second = Certificate("intermediate", chain.keys.get("p256", 98), der.name((der.CN, "Second")), issuer)
        chain.extra, chain.extra_first = [twin(second), second], r.random() < 0.5
    elif kind == "self-issued":
        # A key rollover: the old key's certificate signs the new one of the same name (RFC 4210 § 4.4).
        new = chain.keys.get("p256", 99)
        rolled = make_twin(chain, issuer, issuer, new)
        chain.leaf.parent = rolled
        if AKI in (chain.leaf.extensions or {}):
            chain.leaf.set(AKI, der.sequence(der.tlv(0x80, new.identifier)))
        if r.random() < 0.5 and issuer.extensions is not None:
            issuer.set(BASIC, der.sequence(der.boolean(True), der.integer(0)), True)
            kind += "-length"
        chain.sent = [rolled, *sent]
    elif kind in ("root-cross", "expired-root-cross"):
        # The root's key and name, certified by another anchor.
        cross = make_twin(chain, root, other)
        cross.role = "intermediate"
        if kind.startswith("expired"):
            root.not_after = der.time(moment("2025-01-01"))
        chain.extra, chain.extra_first, chain.anchors = [cross], r.random() < 0.3, r.choice([[other], [root, other], [other, root]])
    chain.tag(f"shape.{kind}", "either")


def other_root(chain, number):
    return Certificate("anchor", chain.keys.get("p256", number), der.name((der.CN, f"Another root {number}")))


def make_twin(chain, one, parent, key=None):
    """Creates another certificate with the same name and by default the same key."""
    made = Certificate(one.role, key or one.key, one.subject, parent)
    chain.names[id(made)] = chain.names.get(id(one), "")
    return made
