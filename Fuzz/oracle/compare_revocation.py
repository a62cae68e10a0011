#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the engine with the revocation oracle, on scenes created from a seed.

    Fuzz/oracle/compare_revocation.py [options]

    --seconds N                 run for this time (default: 60 seconds)
    --count N                   or this number of scenes, whichever comes first
    --part N                    run part N of the seed, with --count scenes (default: 100,000), unless it has already run
    --seed S                    default: 1; a scene is a function of seed and index
    --first N                   index of the first scene
    --jobs N                    processes
    --servertrust FILE          the built program (default: ../../.build/release/servertrust)
    --out FOLDER                the folder for results of parts and for unexplained disagreements, as lines for `verify --batch`
    --show INDEX                print one scene as a batch line with both answers, and exit
    --self-test                 falsify answers and expect that the comparison notices each

The engine answers each scene under both profiles, in three orders of the evidence, with one job and with two. All answers of a profile
must be the same. The script compares the oracle's status of each certificate with the engine's. It counts disagreements that
revocation-reasons.toml explains. Any other disagreement fails the run.

Exit status: 0 all explained, 1 an unexplained disagreement, 2 the run couldn't start.
"""
import collections
import hashlib
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(ROOT, "Fuzz", "differential"))

import arguments  # noqa: E402
import running  # noqa: E402
import scenes  # noqa: E402
from chain import PROFILES  # noqa: E402
from disagreements import Reasons, differences, unlike  # noqa: E402
from revocation_reader import Reader  # noqa: E402

BLOCK = 200
PART = 100_000


class shared:
    """The state that forked processes inherit."""


class Tally:
    def __init__(self):
        self.counts, self.classes, self.open = (collections.Counter() for _ in range(3))
        self.unexplained = []

    def add(self, other):
        for name in ("counts", "classes", "open"):
            getattr(self, name).update(getattr(other, name))
        self.unexplained += other.unexplained

    def written(self):
        return {name: dict(getattr(self, name)) for name in ("counts", "classes", "open")} | {"unexplained": self.unexplained}

    @staticmethod
    def read(file):
        tally, found = Tally(), json.load(file)
        for name in ("counts", "classes", "open"):
            getattr(tally, name).update(found[name])
        tally.unexplained = found["unexplained"]
        return tally


class Crash(Exception):
    """The program ended before its last answer."""


def engine(lines, jobs):
    command = [shared.settings.servertrust, "verify", "--batch", "--jobs", jobs]
    done = subprocess.run(command, input="\n".join(lines).encode() + b"\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    answers = done.stdout.splitlines()
    if done.returncode != 0 or len(answers) != len(lines):
        culprit = lines[min(len(answers), len(lines) - 1)]
        raise Crash(f"ended with {done.returncode} after {len(answers)} of {len(lines)} answers: {done.stderr[-300:]}, at: {culprit}")
    return [json.loads(answer) for answer in answers]


def lines_of(scene):
    """Returns the requests of a scene: one for each profile and order."""
    orders = list(scene.requests())
    return [{**request, "profile": profile} for profile in PROFILES for request in orders]


def judge(scene, requests, answers, tally):
    """Counts one scene. `answers` contains the answers to all `requests` with one job, and then with two."""
    tally.counts["scenes"] += 1
    tally.counts["pieces"] += len(scene.crls) + len(scene.responses)
    # Revocation doesn't depend on the profile. The oracle sees the evidence in an order that differs from scene to scene.
    statuses = shared.oracle(shared.reasons.answers, requests[scene.index % len(requests)], scene.path).statuses()
    for number, profile in enumerate(PROFILES):
        first = number * scenes.ORDERS
        mine = answers[first : first + scenes.ORDERS] + answers[len(requests) + first :][: scenes.ORDERS]
        answer = mine[0]
        tally.counts[f"{profile} {answer['verdict']}"] += 1

        def note(what, **more):
            tally.counts["unexplained"] += 1
            tally.unexplained.append({**requests[first], "disagreement": what, "answer": answer, **more})

        for position, other in enumerate(mine[1:], 1):
            if what := unlike(answer, other):
                order, jobs = position % scenes.ORDERS, 1 + position // scenes.ORDERS
                note(f"order: {what} differs in order {order} with {jobs} jobs", other={**requests[first + order], "answer": other})
                break
        found, open_ = differences(scene, answer, statuses)
        if number == 0:
            tally.open.update(open_)
        for one in found:
            name = shared.reasons.explain(one, scene)
            if name:
                tally.classes[f"{one.direction}: {name}"] += 1
            else:
                note(str(one), statuses=statuses)


def block(first, count):
    tally = Tally()
    made = [shared.generator.scene(index) for index in range(first, first + count)]
    requests = [lines_of(scene) for scene in made]
    flat = [json.dumps(request) for group in requests for request in group]
    try:
        answers = [engine(flat, jobs) for jobs in ("1", "2")]
    except Crash as error:
        tally.counts["crashes"] += 1
        tally.unexplained.append({"crash": str(error)})
        return tally
    size = len(requests[0])
    for number, (scene, group) in enumerate(zip(made, requests)):
        place = slice(number * size, (number + 1) * size)
        judge(scene, group, answers[0][place] + answers[1][place], tally)
    return tally


def work(settings):
    tally = Tally()
    tally.counts["milliseconds"] = int(1000 * running.run(running.blocks(settings, BLOCK), block, settings, tally, "scenes"))
    return tally


def state():
    """Returns a digest of everything that a part's outcome depends on, except its scenes' numbers."""
    digest = hashlib.sha256()
    folders = [HERE, os.path.join(ROOT, "Fuzz", "differential")]
    files = [os.path.join(folder, name) for folder in folders for name in sorted(os.listdir(folder)) if name.endswith((".py", ".toml"))]
    for path in [shared.settings.servertrust, *files]:
        with open(path, "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()[:16]


def part(settings):
    """Returns the result of a part, from an earlier run of the same programs if there is one. Runs an unfinished part again."""
    settings.count = settings.count or PART
    settings.first, settings.seconds = settings.part * settings.count, 0
    path = os.path.join(settings.out, f"revocation-seed-{settings.seed}-part-{settings.part}-of-{settings.count}-{state()}.json")
    if os.path.exists(path):
        with open(path) as file:
            return Tally.read(file)
    tally = work(settings)
    os.makedirs(settings.out, exist_ok=True)
    with open(path + ".new", "w") as file:
        json.dump(tally.written(), file)
    os.replace(path + ".new", path)
    return tally


def report(tally, settings):
    counts = tally.counts
    seconds = counts["milliseconds"] / 1000
    print(f"seed {settings.seed}, {counts['scenes']} scenes with {counts['pieces']} pieces of evidence in {seconds:.0f} s, "
          f"each under {len(PROFILES)} profiles, in {scenes.ORDERS} orders, with 1 and 2 jobs")  # fmt: skip
    for profile in PROFILES:
        verdicts = (f"{counts[f'{profile} {verdict}']} {verdict}" for verdict in ("trusted", "rejected", "unreadable"))
        print(f"  {profile}: " + ", ".join(verdicts))
    titles = {"explained disagreements (direction, entry)": tally.classes, "open questions that decide about a certificate": tally.open}
    for title, counter in titles.items():
        print(f"{title}:")
        for name, count in counter.most_common():
            print(f"  {count:8} {name}")
    unused = {entry["name"] for entry in shared.reasons.entries} - {name.split(": ", 1)[1] for name in tally.classes}
    if unused and counts["scenes"] >= 20_000:
        print("entries that explained nothing: " + ", ".join(sorted(unused)))
    groups = collections.defaultdict(list)
    for one in tally.unexplained:
        if "crash" in one:
            print(f"CRASH {one['crash'][:400]}")
        else:
            groups[one["disagreement"]].append(one)
    for key, members in sorted(groups.items(), key=lambda item: -len(item[1]))[: settings.lines]:
        print(f"  UNEXPLAINED {len(members)} x {key} | e.g. {members[0]['id']}")
    print(f"unexplained: {counts['unexplained']}, crashes: {counts['crashes']}")
    if tally.unexplained:
        running.write_unexplained(settings, f"revocation-seed-{settings.seed}.jsonl", tally.unexplained[:20_000])
    if settings.write:
        write(counts, settings)


def write(counts, settings):
    running.record(comparison="scenes", peer="the oracle for revocation", part=settings.part or 0, seed=settings.seed, inputs=counts["scenes"],
                   answers=counts["scenes"] * len(PROFILES), unexplained=counts["unexplained"] + counts["crashes"])  # fmt: skip


def failure(code):
    return {"code": code, "certificate": 0, "message": ""}


def falsified(kind, answer):
    """Returns the answer with one change, or nothing if the change doesn't apply."""
    statuses = [dict(one) for one in answer.get("revocation") or []]
    revoked = [one for one in answer["failures"] if one["code"] == "certificateRevoked"]
    if kind == "accepts a revoked certificate" and revoked:
        for one in statuses:
            one["status"] = "good" if one["status"] == "revoked" else one["status"]
        return {**answer, "verdict": "trusted", "failures": [], "revocation": statuses}
    if kind == "refuses a good certificate" and answer["verdict"] == "trusted":
        return {**answer, "verdict": "rejected", "failures": [failure("certificateRevoked")]}
    if kind == "accepts without an answer" and not revoked and answer["verdict"] == "rejected":
        return {**answer, "verdict": "trusted", "failures": []}
    if kind == "says good where nothing vouches" and any(one["status"] == "unknown" for one in statuses):
        return {**answer, "revocation": [{**one, "status": "good"} for one in statuses]}
    if kind == "refuses for another reason":
        return {**answer, "verdict": "rejected", "failures": [failure("signatureInvalid")]}
    return None


KINDS = (
    "accepts a revoked certificate", "refuses a good certificate", "accepts without an answer", "says good where nothing vouches",
    "refuses for another reason",
)  # fmt: skip


def self_test(settings):
    """Changes answers, one kind at a time, in all orders or in one, and counts how many the run would have reported."""
    failed = False
    tried, noticed = collections.Counter(), collections.Counter()
    made = [shared.generator.scene(index) for index in range(settings.count or 1000)]
    honest = Tally()
    for scene in made:
        requests = lines_of(scene)
        answers = engine([json.dumps(request) for request in requests], "1") * 2
        judge(scene, requests, answers, honest)
        for kind in KINDS:
            changed = [falsified(kind, answer) for answer in answers]
            if None in changed:
                continue
            position = scene.index % len(answers)
            single = answers[:position] + [changed[position]] + answers[position + 1 :]
            for name, false in ((kind, changed), (kind + ", in one order", single)):
                tally = Tally()
                judge(scene, requests, false, tally)
                tried[name] += 1
                noticed[name] += bool(tally.counts["unexplained"])
    print(f"as answered: {len(made)} scenes, {honest.counts['unexplained']} unexplained")
    failed |= honest.counts["unexplained"] > 0
    for kind in (name for one in KINDS for name in (one, one + ", in one order")):
        print(f"{kind}: {tried[kind]} falsified, {noticed[kind]} noticed")
        failed |= not tried[kind] or noticed[kind] < tried[kind]
    return failed


def main():
    settings = arguments.parse(__doc__, count=0, jobs=os.cpu_count() or 1)
    if not settings.seconds and not settings.count:
        settings.seconds = 60
    shared.oracle = Reader
    shared.settings, shared.generator = settings, scenes.Generator(settings.seed)
    shared.reasons = Reasons(os.path.join(HERE, "revocation-reasons.toml"))
    if settings.show is not None:
        scene = shared.generator.scene(settings.show)
        request = lines_of(scene)[0]
        said = Reader(shared.reasons.answers, request, scene.path).statuses()
        print(json.dumps({**request, "answer": engine([json.dumps(request)], "1")[0], "oracle": said}))
        return 0
    if settings.self_test:
        return 1 if self_test(settings) else 0
    tally = part(settings) if settings.part is not None else work(settings)
    report(tally, settings)
    return 1 if tally.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
