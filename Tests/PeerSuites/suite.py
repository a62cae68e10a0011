# SPDX-License-Identifier: Apache-2.0
"""The common parts of the suites: cases, one run of the command, the list of differences, the report."""
import base64
import fnmatch
import json
import re
import subprocess
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ACCEPT, REFUSE = True, False
WORDS = {True: "accept", False: "refuse", None: "anything"}
# The code for acceptance, and the code that is added if a certificate is unreadable.
TRUSTED, LEFT_OUT = "trusted", "leftOut"
# The code if both accept, but with different paths.
OTHER_PATH = "otherPath"


@dataclass(frozen=True)
class Case:
    """A request for the command. `expected` is ACCEPT, REFUSE, or None if the peer's test has no expectation.
    `why` is the peer's explanation of the case, for people."""

    name: str
    request: dict
    expected: bool | None
    why: str = ""
    # Optional: the paths that the peer accepts, each a tuple of texts that the labels of its certificates contain. The keys of labels are
    # the certificates' SHA-256 in hexadecimal.
    chains: tuple = ()
    labels: dict = field(default_factory=dict)

    def has(self, path):
        """Whether the peer accepts a path."""
        labels = [self.labels.get(each, "") for each in path]
        return not self.chains or any(len(chain) == len(labels) and all(text in label for text, label in zip(chain, labels))
                                      for chain in self.chains)


@dataclass(frozen=True)
class NotAsked:
    """A peer's test without a counterpart here. The report counts tests with the same reason together."""

    name: str
    reason: str


@dataclass
class Difference:
    """An entry of differences.toml. It explains a case if every key matches."""

    suite: str
    cases: list
    expected: str
    ours: list
    why: str
    source: str
    # Optional: a regular expression that one of our messages or warnings contains.
    message: str = ""
    explained: int = 0

    def is_about(self, suite, case, texts):
        return (self.suite == suite and self.expected == WORDS[case.expected]
                and any(fnmatch.fnmatchcase(case.name, pattern) for pattern in self.cases)
                and (not self.message or any(re.search(self.message, text) for text in texts)))


@dataclass
class Report:
    """The comparison of a suite."""

    suite: str
    asked: int = 0
    agreeing: int = 0
    without_expectation: int = 0
    differing: list = field(default_factory=list)
    unexplained: list = field(default_factory=list)
    not_asked: Counter = field(default_factory=Counter)


def differences(path):
    """Reads the entries of differences.toml."""
    entries = [Difference(**entry) for entry in tomllib.loads(path.read_text()).get("difference", [])]
    for entry in entries:
        if entry.expected not in (WORDS[ACCEPT], WORDS[REFUSE]) or not entry.ours or not entry.cases:
            raise SystemExit(f"{path.name}: {entry.suite} {entry.cases}: expected is accept or refuse, ours and cases have members")
        if (entry.expected == WORDS[REFUSE]) != (entry.ours == [TRUSTED]):
            raise SystemExit(f"{path.name}: {entry.suite} {entry.cases}: only what a peer refuses has ours = [\"{TRUSTED}\"]")
    return entries


def text(der):
    """Encodes DER for a request."""
    return base64.b64encode(der).decode()


def pem_blocks(data, *labels):
    """Returns the DER of each PEM block with one of these labels, in order. Skips a block with invalid base64."""
    found = []
    for match in re.finditer(rb"-----BEGIN ([^-\n]+)-----[ \t\r]*\n(.*?)-----END \1-----", data, re.DOTALL):
        if match[1].decode() in labels:
            try:
                found.append(base64.b64decode(b"".join(match[2].split()), validate=True))
            except ValueError:
                continue
    return found


def ask(tool, cases, jobs=1):
    """Returns the command's answers in the order of the cases."""
    lines = "".join(json.dumps({**case.request, "id": case.name}, separators=(",", ":")) + "\n" for case in cases)
    done = subprocess.run([tool, "verify", "--batch", "--jobs", str(jobs)], input=lines, capture_output=True, text=True, timeout=900)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or [answer["id"] for answer in answers] != [case.name for case in cases]:
        raise SystemExit(f"the command ended with {done.returncode} after {len(answers)} of {len(cases)} answers: {done.stderr[-2000:]}")
    return answers


def codes(answer):
    """Returns the codes of an answer: `trusted` or the failures' codes, and `leftOut` if a certificate, CRL or OCSP response was unreadable."""
    if answer["verdict"] == TRUSTED:
        return [TRUSTED]
    found = {failure["code"] for failure in answer["failures"]}
    return sorted(found | ({LEFT_OUT} if any(" left out" in text for text in answer.get("warnings", [])) else set()))


def texts(answer):
    return [failure["message"] for failure in answer["failures"]] + answer.get("warnings", [])


def compare(suite, items, tool, entries, jobs=1):
    """Runs every case of a suite and sorts the answers."""
    cases = [item for item in items if isinstance(item, Case)]
    names = Counter(item.name for item in items)
    if twice := [name for name, count in names.items() if count > 1]:
        raise SystemExit(f"{suite}: names of several cases: {', '.join(twice[:5])}")
    report = Report(suite, asked=len(cases))
    report.not_asked.update(item.reason for item in items if isinstance(item, NotAsked))
    for case, answer in zip(cases, ask(tool, cases, jobs)):
        if case.expected is None:
            report.without_expectation += 1
        elif (answer["verdict"] == TRUSTED) == case.expected and (not case.expected or case.has(answer["path"])):
            report.agreeing += 1
        else:
            about = [entry for entry in entries if entry.is_about(suite, case, texts(answer))]
            ours = codes(answer) if (answer["verdict"] == TRUSTED) != case.expected else [OTHER_PATH]
            # Every code needs an entry, so that a known code doesn't hide another one.
            reasons = [next((entry for entry in about if code in entry.ours), None) for code in ours]
            report.differing.append((case, answer, reasons))
            if not ours or None in reasons:
                report.unexplained.append((case, answer))
                continue
            for entry in {id(entry): entry for entry in reasons}.values():
                entry.explained += 1
    return report


def show(report, entries, verbose=False):
    """Prints the comparison of a suite. With `verbose`, every case that differs has a line."""
    suite = report.suite
    print(f"\n{suite}: {report.asked} cases asked, {report.agreeing} agree, {len(report.differing)} differ, "
          f"{report.without_expectation} without an expectation, {sum(report.not_asked.values())} not asked, "
          f"{len(report.unexplained)} unexplained")
    for reason, count in sorted(report.not_asked.items(), key=lambda item: (-item[1], item[0])):
        print(f"  not asked {count:5}  {reason}")
    for entry in entries:
        if entry.suite == suite and entry.explained:
            verdict = "we accept" if entry.ours == [TRUSTED] else ", ".join(entry.ours)
            print(f"  differ    {entry.explained:5}  {verdict}: {entry.why} ({entry.source})")
    for case, answer, _ in report.differing if verbose else []:
        print(f"  {case.name}: {WORDS[case.expected]} expected, ours {', '.join(codes(answer))}")
    for case, answer in report.unexplained:
        print(f"  UNEXPLAINED {case.name}: {WORDS[case.expected]} expected{f' ({case.why})' if case.why else ''}, "
              f"ours {', '.join(codes(answer))}: {'; '.join(texts(answer))}")


def record(report, title):
    """Records the counts for Documentation/Generated/Assurance.md."""
    refused = sum(case.expected and answer["verdict"] != TRUSTED for case, answer, _ in report.differing)
    counts = {"cases": report.asked - report.without_expectation, "right": report.agreeing, "stricter": refused, "laxer": len(report.differing) - refused,
              "unasked": sum(report.not_asked.values()), "unexplained": len(report.unexplained)}
    tool = Path(__file__).resolve().parent.parent.parent / "Scripts/assurance"
    subprocess.run([tool, "--record", "suites", f"suite={title}", "verifier=this package",
                    *(f"{name}={count}" for name, count in counts.items())], check=True)
