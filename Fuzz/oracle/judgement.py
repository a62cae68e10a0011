# SPDX-License-Identifier: Apache-2.0
"""Compares one graph's answers with the oracle's set of paths, and sorts what differs by cause with reasons.toml."""
import base64
import collections
import fnmatch
import re
import tomllib

import causes
import fields
import readings

BUDGET = re.compile("Budget|workLimit")
DIRECTIONS = ("accepted", "refused", "unreadable", "readable")


class Reasons:
    """reasons.toml. An entry explains a disagreement of one direction if every code or rule of it has an entry that fits."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.entries = tomllib.load(file).get("reason", [])
        for number, entry in enumerate(self.entries):
            missing = {"name", "direction", "why", "source"} - entry.keys()
            if missing or entry["direction"] not in DIRECTIONS or not ("codes" in entry or "rules" in entry):
                raise SystemExit(f"reasons.toml: entry {number + 1} is incomplete: {entry.get('name')} {sorted(missing)}")
            entry["pattern"] = re.compile("|".join(f"(?:{cause})" for cause in entry.get("codes", []) + entry.get("rules", [])))
            entry["tag"] = re.compile("|".join(fnmatch.translate(tag) for tag in entry.get("tags", ["*"])))

    def explain(self, direction, profile, causes, tags):
        """The names of the entries; nothing if a cause has none."""
        names = []
        for cause in causes or ["none"]:
            name = next((one["name"] for one in self.entries if one["direction"] == direction and profile in one.get("profiles", [profile])
                         and one["pattern"].fullmatch(cause) and any(map(one["tag"].match, tags or [""]))), None)  # fmt: skip
            if name is None:
                return []
            names.append(name)
        return sorted(set(names))


class Tally:
    def __init__(self):
        self.counts, self.explained, self.codes = collections.Counter(), collections.Counter(), collections.Counter()
        self.unexplained = []

    def add(self, other):
        self.counts.update(other.counts)
        self.explained.update(other.explained)
        self.codes.update(other.codes)
        self.unexplained += other.unexplained


class Lists:
    """The denied certificates of a block, for the paths of one request."""

    def __init__(self, request, denied):
        self.known, self.denied = causes.by_digest(request), denied
        read = lambda key: [fields.read(base64.b64decode(text)) for text in request.get(key, [])]
        self.anchors, self.others = read("anchors"), [*read("chain")[1:], *read("intermediates")]

    def entry(self, path):
        """The entry that denies a path; None if none does."""
        return self.denied.entry([fields.read(self.known[one]) for one in path if one in self.known], self.anchors, self.others)

    def acceptable(self, answer):
        """The oracle's paths that hold nothing denied."""
        return [path for path in answer["paths"] if not self.entry(path)]


def judge(reasons, request, profile, ours, answer_of, oracle, denied, tally):
    """Counts one graph under one profile. `ours` has the engine's answers for the three orders.

    `oracle` is its answer, or None if it gave up, and `answer_of` asks it another question.
    """
    lists = Lists(request, denied)
    paths = lists.acceptable(oracle) if oracle else []
    tally.counts[f"{profile} {ours[0]['verdict']}"] += 1
    tally.counts["several paths"] += len(paths) > 1
    tags = request.get("tags", [])

    def why(path):
        entry = lists.entry(path)
        return [f"denied: {entry}"] if entry else causes.causes({**request, "profile": profile}, path, oracle, answer_of)

    def why_refused():
        names = readings.refusing({**request, "profile": profile}, lists.known, answer_of, lambda path: not lists.entry(path))
        return [f"reading: {name}" for name in names]

    def note(direction, found, order):
        names = reasons.explain(direction, profile, found, tags)
        for name in names:
            tally.explained[direction, name] += 1
        if not names:
            tally.counts["unexplained"] += 1
            tally.unexplained.append({**request, "profile": profile, "direction": direction, "causes": found, "order": order, "ours": ours[order], "oracle": paths})

    is_limited = False
    for order, answer in enumerate(ours if oracle else []):
        codes = sorted({failure["code"] for failure in answer["failures"]})
        if answer["verdict"] == "trusted":
            if codes:
                note("accepted", ["failures beside trust"], order)
            if answer["path"] not in paths:
                note("accepted", why(answer["path"]), order)
        elif paths and any(map(BUDGET.search, codes)):
            tally.counts["budgets"] += 1
            is_limited = True
        elif paths:
            note("refused", why_refused() or codes, order)
        if answer["verdict"] == "unreadable" and oracle["readable"]:
            note("unreadable", codes, order)
        if answer["verdict"] != "unreadable" and not oracle["readable"]:
            note("readable", readings.reading_leaf({**request, "profile": profile}, answer_of) or codes, order)
    if len({answer["verdict"] for answer in ours}) > 1 and not is_limited:
        note("order", [answer["verdict"] for answer in ours], 0)
