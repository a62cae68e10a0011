#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares this package's verdicts and paths with an RFC 5280 oracle's, on random graphs of certificates.

    Fuzz/oracle/compare.py [options]

    --count N            the number of graphs (default: 5,000)
    --seconds N          or run for this time, whichever comes first
    --seed S             default: 1; a graph is a function of seed and index
    --first N            index of the first graph
    --part N             the graphs of one part: --count of them (default: 10,000), starting at N times --count.
                         The folder records a part without unexplained disagreements. The script doesn't run it again
                         until the program, the oracle or the graphs change
    --jobs N             processes
    --servertrust FILE   the built program (default: ../../.build/release/servertrust)
    --out FOLDER         the folder for records of parts and for unexplained disagreements, as lines for `verify --batch`
    --show INDEX         print one graph as batch lines with the answers of both, and exit
    --self-test          falsify answers and expect that the comparison notices each
    --write              write the counts to Documentation/Generated/Assurance

The program gets each graph under both profiles, in three orders of certificates, with one thread and with two. The answers of both
thread counts must have the same bytes, and the three orders the same verdict. A trusted path must be among the oracle's. If the program
refuses a graph, the oracle must have no path. reasons.toml explains what may differ. Any other difference fails the run.

The script counts searches that end at a budget separately. Such a search may refuse what the oracle accepts.

Exit status: 0 all explained, 1 an unexplained disagreement, 2 the run couldn't start.
"""
import collections
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time

import arguments
import falsify
import graphs
import judgement
import running

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROFILES = graphs.PROFILES


class shared:
    """The state that forked processes inherit."""


class Crash(Exception):
    """The program ended before its last answer."""


def run(lines, jobs, options):
    """Returns the program's answers as bytes."""
    command = [shared.settings.servertrust, "verify", "--batch", "--jobs", str(jobs), *options]
    done = subprocess.run(command, input="\n".join(lines).encode() + b"\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    answers = done.stdout.splitlines()
    if done.returncode != 0 or len(answers) != len(lines):
        raise Crash(f"{' '.join(command)} ended with {done.returncode} after {len(answers)} of {len(lines)} answers: {done.stderr[-300:]}")
    return answers


def answers(requests, denied):
    """Returns the engine's answers in three orders for each request and profile, and the lines where two threads differ from one."""
    lines = []
    for request in requests:
        for profile in PROFILES:
            for one in graphs.orders(request, shared.settings.seed):
                lines.append(json.dumps({**one, "profile": profile}))
    with tempfile.TemporaryDirectory() as folder:
        options = denied.write(folder)
        single, double = run(lines, 1, options), run(lines, 2, options)
    pairs = [(line, [one.decode(), two.decode()]) for line, one, two in zip(lines, single, double) if one != two]
    differing = [{**json.loads(line), "answers": both} for line, both in pairs]
    parsed = iter(map(json.loads, single))
    return [{profile: [next(parsed) for _ in range(3)] for profile in PROFILES} for _ in requests], differing


def block(first, count):
    tally = judgement.Tally()
    generator = shared.generator
    requests = [generator.graph(index).request() for index in range(first, first + count)]
    denied = generator.denied(first // graphs.BLOCK)
    try:
        ours, differing = answers(requests, denied)
    except Crash as crash:
        tally.counts["unexplained"] += 1
        tally.unexplained.append({"direction": "crash", "causes": [str(crash)], "profile": "", "id": str(first)})
        return tally
    for one in differing:
        tally.counts["unexplained"] += 1
        tally.unexplained.append({**one, "direction": "jobs", "causes": []})
    for request, one in zip(requests, ours):
        tally.counts["graphs"] += 1
        for profile in PROFILES:
            asked = {**request, "profile": profile}
            began = time.monotonic()
            try:
                oracle = shared.oracle(asked)
            except RuntimeError as error:
                # More paths than it tries, or a policy tree over its limit.
                tally.counts[f"oracle gave up: {type(error).__name__}"] += 1
                oracle = None
            tally.counts["oracle microseconds"] += int((time.monotonic() - began) * 1e6)
            judgement.judge(shared.reasons, judgement.Judgement(asked, one[profile], shared.oracle, oracle, denied), tally)
            if oracle:
                tally.rules.update({refused["rule"] for refused in oracle["refused"]})
            tally.codes.update({failure["code"] for failure in one[profile][0]["failures"]})
    return tally


def work(settings):
    tally = judgement.Tally()
    tally.counts["seconds"] = int(running.run(running.blocks(settings, graphs.BLOCK), block, settings, tally, "graphs"))
    return tally


def report(tally, settings):
    counts = tally.counts
    print(f"seed {settings.seed}, {counts['graphs']} graphs from {settings.first} in {counts['seconds']} s, under two profiles,")
    print("  each in three orders, with one thread and with two")
    for profile in PROFILES:
        verdicts = (f"{counts[f'{profile} {verdict}']} {verdict}" for verdict in ("trusted", "rejected", "unreadable"))
        print(f"  {profile}: " + ", ".join(verdicts))
    print(f"  several acceptable paths: {counts['several paths']}; refused at a budget: {counts['budgets']}")
    print(f"  {len(tally.codes)} failure codes: " + ", ".join(sorted(tally.codes)))
    print(f"  {len(tally.rules)} rules of the oracle: " + ", ".join(sorted(tally.rules)))
    given_up = sorted(f"{count} {name}" for name, count in counts.items() if name.startswith("oracle gave up"))
    print(f"  the oracle took {counts['oracle microseconds'] // 1_000_000} s" + "".join(f"; {text}" for text in given_up))
    print("explained disagreements (direction, entry):")
    for (direction, name), count in sorted(tally.explained.items(), key=lambda item: -item[1]):
        print(f"  {count:8} {direction:10} {name}")
    groups = collections.defaultdict(list)
    for one in tally.unexplained:
        groups[one["direction"], one["profile"], " + ".join(one["causes"])[:150]].append(one)
    for key, members in sorted(groups.items(), key=lambda item: -len(item[1]))[: settings.lines]:
        print(f"  UNEXPLAINED {len(members)} x {' | '.join(key)} | e.g. {members[0]['id']} {','.join(members[0].get('tags', []))}")
    print(f"unexplained: {counts['unexplained']}")
    if tally.unexplained:
        running.write_unexplained(settings, f"seed-{settings.seed}-{settings.first}.jsonl", tally.unexplained[:20_000])
        print("--show INDEX applies the lists of denied certificates, too")
    if settings.write:
        write(counts, settings)


def write(counts, settings):
    running.record(comparison="graphs", peer="the oracle for paths", part=settings.part or 0, seed=settings.seed, inputs=counts["graphs"],
                   answers=counts["graphs"] * len(PROFILES), unexplained=counts.get("unexplained", 0))  # fmt: skip


def state(settings):
    """Returns a digest of everything that a part's outcome depends on."""
    digest = hashlib.sha256(f"{settings.seed} {settings.first} {settings.count}".encode())
    folders = [HERE, os.path.join(ROOT, "Fuzz", "differential")]
    files = [os.path.join(folder, name) for folder in folders for name in sorted(os.listdir(folder)) if name.endswith((".py", ".toml"))]
    for path in [settings.servertrust, *files]:
        with open(path, "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


def part(settings):
    """Runs a part unless it is recorded, and prints its findings."""
    path = os.path.join(settings.out, f"part-{settings.seed}-{settings.part}.json")
    key = state(settings)
    if os.path.exists(path):
        with open(path) as file:
            recorded = json.load(file)
        if recorded["state"] == key:
            print(recorded["summary"])
            if settings.write:
                write(recorded["counts"], settings)
            return 0
    tally = work(settings)
    report(tally, settings)
    if tally.unexplained or tally.counts["graphs"] < settings.count:
        return 1 if tally.unexplained else 0
    counts = tally.counts
    known = sum(tally.explained.values())
    summary = f"part {settings.part} of seed {settings.seed}: {counts['graphs']} graphs in {counts['seconds']} s, {known} answers explained"
    os.makedirs(settings.out, exist_ok=True)
    with open(path + ".new", "w") as file:
        explained = [[*name, count] for name, count in tally.explained.items()]
        json.dump({"state": key, "summary": summary, "counts": counts, "explained": explained}, file)
    os.replace(path + ".new", path)
    return 0


def show(settings):
    request = shared.generator.graph(settings.show).request()
    denied = shared.generator.denied(settings.show // graphs.BLOCK)
    ours, _ = answers([request], denied)
    for profile in PROFILES:
        oracle = shared.oracle({**request, "profile": profile})
        lists = judgement.Lists(request, denied)
        denials = [lists.entry(path) for path in oracle["paths"]]
        print(json.dumps({**request, "profile": profile, "ours": ours[0][profile], "oracle": oracle, "denied": denials}))


def main():
    settings = arguments.parse(__doc__, jobs=1)
    if settings.count is None:
        settings.count = 1500 if settings.self_test else 10_000 if settings.part is not None else 1 << 60 if settings.seconds else 5_000
    if settings.part is not None:
        settings.first = settings.part * settings.count
    import path_oracle

    shared.settings, shared.generator, shared.oracle = settings, graphs.Generator(settings.seed), path_oracle.answer
    shared.reasons = judgement.Reasons(os.path.join(HERE, "reasons.toml"))
    if settings.show is not None:
        show(settings)
        return 0
    if settings.self_test:
        return falsify.self_test(shared, answers, settings.count)
    if settings.part is not None:
        return part(settings)
    tally = work(settings)
    report(tally, settings)
    return 1 if tally.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
