# SPDX-License-Identifier: Apache-2.0
"""The results on disk, and the tables."""
import threading
from collections import Counter, defaultdict, namedtuple

import runner


class Result(namedtuple("Result", "identifier status seconds source tests text")):
    @property
    def isNoticed(self):
        return self.status in ("noticed", "crashed", "hung")

    def is_valid(self, source, tests, names):
        """Whether the result is still true: the file is the same, and the tests are, or the test that noticed the mutant exists."""
        return self.source == source and (self.tests == tests or self.status == "noticed" and runner.named(self.text) in names)


def key(identifier):
    """An identifier without the line, which changes often."""
    file, operator, _, code = identifier.rsplit(":", 3)
    return file, operator, code


class Results:
    """One line for each mutant: identifier, status, seconds, digests of the file and of the tests, and a text."""

    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        self.known = {}
        if path.is_file():
            for line in path.read_text().splitlines():
                fields = line.split("\t")
                # The last line of a killed run may be incomplete.
                if len(fields) == 6:
                    self.known[key(fields[0])] = Result(*fields)

    def find(self, identifier):
        return self.known.get(key(identifier))

    def add(self, result):
        line = "\t".join([result.identifier, result.status, f"{result.seconds:.2f}", result.source, result.tests, result.text])
        with self.lock:
            self.known[key(result.identifier)] = result
            with self.path.open("a") as file:
                file.write(line + "\n")


def explanations(path):
    found = {}
    if path.is_file():
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                identifier, reason = line.split("\t")
                if not reason.startswith(("equivalent", "only speed", "only a message")):
                    raise SystemExit(f"mutation: error: {path.name}: a reason begins with equivalent, only speed or only a message: {line}")
                file, _, rest = identifier.partition(":")
                found[file if rest == "*" else key(identifier)] = reason
    return found


def explanation(explained, identifier):
    """Returns the reason for a survivor, or None. A reason may cover all survivors of a file."""
    return explained.get(key(identifier)) or explained.get(identifier.partition(":")[0])


def folder(file):
    parts = file.split("/")
    return "/".join(parts[1:3]) if len(parts) > 3 else "/".join(parts[1:-1])


def table(mutants, results, explained, group, name):
    rows = defaultdict(Counter)
    for mutant in mutants:
        row = rows[group(mutant["file"])]
        if mutant["excluded"]:
            row["excluded"] += 1
            continue
        row["mutants"] += 1
        result = results.find(mutant["identifier"])
        if result is None:
            continue
        row["run"] += 1
        if result.isNoticed:
            row["noticed"] += 1
        elif explanation(explained, mutant["identifier"]):
            row["explained"] += 1
        else:
            row["survived"] += 1
    total = Counter()
    for row in rows.values():
        total.update(row)
    lines = [f"| {name} | mutants | run | noticed | explained | survivors | score |", "|---|--:|--:|--:|--:|--:|--:|"]
    for title, row in [*sorted(rows.items()), ("**all**", total)]:
        if row["run"]:
            score = 100 * row["noticed"] / max(row["run"] - row["explained"], 1)
            lines.append(f"| {title} | {row['mutants']} | {row['run']} | {row['noticed']} | {row['explained']} | {row['survived']} | {score:.1f} % |")
    return "\n".join(lines) + "\n"


def write(mutants, results, explained, path):
    """Writes a line for each file, for Documentation/Generated/Assurance.md."""
    columns = ["mutants", "run", "noticed", "explained", "survived"]
    rows = {mutant["file"]: Counter() for mutant in mutants if not mutant["excluded"]}
    for mutant in mutants:
        if not mutant["excluded"]:
            row, result = rows[mutant["file"]], results.find(mutant["identifier"])
            reason = result and explanation(explained, mutant["identifier"])
            row.update(["mutants"] + (["run", "noticed" if result.isNoticed else "explained" if reason else "survived"] if result else []))
    lines = [["folder", "file", *columns], *([folder(file), file, *(str(row[column]) for column in columns)] for file, row in sorted(rows.items()))]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join("\t".join(line) + "\n" for line in lines))


def write_survivors(mutants, results, explained, path):
    """Writes the survivors that still need a test or an explanation."""
    lines = [(mutant["identifier"], " ".join(mutant["before"].split()), " ".join(mutant["after"].split()), result.status)
             for mutant, result in survivors(mutants, results) if not explanation(explained, mutant["identifier"])]
    path.write_text("".join("\t".join(line) + "\n" for line in [("identifier", "before", "after", "status"), *sorted(lines)]))


def known_survivors(path):
    """Returns the keys of the survivors in a file, or an empty set without the file."""
    return {key(line.split("\t")[0]) for line in path.read_text().splitlines()[1:]} if path.is_file() else set()


def line(mutant, result):
    def short(text):
        text = " ".join(text.split())
        return text if len(text) <= 110 else text[:107] + "…"

    return f"{mutant['identifier']}\n    Sources/{mutant['file']}:{mutant['line']}\n    {short(mutant['before'])}\n    → {short(mutant['after'])}\n    {result.status}: {result.text}\n"


def survivors(mutants, results):
    for mutant in mutants:
        result = results.find(mutant["identifier"])
        if result and not mutant["excluded"] and not result.isNoticed:
            yield mutant, result


def text(mutants, skipped, results, explained):
    parts = ["# Mutants of the kernel\n\n"]
    kinds = Counter(mutant["operator"] for mutant in mutants if not mutant["excluded"])
    parts.append("Mutants by operator: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) + ".\n")
    parts.append(f"Left out, because they don't compile: {sum(mutant['excluded'] for mutant in mutants)}. Not expressed: "
                 + ", ".join(f"{reason} {count}" for reason, count in sorted(skipped.items())) + ".\n\n")
    parts.append(table(mutants, results, explained, folder, "folder") + "\n")
    parts.append(table(mutants, results, explained, lambda file: file, "file") + "\n## Survivors\n\n")
    for mutant, result in survivors(mutants, results):
        if not explanation(explained, mutant["identifier"]):
            parts.append(line(mutant, result) + "\n")
    parts.append("## Explained survivors\n\n")
    for mutant, result in survivors(mutants, results):
        if reason := explanation(explained, mutant["identifier"]):
            parts.append(f"{line(mutant, result)}    {reason}\n\n")
    return "".join(parts)


def summary(mutants, results, explained):
    """Prints a table and the survivors without a reason. Returns the exit status."""
    print(table(mutants, results, explained, folder, "folder"))
    left = [(mutant, result) for mutant, result in survivors(mutants, results) if not explanation(explained, mutant["identifier"])]
    for mutant, result in left:
        print(line(mutant, result))
    if left:
        print(f"mutation: error: no test notices these {len(left)} changes. For each, write a test that fails with the change, or explain it in "
              "Fuzz/mutation/explained.tsv (README.md, \"Explaining a survivor\").")
    return 1 if left else 0


def self_test():
    """Checks the tables. Returns the exit status."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as name:
        results = Results(Path(name) / "results.tsv")
        for number, status in enumerate(["noticed", "crashed", "hung", "survived", "unreached"]):
            results.add(Result(f"A/B/C/d.swift:negate:{number}:{number:08x}", status, 0.1, "s", "t", "text"))
        with results.path.open("a") as file:
            file.write("A/B/C/d.swift:negate:9:half")
        again = Results(results.path)
        mutants = [{"identifier": f"A/B/C/d.swift:negate:7:{number:08x}", "file": "A/B/C/d.swift", "excluded": number == 5, "before": "", "after": ""}
                   for number in range(6)]
        row = table(mutants, again, {key("A/B/C/d.swift:negate:1:00000004"): "equivalent"}, folder, "folder").splitlines()[2]
    valid = [Result("", status, 0, "s", "t", text).is_valid(source, tests, {"A.B/c()"}) for status, source, tests, text in [
        ("noticed", "s", "new", "A.B/c()"), ("noticed", "new", "t", "A.B/c()"), ("noticed", "s", "new", "A.B/removed()"),
        ("survived", "s", "t", "2 of 2 tests"), ("survived", "s", "new", "2 of 2 tests"), ("crashed", "s", "new", "signal 4")]]
    if valid != [True, False, False, True, False, False]:
        print(f"mutation: self-test: valid results: {valid}")
        return 1
    if row != "| B/C | 5 | 5 | 3 | 1 | 1 | 75.0 % |":
        print(f"mutation: self-test: wrong row: {row}")
        return 1
    return 0
