# SPDX-License-Identifier: Apache-2.0
"""Compares one graph's answers with the oracle's set of paths, and sorts differences by cause with reasons.toml."""
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
    """reasons.toml. The entries explain a disagreement if every code or rule in it has a matching entry of the same direction."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.entries = tomllib.load(file).get("reason", [])
        for number, entry in enumerate(self.entries):
            missing = {"name", "direction", "why", "source"} - entry.keys()
            if isinstance(entry.get("direction"), str):
                entry["direction"] = [entry["direction"]]
            if missing or not set(DIRECTIONS).issuperset(entry["direction"]) or not ("codes" in entry or "rules" in entry):
                raise SystemExit(f"reasons.toml: entry {number + 1} is incomplete: {entry.get('name')} {sorted(missing)}")
            entry["pattern"] = re.compile("|".join(f"(?:{cause})" for cause in entry.get("codes", []) + entry.get("rules", [])))
            entry["tag"] = re.compile("|".join(fnmatch.translate(tag) for tag in entry.get("tags", ["*"])))

    def explain(self, direction, profile, causes, tags):
        """Returns the names of the entries, or nothing if a cause has no entry."""
        names = []
        for cause in causes or ["none"]:
            name = next((one["name"] for one in self.entries if direction in one["direction"] and profile in one.get("profiles", [profile])
                         and one["pattern"].fullmatch(cause) and any(map(one["tag"].match, tags or [""]))), None)  # fmt: skip
            if name is None:
                return []
            names.append(name)
        return sorted(set(names))


class Tally:
    def __init__(self):
        self.counts, self.explained, self.codes, self.rules = (collections.Counter() for _ in range(4))
        self.unexplained = []

    def add(self, other):
        self.counts.update(other.counts)
        self.explained.update(other.explained)
        self.codes.update(other.codes)
        self.rules.update(other.rules)
        self.unexplained += other.unexplained


class Lists:
    """The denied certificates of a block, for the paths of one request."""

    def __init__(self, request, denied):
        self.request, self.known, self.denied = request, causes.by_digest(request), denied
        read = lambda key: [fields.read(base64.b64decode(text)) for text in request.get(key, [])]
        self.anchors, self.others = read("anchors"), [*read("chain")[1:], *read("intermediates")]

    def entry(self, path):
        """Returns the entry that denies a path, or None."""
        return self.denied.entry([fields.read(self.known[one]) for one in path if one in self.known], self.anchors, self.others)

    def only(self, path):
        """Returns the request with only the certificates of a path."""
        text = [base64.b64encode(self.known[one]).decode() for one in path]
        return {**self.request, "chain": text[:1] + text[1:-1], "intermediates": [], "anchors": text[-1:]}

    def acceptable(self, answer):
        """Returns the oracle's paths without denied certificates."""
        return [path for path in answer["paths"] if not self.entry(path)]


class Judgement:
    """One graph under one profile. `request` has the profile, `ours` the engine's answers for the three orders.

    `ask` asks the oracle. `oracle` is its answer, or None if there were too many paths for it.
    """

    def __init__(self, request, ours, ask, oracle, denied):
        self.request, self.ours, self.ask, self.oracle = request, ours, ask, oracle
        self.lists = Lists(request, denied)
        self.paths = self.lists.acceptable(oracle) if oracle else []
        self.known = {}

    def why_accepted(self, path):
        """Returns why a path of the engine isn't acceptable, or nothing if it is."""
        entry = self.lists.entry(path)
        if entry:
            return [f"denied: {entry}"]
        if self.oracle:
            return [] if path in self.paths else causes.causes(self.request, path, self.oracle, self.ask)
        request = self.lists.only(path)
        answer = self.ask(request)
        return [] if path in answer["paths"] else causes.causes(request, path, answer, self.ask)

    def why_refused(self):
        """Returns the readings under which the oracle also refuses."""
        names = readings.refusing(self.request, self.lists.known, self.ask, lambda path: not self.lists.entry(path))
        return [f"reading: {name}" for name in names]

    def once(self, function, *arguments):
        """Returns a function's result, computed once for the three orders."""
        key = (function.__name__, str(arguments))
        if key not in self.known:
            self.known[key] = function(*arguments)
        return self.known[key]

    def disagreements(self):
        """Pairs of direction and causes, with the order of certificates."""
        for order, answer in enumerate(self.ours):
            codes = sorted({failure["code"] for failure in answer["failures"]})
            if answer["verdict"] == "trusted":
                found = ["failures beside trust"] if codes else self.once(self.why_accepted, answer["path"])
                if found:
                    yield "accepted", found, order
            elif self.paths and not is_limited(answer):
                yield "refused", self.once(self.why_refused) or codes, order
            if self.oracle and (answer["verdict"] != "unreadable") != self.oracle["readable"]:
                can = answer["verdict"] != "unreadable"
                yield ("readable" if can else "unreadable"), can and readings.reading_leaf(self.request, self.ask) or codes, order
        verdicts = [answer["verdict"] for answer in self.ours]
        if len(set(verdicts)) > 1 and not any(map(is_limited, self.ours)):
            yield "order", verdicts, 0


def is_limited(answer):
    """Whether a budget ended the search."""
    return any(BUDGET.search(failure["code"]) for failure in answer["failures"])


def judge(reasons, one, tally):
    """Counts a judgement, and keeps what no entry explains."""
    profile, tags = one.request["profile"], one.request.get("tags", [])
    tally.counts[f"{profile} {one.ours[0]['verdict']}"] += 1
    tally.counts["several paths"] += len(one.paths) > 1
    tally.counts["budgets"] += any(map(is_limited, one.ours))
    for direction, found, order in one.disagreements():
        names = reasons.explain(direction, profile, found, tags)
        for name in names:
            tally.explained[direction, name] += 1
        if not names:
            tally.counts["unexplained"] += 1
            kept = {"direction": direction, "causes": found, "order": order, "ours": one.ours[order], "oracle": one.paths}
            tally.unexplained.append({**one.request, **kept})
