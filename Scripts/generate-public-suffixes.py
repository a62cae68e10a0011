#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes Sources/Engine/PKIX/Names/PublicSuffixData.swift from a public_suffix_list.dat.

    Scripts/generate-public-suffixes.py [public_suffix_list.dat] [--output FILE]

The list is published at https://publicsuffix.org/list/, which also describes its format under "Format". Without an
argument, the script reads the copy of Debian's package `publicsuffix`. It needs the Python package `idna`.

The output depends only on the list: the same list gives the same bytes.
"""

import argparse
import datetime
import pathlib
import re
import sys

import idna

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "Sources/Engine/PKIX/Names/PublicSuffixData.swift"
DEBIAN = pathlib.Path("/usr/share/publicsuffix/public_suffix_list.dat")

# The bits of `PublicSuffixList.Marks`. An entry starts with the character 0x40 + bits.
RULE = {"ICANN": 1, "PRIVATE": 2}
WILDCARD = {"ICANN": 4, "PRIVATE": 8}
EXCEPTION = 16
BASE = 0x40

# Wide lines keep the file short. Each name length begins a new line, so that a new name only moves a part of the list.
WIDTH = 400


def main():
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("list", nargs="?", type=pathlib.Path, default=DEBIAN, help=f"default: {DEBIAN}")
    arguments.add_argument("--output", type=pathlib.Path, default=OUTPUT, help=f"default: {OUTPUT}")
    options = arguments.parse_args()

    text = options.list.read_text(encoding="utf-8")
    entries, rules = parse(text)
    version = header(text, "VERSION")
    if version is None:
        # Older lists have no VERSION line, but distributions keep the time stamp of the packaged file.
        time = datetime.datetime.fromtimestamp(options.list.stat().st_mtime, datetime.timezone.utc)
        version = time.strftime("%Y-%m-%d_%H-%M-%S_UTC")
    options.output.write_text(render(entries, rules, version, header(text, "COMMIT") or "not stated"), encoding="utf-8")
    size = sum(len(name) + 2 for name in entries)
    print(f"{options.output}: list of {version}, {rules} rules, {len(entries)} names, {size} bytes", file=sys.stderr)


def parse(text):
    """Returns the marks of every name and of all its parents, and the number of rules."""
    entries = {}
    seen = set()
    section = None
    for number, line in enumerate(text.splitlines(), 1):
        if marker := re.fullmatch(r"// ===(BEGIN|END) (ICANN|PRIVATE) DOMAINS===", line.strip()):
            section = marker[2] if marker[1] == "BEGIN" else None
            continue
        # "Each line is only read up to the first whitespace."
        rule = line.split(maxsplit=1)[0] if line.strip() else "//"
        if rule.startswith("//"):
            continue
        if section is None:
            fail(number, f"{rule} is in neither section")
        if (rule, section) in seen:
            fail(number, f"{rule} occurs twice")
        seen.add((rule, section))

        name, mark = rule, RULE[section]
        if rule.startswith("!"):
            name, mark = rule[1:], EXCEPTION
            if "." not in name:
                fail(number, f"{rule} would leave a suffix without labels")
        elif rule.startswith("*."):
            name, mark = rule[2:], WILDCARD[section]
        labels = [a_label(label, number) for label in name.split(".")]
        name = ".".join(labels)
        entries[name] = entries.get(name, 0) | mark
        # The look-up descends from the top-level domain and stops at the first name that isn't in the list.
        for start in range(1, len(labels)):
            entries.setdefault(".".join(labels[start:]), 0)
    if len(seen) < 5000 or {section for _, section in seen} != {"ICANN", "PRIVATE"}:
        sys.exit("the list isn't complete")
    return entries, len(seen)


def a_label(label, number):
    if not label.isascii():
        try:
            label = idna.encode(label, uts46=True, transitional=False).decode("ascii")
        except idna.IDNAError as error:
            fail(number, f"{label}: {error}")
    # The format allows a wildcard inside a rule, but no list has used it, and the look-up doesn't support it.
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", label):
        fail(number, f"{label!r} isn't a lowercase A-label")
    return label


def header(text, field):
    found = re.search(rf"^// {field}: (\S+)$", text.partition("===BEGIN")[0], re.MULTILINE)
    return found and found[1]


def render(entries, rules, version, commit):
    names = sorted(entries, key=lambda name: (len(name), name))
    # starts[n] is the offset of the entries for names of n bytes. The last element is the end of the last entries.
    starts = [0, 0]
    text = ""
    for length in range(1, len(names[-1]) + 1):
        text += wide([chr(BASE + entries[name]) + name for name in names if len(name) == length])
        starts.append(len(text))
    if starts[-1] != sum(len(name) + 2 for name in names) or starts[-1] > 999_999:
        sys.exit("the entries don't match the table of their starts")
    table = wide([f"{start:06}" for start in starts])
    return f'''\
// SPDX-License-Identifier: MPL-2.0

// This Source Code Form is subject to the terms of the Mozilla Public
// License, v. 2.0. If a copy of the MPL was not distributed with this
// file, You can obtain one at https://mozilla.org/MPL/2.0/.
//
// Generated by Scripts/generate-public-suffixes.py. Don't edit this file. Run the script on a newer list instead.
//
// The Public Suffix List (https://publicsuffix.org/list/) with rules in A-labels and one entry per name.
// VERSION: {version}
// COMMIT: {commit}
//
// swift-format-ignore-file

/// The Public Suffix List in the form that ``PublicSuffixList`` reads.
enum PublicSuffixData {{
    /// The date in the list's `VERSION` line.
    static let date = "{version[:10]}"

    /// The number of rules in the list, including both sections and all kinds.
    static let ruleCount = {rules}

    /// The length in bytes of the longest name in ``entries``.
    static let longestName = {len(names[-1])}

    /// The offsets in ``entries`` where the names of 0, 1, … bytes start, and where the last names end. Each offset has
    /// six digits and a space or line feed.
    static let starts: StaticString = """
{table}
"""

    /// The names and their rules. An entry consists of a character with marks (0x40 + `PublicSuffixList.Marks`), the name
    /// in lowercase, and a space or line feed. Shorter names come first. Names of the same length have entries of the
    /// same length and are sorted by their bytes. Every parent of a name also has an entry.
    ///
    /// `@` only the parent of a rule, `A` rule, `B` private rule, `D` wildcard below, `H` private wildcard below,
    /// `P` exception.
    static let entries: StaticString = """
{text}
"""
}}
'''


def wide(words):
    """Joins words of one length, each followed by a space, or by a line feed when WIDTH bytes are full and at the end."""
    count = WIDTH // (len(words[0]) + 1) if words else 1
    return "".join(" ".join(words[first : first + count]) + "\n" for first in range(0, len(words), count))


def fail(number, message):
    sys.exit(f"line {number}: {message}")


if __name__ == "__main__":
    main()
