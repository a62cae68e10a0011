#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares this package's verdicts with OpenSSL's, GnuTLS's, Python cryptography's and Go's, on chains created from a seed.

    Fuzz/differential/differential.py [options]

    --seconds N, --minutes N    run for this time (default: 60 seconds)
    --count N                   or this number of chains, whichever comes first
    --seed S                    default: 1; a chain is a function of seed and index
    --first N                   index of the first chain
    --jobs N                    processes
    --servertrust FILE          the built program (default: ../../.build/release/servertrust)
    --out FOLDER                the folder for unexplained disagreements, as lines for `verify --batch`
    --part N                    run part N of the seed: its hundred thousand chains, in at most two hours. The out folder keeps the counts
                                of a part without unexplained disagreements, and the script doesn't run the part again
    --parts N                   run the missing parts of 0 to N-1 and print a table: --parts 10 is a million chains
    --part-size N               the number of chains in a part
    --show INDEX                print one chain as a batch line with all answers, and exit
    --self-test                 falsify answers and expect that the run notices each
    --write                     write the counts to Documentation/Generated/Assurance

The script counts disagreements that known-differences.toml explains. Any other disagreement fails the run. So does a verdict of ours
that a rule's mutation rules out, even if all peers share it, and an end before the last answer.

Exit status: 0 all explained, 1 an unexplained disagreement, 2 the run couldn't start.
"""
import argparse
import collections
import json
import os
import subprocess
import sys

import builds
import generator
import parts
import peers
import running
from blocks import answers, shared, work
from chain import PROFILES
from compare import Table
from self_test import self_test

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def report(tally, settings, label=""):
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
        running.write_unexplained(settings, f"seed-{settings.seed}{label}.jsonl", tally.unexplained[:50_000])


def write(tally, settings, part):
    counts = tally.counts
    # Concern no peer in particular.
    others = counts["expected unexplained"] + counts["crashes"]
    for peer in peers.PEERS:
        running.record(comparison="chains", peer=peers.TITLES[peer], part=part, seed=settings.seed, inputs=counts["chains"],
                       answers=counts[f"{peer} asked"], same=counts[f"{peer} agrees"],
                       unexplained=counts[f"{peer} unexplained"] + others)  # fmt: skip


def run_parts(settings):
    """Runs the missing parts. Returns the exit status."""
    settings.digest = parts.digest(settings)
    tallies, status = [], 0
    for number in [settings.part] if settings.part is not None else range(settings.parts):
        tally = parts.kept(settings, number)
        if tally is None:
            print(f"part {number} of seed {settings.seed}", flush=True)
            tally = parts.run(settings, number)
            if tally is None:
                print(f"differential: part {number} took more than {parts.LONGEST} s: use a smaller --part-size", file=sys.stderr)
                return 2
            report(tally, settings, f"-part-{number}")
        else:
            print(f"part {number} of seed {settings.seed} is kept in {parts.path_of(settings, number)}")
        if settings.write:
            write(tally, settings, number)
        status |= bool(tally.unexplained)
        tallies.append((number, tally))
    print("\n".join(parts.table(tallies)))
    return status


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
    parser.add_argument("--part", type=int)
    parser.add_argument("--parts", type=int)
    parser.add_argument("--part-size", type=int, default=parts.PART)
    parser.add_argument("--show", type=int)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--write", action="store_true")
    settings = parser.parse_args()
    settings.seconds += settings.minutes * 60
    if not settings.seconds and not settings.count:
        settings.seconds = 60
    if not os.access(settings.servertrust, os.X_OK):
        print(f"differential: {settings.servertrust} is missing; swift build -c release --product servertrust", file=sys.stderr)
        return 2
    shared.settings, shared.generator = settings, generator.Generator(settings.seed)
    shared.table = Table(os.path.join(HERE, "known-differences.toml"))
    try:
        settings.c_peers, settings.go_peer = builds.c_peers(), builds.go_peer()
    except (peers.PeerError, OSError, subprocess.CalledProcessError) as error:
        print(f"differential: can't build the peers: {error}", file=sys.stderr)
        return 2
    if settings.show is not None:
        chain = shared.generator.chain(settings.show)
        request = chain.request()
        our, theirs = answers(settings, [request])
        print(json.dumps({**request, "expected": chain.expected, "ours": our[0], "answers": theirs[0]}))
        return 0
    if settings.self_test:
        return 1 if self_test(settings) else 0
    if settings.part is not None or settings.parts is not None:
        return run_parts(settings)
    tally = work(settings)
    report(tally, settings)
    if settings.write:
        write(tally, settings, 0)
    return 1 if tally.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
