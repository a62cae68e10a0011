# SPDX-License-Identifier: Apache-2.0
"""Falsifies answers, one kind at a time, and counts how many the comparison notices. It must notice all."""
import copy
import random

import graphs
import judgement


def accept(answers, paths, request, r):
    """Accepts in all orders what the oracle refuses, with the candidate path or the leaf and an anchor."""
    if paths or answers[0]["verdict"] == "trusted":
        return False
    for one in answers:
        one.update(verdict="trusted", failures=[], path=one["path"] or ["00" * 32])
    return True


def accept_once(answers, paths, request, r):
    """Accepts in one order only."""
    if answers[0]["verdict"] == "trusted" or paths:
        return False
    r.choice(answers).update(verdict="trusted", failures=[])
    return True


def accept_at_budget(answers, paths, request, r):
    """Accepts, and says that a budget ended the search."""
    if answers[0]["verdict"] == "trusted" or paths:
        return False
    for one in answers:
        one.update(verdict="trusted", failures=[{"code": "stepBudgetExceeded"}])
    return True


def refuse(code):
    def falsify(answers, paths, request, r):
        if answers[0]["verdict"] != "trusted" or not paths:
            return False
        for one in answers:
            one.update(verdict="rejected", failures=[{"code": code}])
        return True

    falsify.__doc__ = f"Refuses in all orders what the oracle accepts, with {code}."
    return falsify


def refuse_once(answers, paths, request, r):
    """Refuses in one order only."""
    if answers[0]["verdict"] != "trusted":
        return False
    r.choice(answers).update(verdict="rejected", failures=[{"code": "certificateExpired"}])
    return True


def unreadable(answers, paths, request, r):
    """Can't read a leaf that the oracle reads."""
    if answers[0]["verdict"] != "trusted":
        return False
    for one in answers:
        one.update(verdict="unreadable", failures=[{"code": "certificateMalformed"}])
    return True


def other_path(change):
    def falsify(answers, paths, request, r):
        trusted = [one for one in answers if one["verdict"] == "trusted"]
        if not trusted:
            return False
        one = r.choice(trusted)
        path = change(one["path"], [digest for other in paths for digest in other], r)
        if path is None or path in paths:
            return False
        one["path"] = path
        return True

    falsify.__doc__ = change.__doc__
    return falsify


def swapped(path, others, r):
    """Names another certificate at one place of a path."""
    place = r.randrange(len(path))
    return [*path[:place], r.choice(others + ["00" * 32]), *path[place + 1 :]]


def shortened(path, others, r):
    """Leaves out one certificate of a path."""
    place = r.randrange(len(path))
    return path[:place] + path[place + 1 :]


def turned(path, others, r):
    """Turns a path round."""
    return path[::-1]


def repeated(path, others, r):
    """Names a certificate of a path twice."""
    place = r.randrange(len(path))
    return path[: place + 1] + path[place:]


KINDS = [
    accept, accept_once, accept_at_budget, refuse("certificateExpired"), refuse("nameNotPermitted"), refuse("unknownIssuer"),
    refuse("signatureInvalid"), refuse_once, unreadable, *map(other_path, (swapped, shortened, turned, repeated)),
]  # fmt: skip


def ask(oracle, request):
    """The oracle's answer, or None if there were too many paths for it."""
    try:
        return oracle(request)
    except RuntimeError:
        return None


def self_test(shared, answers, count):
    """Returns whether something went unnoticed."""
    generator, requests, engine, oracle, denied = shared.generator, [], [], [], []
    for first in range(0, count, graphs.BLOCK):
        some = [generator.graph(index).request() for index in range(first, min(first + graphs.BLOCK, count))]
        lists = generator.denied(first // graphs.BLOCK)
        ours, differing = answers(some, lists)
        if differing:
            print(f"{len(differing)} lines differ between one thread and two")
            return 1
        requests += some
        engine += ours
        denied += [lists] * len(some)
        oracle += [{profile: ask(shared.oracle, {**request, "profile": profile}) for profile in graphs.PROFILES} for request in some]

    def judge(position, profile, given):
        tally = judgement.Tally()
        request = {**requests[position], "profile": profile}
        one = judgement.Judgement(request, given, shared.oracle, oracle[position][profile], denied[position])
        judgement.judge(shared.reasons, one, tally)
        return tally.counts["unexplained"]

    cases = [(position, profile) for position in range(count) for profile in graphs.PROFILES if oracle[position][profile]]
    honest = sum(judge(position, profile, engine[position][profile]) > 0 for position, profile in cases)
    print(f"as answered: {count} graphs, {honest} unexplained")
    failed = honest > 0
    for kind in KINDS:
        r, tried, noticed = random.Random(kind.__doc__), 0, 0
        for position, profile in cases:
            given = copy.deepcopy(engine[position][profile])
            paths = judgement.Lists(requests[position], denied[position]).acceptable(oracle[position][profile])
            if kind(given, paths, requests[position], r):
                tried += 1
                noticed += judge(position, profile, given) > 0
        print(f"{kind.__doc__} {tried} falsified, {noticed} noticed")
        failed |= tried == 0 or noticed < tried
    return 1 if failed else 0
