# SPDX-License-Identifier: Apache-2.0
"""Compares answers: counts differences that known-differences.toml explains, and keeps all others."""
import collections
import fnmatch
import re
import tomllib

from chain import PROFILES


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
            entry["other"] = re.compile("|".join(fnmatch.translate(tag) for tag in entry.get("also", ["*"])))
            entry["reason"] = re.compile("|".join(f"(?:{reason})" for reason in entry.get("reasons", [])) or "$^")
            for peer in [entry["peer"]] if isinstance(entry["peer"], str) else entry["peer"]:
                for profile in entry.get("profiles", PROFILES):
                    self.by[peer, profile, entry["ours"]].append(entry)

    def explain(self, peer, profile, accepted, codes, reasons, tags):
        """Returns the names of the entries that explain a disagreement, or nothing if they don't fully explain it.

        Each of our codes, or of the peer's reasons, needs an entry, so that a known one doesn't hide a wrong one.
        """
        concerns = lambda one: any(map(one["pattern"].match, tags)) and any(map(one["other"].match, tags))
        known = [one for one in self.by[peer, profile, "trusted" if accepted else "rejected"] if concerns(one)]
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
    """Counts one chain's answers and keeps unexplained ones."""
    tags = request["tags"]
    tally.counts["chains"] += 1
    for profile, (accepted, codes) in our.items():
        verdict = "trusted" if accepted else "rejected"
        tally.counts[f"{profile} {verdict}"] += 1

        def note(peer, reasons):
            tally.counts["unexplained"] += 1
            tally.counts[f"{peer} unexplained"] += 1
            tally.unexplained.append(
                {**request, "profile": profile, "ours": [verdict, codes], "peer": peer, "theirs": reasons, "answers": {name: answer for name, answer in theirs.items()}}
            )

        if expected[profile] and expected[profile] != verdict:
            # The mutation itself rules this out, whatever the peers answer.
            note("expected", [expected[profile]])
        asked = {peer: answer for peer, answer in theirs.items() if answer[0] is not None}
        differing = {peer: reasons for peer, (verdict_, reasons) in asked.items() if verdict_ != accepted}
        for peer in asked:
            tally.counts[f"{peer} asked"] += 1
            if peer not in differing:
                tally.counts[f"{peer} agrees"] += 1
        # With several tags, each of them may have its own reason.
        if len(tags) < 2 and len(asked) >= 2 and len(differing) == len(asked):
            differing["all"] = differing["openssl"]
        for peer, reasons in differing.items():
            names = table.explain(peer, profile, accepted, codes, reasons, tags)
            if not names:
                note(peer, reasons)
            for name in names:
                tally.classes[peer, verdict, name] += 1
