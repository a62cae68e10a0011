# SPDX-License-Identifier: Apache-2.0
"""The differences between the engine's answer about a scene and the oracle's, and revocation-reasons.toml, which explains some of them."""
import collections
import dataclasses
import hashlib
import re
import tomllib

# The worst for a user comes first.
DIRECTIONS = ("accepts a revoked one", "accepts an unknown one", "refuses", "status", "report")


@dataclasses.dataclass
class Difference:
    """The difference for one certificate. `ours` and `theirs` are statuses, `level` is the certificate's level below the anchor."""

    direction: str
    ours: str
    theirs: str
    level: int
    said: str
    why: str
    questions: list

    def __str__(self):
        hint = f" [{'; '.join(self.questions)}]" if self.questions else ""
        return f"{self.direction}: {self.ours} ({self.said}) / {self.theirs} ({self.why}){hint}"


def outline(answer):
    """Returns the parts of an answer that must not depend on the order of the evidence."""
    failures = sorted((failure["code"], failure.get("certificate")) for failure in answer["failures"])
    statuses = [one["status"] for one in answer.get("revocation") or []]
    return {"verdict": answer["verdict"], "result": answer["result"], "path": answer["path"], "failures": failures, "statuses": statuses}


def unlike(answer, other):
    """Returns the first part that differs between two answers, or None."""
    left, right = outline(answer), outline(other)
    return next((key for key in left if left[key] != right[key]), None)


def our_statuses(scene, answer, count):
    """Returns status and reason for each certificate except the anchor. With revocation off, an answer only shows revoked certificates."""
    revoked = {failure["certificate"] for failure in answer["failures"] if failure["code"] == "certificateRevoked"}
    told = answer.get("revocation") or []
    found = []
    for index in range(count):
        status, said = "unasked", "-"
        if scene.mode != "off" and index < len(told):
            one = told[index]
            status, said = one["status"], " ".join(filter(None, (one.get("source"), one.get("reason"))))
        if index in revoked:
            status = "revoked"
        found.append((status, said))
    return found


def differences(scene, answer, statuses):
    """Returns the differences of a scene, and the open questions that decide it, with the product's answers."""
    found, open_ = [], collections.Counter()
    ours = our_statuses(scene, answer, len(statuses))
    trusted, codes = answer["verdict"] == "trusted", sorted({failure["code"] for failure in answer["failures"]})
    bad = {"revoked", "unknown"} if scene.mode == "required" else {"revoked"}
    refused = any(oracle["status"] in bad for oracle in statuses)
    if answer["path"] != [hashlib.sha256(one).hexdigest() for one in scene.path]:
        # The answer is about another path, which can't be valid.
        direction = DIRECTIONS[0] if trusted else "report" if refused else DIRECTIONS[2]
        expected = "refused" if refused else "accepted"
        return [Difference(direction, answer["verdict"], expected, 0, ",".join(codes), "another path", [])], open_
    for index, ((status, said), oracle) in enumerate(zip(ours, statuses)):
        open_.update(oracle["either"].keys())
        expected = oracle["status"]
        if status == "unasked":
            # With revocation off, good and unknown are the same.
            if expected in ("good", "unknown"):
                continue
        elif status == expected or status == "exempt" and expected == "good":
            continue
        direction = "status"
        if trusted and expected == "revoked":
            direction = DIRECTIONS[0]
        elif trusted and scene.mode == "required" and expected == "unknown":
            direction = DIRECTIONS[1]
        elif not trusted and not refused:
            direction = DIRECTIONS[2]
        # The open questions that would explain it.
        fitting = sorted(question for question, other in oracle["either"].items() if other == status)
        found.append(Difference(direction, status, expected, len(statuses) - index, said, f"{oracle['by']}: {oracle['why']}", fitting))
    # A verdict must follow from its own statuses. There is no other reason in these scenes.
    follows = not any(status in bad for status, _ in ours)
    if follows != trusted or set(codes) - {"certificateRevoked", "revocationUnavailable"}:
        why = "the verdict doesn't follow from the statuses"
        found.append(Difference("verdict", answer["verdict"], "", 0, ",".join(codes) or "-", why, []))
    return found, open_


class Reasons:
    """revocation-reasons.toml."""

    def __init__(self, path):
        with open(path, "rb") as file:
            table = tomllib.load(file)
        self.entries = table.get("difference", [])
        self.answers = {}
        for entry in table.get("reading", []):
            missing = {"question", "answer", "why", "source"} - entry.keys()
            if missing:
                raise SystemExit(f"revocation-reasons.toml: the reading {entry.get('question')} is incomplete: {sorted(missing)}")
            self.answers[entry["question"]] = entry["answer"]
        for number, entry in enumerate(self.entries):
            missing = {"name", "direction", "statuses", "pattern", "why", "source"} - entry.keys()
            if missing or set(entry["direction"]) - set(DIRECTIONS):
                raise SystemExit(f"revocation-reasons.toml: entry {number + 1} is incomplete: {entry.get('name')} {sorted(missing)}")
            entry["regex"] = re.compile(entry["pattern"])

    def explain(self, difference, scene):
        """Returns the name of the entry that explains a difference, or None."""
        tags = " ".join(tag for tag in scene.tags if f"@{difference.level}:" in tag)
        text = f"{difference.said} | {difference.why} | {tags}"
        for entry in self.entries:
            pair = f"{difference.ours}/{difference.theirs}"
            if difference.direction in entry["direction"] and pair in entry["statuses"] and entry["regex"].search(text):
                return entry["name"]
        return None
