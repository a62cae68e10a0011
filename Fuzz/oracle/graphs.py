# SPDX-License-Identifier: Apache-2.0
"""Random graphs of up to 12 certificates, each a function of seed and index, as requests of `verify --batch`.

A graph begins as a good path. Shapes add other paths: cross certificates, twins, renewed keys, loops, impostors, more anchors. Plans
give properties to all certificates, and twists change one. Most graphs have several paths, and the first one is often invalid.
"""
import base64
import functools
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "differential"))
import der
import keys
import plans
import spellings
import twists
from chain import *
from denied import Denied

BLOCK = 500
MAXIMUM = 12
ENTITIES = 40
RENEWED, THIRD, IMPOSTOR = 100, 200, 600


class Generator:
    def __init__(self, seed):
        self.seed = seed
        self.keys = keys.KeyStore(seed)
        r = random.Random(f"{seed}/entities")
        self.entities = [spellings.entity(number, r) for number in range(ENTITIES)]
        # Before forking, because creating these takes a second.
        for kind, count in (("rsa1024", 2), ("rsa2048", 3)):
            for number in range(count):
                self.keys.get(kind, number)

    @functools.lru_cache(maxsize=2)
    def denied(self, block):
        roots = {number: root(self, self.entities[number]).der() for number in range(ENTITIES)}
        return Denied(self.seed, block, self.entities, self.keys, roots)

    def graph(self, index):
        return Graph(self, index)


def key_of(generator, entity, generation=0):
    if generation == 0 and entity.number % 10 == 9:
        return generator.keys.get("rsa2048", entity.number // 10 % 3)
    return generator.keys.get("p256", generation + entity.number)


def root(generator, entity):
    return Certificate("anchor", key_of(generator, entity), entity.name)


class Graph:
    """One request under construction. `done` names the changes for people."""

    def __init__(self, generator, index):
        self.generator, self.index = generator, index
        self.r = r = random.Random(f"{generator.seed}/graph/{index}")
        self.entities = r.sample(generator.entities, 8)
        self.unused = list(self.entities)
        self.authorities, self.anchors, self.done = [], [], []
        self.host = self.inputs = self.pins = self.maximum = None
        self.purpose = r.choices(["serverAuth", "clientAuth", "any"], [20, 1, 1])[0]
        self.now = NOW
        self.build()

    def key(self, kind, number):
        return self.generator.keys.get(kind, number)

    @property
    def certificates(self):
        return [*self.authorities, self.leaf]

    # Parts

    def authority(self, entity, parent=None, key=None, serial=True):
        """A certificate of an authority, self-signed without a parent."""
        role = "intermediate" if parent else "anchor"
        made = Certificate(role, key or key_of(self.generator, entity), entity.spelled(self.r, 0.06), parent)
        made.entity = entity
        if parent:
            # The issuer's name in the spelling of the parent's subject.
            made.issuer = parent.subject
        if serial and any(other.entity is entity and other.key is made.key for other in self.authorities):
            made.serial = der.integer(8000 + self.r.randrange(1000))
        self.authorities.append(made)
        return made

    def new_entity(self):
        return self.unused.pop() if self.unused else self.r.choice(self.entities)

    def build(self):
        r = self.r
        above = self.authority(self.new_entity())
        self.anchors.append(above)
        for _ in range(r.choices([0, 1, 2, 3], [2, 8, 6, 2])[0]):
            above = self.authority(self.new_entity(), above)
        self.leaf = self.make_leaf(above)
        self.main = self.authorities[1:]
        extras = r.choices(range(8), [2, 3, 4, 4, 3, 2, 1, 1])[0]
        for _ in range(extras):
            shape = r.choice(SHAPES)
            if len(self.certificates) + 2 <= MAXIMUM:
                shape(self, r)
                self.done.append(shape.__name__)
        self.add_plans(r)
        self.add_twists(r)
        if r.random() < 0.12:
            some = r.sample(self.certificates, min(len(self.certificates), r.choice([1, 1, 2])))
            pinned = [hashlib.sha256(one.spki).digest() for one in some] if r.random() < 0.9 else [bytes(32)]
            self.pins = ["sha256/" + base64.b64encode(digest).decode() for digest in pinned]
            self.done.append("pins")
        self.arrange(r)

    def make_leaf(self, parent):
        r = self.r
        if r.random() < 0.015:
            # A self-signed leaf.
            parent = None
        subject = der.name((der.C, der.string("XX", "printable")), (der.O, "Graph Works"), (der.OU, f"Server {self.index % 1000}"))
        if r.random() < 0.02 and parent:
            subject = parent.entity.spelled(r, 0.5)
        leaf = Certificate("leaf", self.key("p256", 300 + r.randrange(20)), subject, parent)
        if parent:
            leaf.issuer = parent.subject
        if self.purpose == "clientAuth" and r.random() < 0.85:
            leaf.set(EKU, purposes(CLIENT))
        plans.identity(self, leaf, r)
        return leaf

    def add_plans(self, r):
        for plan, chance in ((plans.constraints, 0.3), (plans.policy_plan, 0.2), (plans.lengths, 0.3), (plans.purpose_plan, 0.12)):
            if r.random() < chance:
                plan(self, r)
                self.done.append(plan.__name__)

    def add_twists(self, r):
        around = len(self.authorities) > len(self.main) + 1
        for _ in range(r.choices([0, 1, 2, 3], [3, 3, 2, 1])[0]):
            self.done.append(twists.apply(twists.BENIGN, r.choice(self.certificates), self, r))
        if around and self.main and r.random() < 0.5:
            # The first path becomes invalid.
            self.done.append(twists.apply(twists.MALIGN, r.choice(self.main), self, r))
        for _ in range(r.choices([0, 1, 2, 3], [10, 4, 2, 1])[0]):
            one = r.choice(self.certificates if r.random() < 0.3 else self.authorities)
            self.done.append(twists.apply(twists.MALIGN, one, self, r))

    def arrange(self, r):
        """Chooses the presented certificates, the other candidates, and the anchors."""
        if r.random() < 0.02:
            self.anchors.append(self.leaf)
        sent, further = [], []
        for one in [*reversed(self.main), *(one for one in self.authorities if one not in self.main)]:
            if one in self.anchors and r.random() < 0.75:
                continue
            if one.parent is None and r.random() < 0.3:
                continue
            (sent if r.random() < 0.75 else further).append(one)
        if r.random() < 0.3:
            r.shuffle(sent)
        elif r.random() < 0.3:
            sent.reverse()
        if sent and r.random() < 0.05:
            further.append(r.choice([*sent, self.leaf]))
        if r.random() < 0.3:
            r.shuffle(self.anchors)
        self.sent, self.further = sent, further

    # Requests

    def request(self):
        encode = lambda some: [base64.b64encode(one.der()).decode() for one in some]
        request = {"id": str(self.index), "chain": encode([self.leaf, *self.sent])}
        if self.further:
            request["intermediates"] = encode(self.further)
        request["anchors"] = encode(self.anchors)
        request["time"] = self.now.isoformat() + "Z"
        settings = {"host": self.host, "purpose": self.purpose, "policies": self.inputs, "pins": self.pins}
        settings["maximumIntermediates"] = self.maximum
        request.update((key, value) for key, value in settings.items() if value is not None)
        request["tags"] = [tag for tag in self.done if tag]
        return request


def orders(request, seed):
    """The same request in three orders: as made, reversed, and shuffled with candidates moved between the two lists."""
    leaf, *sent = request["chain"]
    further, anchors = request.get("intermediates", []), request["anchors"]
    backwards = {**request, "chain": [leaf, *reversed(sent)], "intermediates": further[::-1], "anchors": anchors[::-1]}
    r = random.Random(f"{seed}/order/{request['id']}")
    candidates = r.sample(sent + further, len(sent) + len(further))
    cut = r.randrange(len(candidates) + 1)
    shuffled = {**request, "chain": [leaf, *candidates[:cut]], "intermediates": candidates[cut:]}
    return [request, backwards, {**shuffled, "anchors": r.sample(anchors, len(anchors))}]


# Shapes: more paths


def move_children(graph, old, new, r, chance):
    """Signs some certificates of one authority with another certificate of its name, and a possibly misleading key identifier."""
    for child in graph.certificates:
        if child.parent is old and child is not new and r.random() < chance:
            child.parent = new
            if r.random() < 0.7 and child.extensions is not None:
                child.set(AKI, der.sequence(der.tlv(0x80, new.key.identifier)))


def another_root(graph, r):
    """Adds a root, or returns an existing one. Most are anchors."""
    roots = [one for one in graph.authorities if one.parent is None]
    if len(roots) > 1 and r.random() < 0.6:
        return r.choice(roots[1:])
    made = graph.authority(graph.new_entity())
    if r.random() < 0.65:
        graph.anchors.append(made)
    return made


def cross(graph, r):
    """An authority's name and key, certified by another root."""
    one = r.choice(graph.authorities)
    graph.authority(one.entity, another_root(graph, r), one.key)


def cross_inside(graph, r):
    """An authority's name and key, certified by any other authority. This also creates loops."""
    one, other = r.choice(graph.authorities), r.choice(graph.authorities)
    graph.authority(one.entity, other, one.key)


def twin(graph, r):
    """The same name, key and issuer, with another serial number and often another property."""
    one = r.choice(graph.authorities)
    made = graph.authority(one.entity, one.parent, one.key)
    if one in graph.anchors and r.random() < 0.6:
        graph.anchors.append(made)
    if r.random() < 0.5:
        graph.done.append(twists.apply(twists.MALIGN, r.choice([one, made]), graph, r))


def renewed(graph, r):
    """A new key of the same name, by the same issuer."""
    one = r.choice(graph.authorities)
    made = graph.authority(one.entity, one.parent, key_of(graph.generator, one.entity, RENEWED))
    if one in graph.anchors and r.random() < 0.6:
        graph.anchors.append(made)
    move_children(graph, one, made, r, 0.5)


def rollover(graph, r):
    """A self-issued certificate: the old key signs the new one, or the new one the old one (RFC 4210 § 4.4)."""
    one = r.choice(graph.authorities)
    new = key_of(graph.generator, one.entity, r.choice([RENEWED, THIRD]))
    made = graph.authority(one.entity, one, new)
    made.subject = one.subject if r.random() < 0.5 else r.choice(one.entity.same)
    if r.random() < 0.7:
        move_children(graph, one, made, r, 0.8)
    else:
        back = graph.authority(one.entity, made, one.key)
        back.subject = one.subject


def impostor(graph, r):
    """The same name with a key that signed nothing, or that signed the leaf's issuer."""
    one = r.choice(graph.authorities)
    made = graph.authority(one.entity, r.choice([None, *graph.authorities]), graph.key("p256", IMPOSTOR + r.randrange(8)))
    if made.parent is None and r.random() < 0.3:
        graph.anchors.append(made)


def loop(graph, r):
    """Two authorities that signed each other."""
    one = r.choice(graph.authorities)
    second = graph.authority(graph.new_entity(), one)
    graph.authority(one.entity, second, one.key)


def deeper(graph, r):
    """A longer path to an authority."""
    one = r.choice(graph.main or graph.authorities)
    between = graph.authority(graph.new_entity(), one.parent or another_root(graph, r))
    graph.authority(one.entity, between, one.key)


def anchor_below(graph, r):
    """An authority below an anchor that is an anchor itself."""
    one = r.choice(graph.authorities)
    if one not in graph.anchors:
        graph.anchors.append(one)


def anchor_lost(graph, r):
    """A root that is no longer trusted, while others or an authority below it are."""
    candidates = [one for one in graph.authorities if one not in graph.anchors]
    if candidates:
        graph.anchors[r.randrange(len(graph.anchors))] = r.choice(candidates)


def stranger(graph, r):
    """An unrelated authority."""
    graph.authority(graph.new_entity())


SHAPES = [
    *[cross] * 3, *[cross_inside] * 2, *[twin] * 3, *[renewed] * 2, *[rollover] * 2, *[deeper] * 2,
    impostor, loop, anchor_below, anchor_lost, stranger,
]  # fmt: skip
