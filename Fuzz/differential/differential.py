#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds this package's verdicts against those of OpenSSL, GnuTLS and Python's cryptography, on chains made from a seed.

    Fuzz/differential/differential.py [options]

    --seconds N, --minutes N    until so much time is over (60 seconds unless told)
    --count N                   or so many chains, whichever comes first
    --seed S                    1 unless told; a chain is a function of seed and index
    --first N                   index of the first chain
    --jobs N                    processes
    --servertrust FILE          the program, built before: ../../.build/release/servertrust unless told
    --out FOLDER                where unexplained disagreements are written, as lines for `verify --batch`
    --show INDEX                prints one chain as a batch line with everybody's answer, and ends
    --self-test                 falsifies answers and expects each to be noticed

A disagreement that known-differences.toml explains is counted; any other fails the run. So does a verdict of ours that a rule's
mutation rules out, even where all peers share it, and an end before the last answer.

Exit status: 0 all explained, 1 not, 2 the run could not be made.
"""
import argparse
import collections
import fnmatch
import functools
import hashlib
import json
import multiprocessing
import os
import re
import subprocess
import sys
import time
import tomllib

import peers
from chain import PROFILES

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BLOCK = 500


class Table:
    """known-differences.toml."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.entries = tomllib.load(file)["difference"]
        self.by = collections.defaultdict(list)
        for number, entry in enumerate(self.entries):
            missing = {"name", "peer", "ours", "tags", "why", "source"} - entry.keys()
            if missing or ("codes" in entry) != (entry["ours"] == "rejected") or ("reasons" in entry) != (entry["ours"] == "trusted"):
                raise SystemExit(f"known-differences.toml: entry {number + 1} is incomplete: {entry.get('name')} {sorted(missing)}")
            entry["pattern"] = re.compile("|".join(fnmatch.translate(tag) for tag in entry["tags"]))
            entry["reason"] = re.compile("|".join(f"(?:{reason})" for reason in entry.get("reasons", [])) or "$^")
            for peer in [entry["peer"]] if isinstance(entry["peer"], str) else entry["peer"]:
                for profile in entry.get("profiles", PROFILES):
                    self.by[peer, profile, entry["ours"]].append(entry)

    def explain(self, peer, profile, accepted, codes, reasons, tags):
        """The names of the entries that explain a disagreement; empty if it isn't, or isn't wholly, explained.

        Each of our codes, or of the peer's reasons, needs an entry: one that is known doesn't hide another that is wrong.
        """
        known = [one for one in self.by[peer, profile, "trusted" if accepted else "rejected"] if any(map(one["pattern"].match, tags))]
        names = {one["name"] for one in known}
        fitting = [one for one in known if "beside" not in one or not names.isdisjoint(one["beside"])]
        explained = []
        for said in reasons if accepted else codes:
            fits = (lambda one: one["reason"].search(said)) if accepted else (lambda one: said in one["codes"])
            name = next((one["name"] for one in fitting if fits(one)), None)
            if name is None:
                return []
            explained.append(name)
        return explained


class Tally:
    def __init__(self):
        self.counts = collections.Counter()
        self.classes = collections.Counter()
        self.unexplained = []

    def add(self, other):
        self.counts.update(other.counts)
        self.classes.update(other.classes)
        self.unexplained += other.unexplained


def sort(table, request, expected, our, theirs, tally):
    """Counts one chain's answers and keeps what is not explained."""
    tags = request["tags"]
    tally.counts["chains"] += 1
    for profile, (accepted, codes) in our.items():
        verdict = "trusted" if accepted else "rejected"
        tally.counts[f"{profile} {verdict}"] += 1

        def note(peer, reasons):
            tally.counts["unexplained"] += 1
            tally.unexplained.append(
                {**request, "profile": profile, "ours": [verdict, codes], "peer": peer, "theirs": reasons, "answers": {name: answer for name, answer in theirs.items()}}
            )

        if expected[profile] and expected[profile] != verdict:
            # Ruled out by the mutation itself, whatever the peers say.
            note("expected", [expected[profile]])
        asked = {peer: answer for peer, answer in theirs.items() if answer[0] is not None}
        differing = {peer: reasons for peer, (verdict_, reasons) in asked.items() if verdict_ != accepted}
        for peer in asked:
            tally.counts[f"{peer} asked"] += 1
            if peer not in differing:
                tally.counts[f"{peer} agrees"] += 1
        # With several tags each of them may have a reason of its own.
        if len(tags) < 2 and len(asked) >= 2 and len(differing) == len(asked):
            differing["all"] = differing["openssl"]
        for peer, reasons in differing.items():
            names = table.explain(peer, profile, accepted, codes, reasons, tags)
            if not names:
                note(peer, reasons)
            for name in names:
                tally.classes[peer, verdict, name] += 1


def answers(settings, requests):
    our = peers.ours(settings.servertrust, requests, PROFILES)
    theirs = peers.openssl_and_gnutls(settings.peers, requests)
    for request, answer in zip(requests, theirs):
        answer["cryptography"] = peers.cryptography(request)
    return our, theirs


def block(first, count):
    tally = Tally()
    made = [shared.generator.chain(index) for index in range(first, first + count)]
    requests = [chain.request() for chain in made]
    try:
        our, theirs = answers(shared.settings, requests)
    except peers.PeerError as error:
        tally.counts["crashes"] += 1
        tally.unexplained.append({"crash": str(error)})
        return tally
    for chain, request, one, others in zip(made, requests, our, theirs):
        sort(shared.table, request, chain.expected, one, others, tally)
    return tally


class shared:
    """What processes inherit when they are forked."""


def build_peers():
    """peers.c, compiled once for each version of it."""
    source = os.path.join(HERE, "peers.c")
    with open(source, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:16]
    folder = os.path.join(ROOT, ".build", "differential")
    program = os.path.join(folder, f"peers-{digest}")
    if not os.path.exists(program):
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["cc", "-O2", "-o", program + ".new", source, "-lssl", "-lcrypto", "-lgnutls"], check=True)
        os.replace(program + ".new", program)
    return program


def blocks(settings):
    """Ends by count or, with what was begun, by time."""
    end = time.monotonic() + settings.seconds if settings.seconds else None
    first, last = settings.first, settings.first + settings.count if settings.count else None
    while (last is None or first < last) and (end is None or time.monotonic() < end):
        yield first, min(BLOCK, last - first if last else BLOCK)
        first += BLOCK


def work(settings):
    tally = Tally()
    started = time.monotonic()
    with multiprocessing.get_context("fork").Pool(settings.jobs) as pool:
        waiting = collections.deque()
        for one in blocks(settings):
            waiting.append(pool.apply_async(block, one))
            # Few in advance, so that time is looked at.
            while len(waiting) > 2 * settings.jobs:
                tally.add(waiting.popleft().get())
                print(f"\r{tally.counts['chains']} chains, {tally.counts['unexplained']} unexplained", end="", file=sys.stderr)
        while waiting:
            tally.add(waiting.popleft().get())
    print(file=sys.stderr)
    tally.counts["seconds"] = int(time.monotonic() - started)
    return tally


def report(tally, settings):
    counts = tally.counts
    print(f"seed {settings.seed}, {counts['chains']} chains in {counts['seconds']} s, each under {len(PROFILES)} profiles")
    for profile in PROFILES:
        print(f"  {profile}: {counts[f'{profile} trusted']} trusted, {counts[f'{profile} rejected']} rejected")
    for peer in peers.PEERS:
        asked, agreed = counts[f"{peer} asked"], counts[f"{peer} agrees"]
        print(f"  {peer}: {asked} verdicts, {agreed} the same, {asked - agreed} different")
    print("explained disagreements (peer, our verdict, entry):")
    for (peer, verdict, name), count in sorted(tally.classes.items(), key=lambda item: (item[0][0], item[0][1], -item[1])):
        print(f"  {count:8} {peer:13} {verdict:9} {name}")
    unused = {entry["name"] for entry in shared.table.entries} - {name for _, _, name in tally.classes}
    if unused and counts["chains"] >= 50_000:
        print("entries that explained nothing: " + ", ".join(sorted(unused)))
    groups = collections.defaultdict(list)
    for one in tally.unexplained:
        if "crash" in one:
            print(f"CRASH {one['crash'][:400]}")
            continue
        key = (one["peer"], one["ours"][0], one["profile"], " ".join(one["ours"][1]), " ".join(one["theirs"])[:110], one["tags"][0] if len(one["tags"]) == 1 else "several")
        groups[key].append(one)
    for key, members in sorted(groups.items(), key=lambda item: -len(item[1]))[: settings.lines]:
        print(f"  UNEXPLAINED {len(members)} x {' | '.join(key)} | e.g. {members[0]['id']} {','.join(members[0]['tags'])}")
    print(f"unexplained: {counts['unexplained']}, crashes: {counts['crashes']}")
    if tally.unexplained:
        os.makedirs(settings.out, exist_ok=True)
        path = os.path.join(settings.out, f"seed-{settings.seed}.jsonl")
        with open(path, "w") as file:
            for one in tally.unexplained[:50_000]:
                file.write(json.dumps(one) + "\n")
        print(f"written to {path}; try again with: servertrust verify --batch <{path}")


def self_test(settings):
    """Turns verdicts round, one kind at a time, and counts how many of them the run would have reported."""
    count = settings.count or 4000
    made = [shared.generator.chain(index) for index in range(count)]
    requests = [chain.request() for chain in made]
    our, theirs = answers(settings, requests)
    honest = Tally()
    for chain, request, one, others in zip(made, requests, our, theirs):
        sort(shared.table, request, chain.expected, one, others, honest)
    print(f"as answered: {count} chains, {honest.counts['unexplained']} unexplained")
    failed = honest.counts["unexplained"] > 0
    unanimous = lambda others, verdict: [other[0] for other in others.values() if other[0] is not None] and all(other[0] in (verdict, None) for other in others.values())
    refused = lambda one, others: not one[0] and unanimous(others, False) and (True, [])
    accepted = lambda code: lambda one, others: one[0] and unanimous(others, True) and (False, [code])
    # Name, falsification (nothing if it isn't one), which chains, and the share that has to be noticed. A second mutation may have a reason
    # to be refused that the peers don't give; with one there is none to hide behind.
    kinds = [
        ("one mutation: accepts what all refuse", refused, 1, 1.0),
        ("several: accepts what all refuse", refused, 9, 0.97),
        ("accepts what some refuse", lambda one, others: not one[0] and any(other[0] is False for other in others.values()) and (True, []), 9, 0.95),
        ("refuses what all accept, for its signature", accepted("signatureInvalid"), 9, 0.995),
        ("refuses what all accept, for its date", accepted("certificateExpired"), 9, 0.995),
        ("refuses what all accept, for a name", accepted("nameNotPermitted"), 9, 0.995),
        ("refuses what all accept, as unreadable", accepted("certificateMalformed"), 9, 0.95),
    ]
    for name, falsify, tags, wanted in kinds:
        tried = noticed = 0
        missed = collections.Counter()
        for chain, request, one, others in zip(made, requests, our, theirs):
            if len(request["tags"]) > tags:
                continue
            for profile in PROFILES:
                false = falsify(one[profile], others)
                if not false:
                    continue
                tally = Tally()
                sort(shared.table, request, chain.expected, {profile: false}, others, tally)
                tried += 1
                if tally.counts["unexplained"]:
                    noticed += 1
                else:
                    missed[",".join(request["tags"])] += 1
        share = noticed / max(1, tried)
        print(f"{name}: {tried} falsified, {noticed} noticed ({share:.2%}, {wanted:.1%} wanted)")
        for tag, number in missed.most_common(settings.lines if share < wanted else 0):
            print(f"    missed {number} x {tag}")
        failed |= tried == 0 or share < wanted
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--lines", type=int, default=40)
    parser.add_argument("--servertrust", default=os.path.join(ROOT, ".build", "release", "servertrust"))
    parser.add_argument("--out", default=os.path.join(ROOT, "Fuzz", "Findings", "differential"))
    parser.add_argument("--show", type=int)
    parser.add_argument("--self-test", action="store_true")
    settings = parser.parse_args()
    settings.seconds += settings.minutes * 60
    if not settings.seconds and not settings.count:
        settings.seconds = 60
    if not os.access(settings.servertrust, os.X_OK):
        print(f"differential: {settings.servertrust} is missing; swift build -c release --product servertrust", file=sys.stderr)
        return 2
    import generator

    shared.settings, shared.generator = settings, generator.Generator(settings.seed)
    shared.table = Table(os.path.join(HERE, "known-differences.toml"))
    settings.peers = build_peers()
    if settings.show is not None:
        chain = shared.generator.chain(settings.show)
        request = chain.request()
        our, theirs = answers(settings, [request])
        print(json.dumps({**request, "expected": chain.expected, "ours": our[0], "answers": theirs[0]}))
        return 0
    if settings.self_test:
        return 1 if self_test(settings) else 0
    tally = work(settings)
    report(tally, settings)
    return 1 if tally.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
