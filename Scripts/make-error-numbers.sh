#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the articles about failure codes, their numbers on Apple platforms and the messages of other tools, from the output of
# `servertrust explain --list`.
#
#     Scripts/make-error-numbers.sh            # writes FailureCodes.md, ErrorNumbers.md, MessagesOfOtherTools.md in ServerTrust.docc
#     Scripts/make-error-numbers.sh --check    # exits with 1 if an article isn't up to date
#
# SERVERTRUST names an existing program. By default, the script builds it (SCRATCH is the build folder, by default .build).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-write}
case $mode in
write | --check) ;;
*) echo "make-error-numbers: unknown option $mode, expected --check or nothing" >&2 && exit 64 ;;
esac

articles=Sources/Trust/ServerTrust/ServerTrust.docc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=("${SERVERTRUST:-}")
[ -n "${program[0]}" ] || program=(swift run --scratch-path "${SCRATCH:-.build}" servertrust)
"${program[@]}" explain --list --format json > "$work/codes.json"

mkdir "$work/articles"
python3 - "$work/codes.json" > "$work/articles/ErrorNumbers.md" <<'PYTHON'
import json
import sys

codes = json.load(open(sys.argv[1], encoding="utf-8"))
assert codes and all(code["schemaVersion"] == 1 for code in codes)


def is_about_requests(code):
    """Returns whether the code is only the command's, not the library's: `verify --batch`, `--expires-within`."""
    return code["code"].startswith("request") or code["code"] in ("base64Malformed", "certificateExpiresSoon")


def cell(text):
    return text.replace("|", "\\|")


def constant(code, number, name):
    return f"{code[number]} `{code[name]}`"


def escaped(text):
    """Returns plain text as Markdown."""
    return "".join("\\" + character if character in "\\`*_<>[]#|" else character for character in text)


print("""# Error numbers

Every failure code with its severity, its meaning, and the corresponding Apple error numbers.

<!-- Written by Scripts/make-error-numbers.sh. Don't edit. -->

## Overview

A code is stable: its name and its meaning never change. Future versions may add codes. Use codes in programs. Messages are for
people and may change.

An exception can cover a *recoverable* failure (see <doc:AgreeingToExceptions>), but never a *fatal* one. *Undecided* means that the
evaluation reached no decision, so the server isn't trusted.

The table selects numbers **by meaning**: each is the constant whose documentation describes the failure. The numbers come from Apple's
headers and published sources. They weren't tested on an Apple platform. Apple's software often reports a less specific number:
``AppleErrorNumbers/asReported``. If there are several failures, Apple may name another one first:
``AppleErrorNumbers/namedByApple(among:)``.

In a program, `TrustFailure.Code.appleErrorNumbers` has the numbers of a code. On the command line, use `servertrust explain CODE`. For the
codes of a number, use ``AppleErrorNumbers/codes(forURLErrorCode:)`` and ``AppleErrorNumbers/codes(forOSStatus:)``. An evaluator's custom
code has the numbers of `evaluatorRefused`, or of a spent budget if its severity is *undecided*.

## Numbers

The most specific code comes first: if a path has several failures, the headline is the one higher in this table.

| Code | Severity | `URLError.Code` | Secure Transport | `SecTrustEvaluateWithError` |
| --- | --- | --- | --- | --- |""")
library = [code for code in codes if not is_about_requests(code)]
for code in library:
    print(
        f"| `{code['code']}` | {code['severity']} | {constant(code, 'urlError', 'urlErrorName')} "
        f"| {constant(code, 'secureTransportStatus', 'secureTransportName')} "
        f"| {constant(code, 'securityStatus', 'securityName')} |"
    )
print("""
## Meanings

Codes that begin with `strict` only occur with strict rules (`ValidationPolicy.isStrict`).
""")
for code in sorted(library, key=lambda code: code["code"].lower()):
    print(f"- term `{code['code']}`: {escaped(code['explanation'])} *Source: {escaped(code['source'].replace('; ', ', '))}.*")
PYTHON

python3 - "$work/codes.json" "$work/articles" <<'PYTHON'
import json
import pathlib
import re
import sys

codes = [
    code
    for code in json.load(open(sys.argv[1], encoding="utf-8"))
    if not code["code"].startswith("request") and code["code"] not in ("base64Malformed", "certificateExpiresSoon")
]
folder = pathlib.Path(sys.argv[2])


def markdown(text):
    """Returns text with commands in backquotes as Markdown: escapes everything except the commands."""
    parts = text.split("`")
    return "".join(
        f"`{part}`" if number % 2 else "".join("\\" + c if c in "\\*_<>[]#|" else c for c in part)
        for number, part in enumerate(parts)
    )


def cell(text):
    return text.replace("|", "\\|")


def listed(sources):
    return sources.replace("; ", ", ")


# MARK: FailureCodes.md

out = []
out.append("""# Failure codes

A guide to every failure code: its causes, how to fix the server, and the narrowest customization of trust.

<!-- Written by Scripts/make-error-numbers.sh. Don't edit. -->
<!-- Code and output: Examples/Sources/explain-snippets -->

## Overview

`servertrust explain CODE` prints the same guide for one code. `servertrust explain MESSAGE` and <doc:MessagesOfOtherTools> find the codes for
another tool's message. <doc:ErrorNumbers> lists Apple's numbers for each code.

Fix the server first. Only customize trust for a server that you can't fix. Each customization covers one failure at one host, or the servers
of one private CA. The last section contains the code.

Codes that begin with `strict` only occur with strict rules (`ValidationPolicy.isStrict`).
""")
snippets = {}
for code in sorted(codes, key=lambda code: code["code"].lower()):
    out.append(f"## {code['code']}\n")
    out.append(f"{markdown(code['meaning'])} *{code['severity'].capitalize()}. Source: {markdown(listed(code['source']))}.*\n")
    out.append(f"**Recognized by:** {markdown(code['sign'])}\n")
    if code["demonstration"]:
        out.append(f"**Seen by:** `{code['demonstration']}`\n")
    for title, key in (("Causes", "causes"), ("On the server", "serverRemedies"), ("Never", "never")):
        if key == "never":
            customization = code["customization"]
            if "snippet" in customization:
                snippets.setdefault(customization["snippet"], customization["swift"])
                out.append(
                    f"**In the client:** {markdown(customization['text'])} See `{customization['snippet']}` in "
                    "<doc:FailureCodes#Customizations>.\n"
                )
            else:
                out.append(f"**In the client:** no customization. {markdown(customization['noneBecause'])}\n")
        out.append(f"**{title}:**\n")
        out.extend(f"- {markdown(text)}" for text in code[key])
        out.append("")
out.append("## Customizations\n")
for name in sorted(snippets):
    out.append(f"### {name}\n\n```swift\n{snippets[name]}\n```\n")
(folder / "FailureCodes.md").write_text("\n".join(out).rstrip() + "\n", encoding="utf-8")

# MARK: MessagesOfOtherTools.md

tools = {}
for code in codes:
    for message in code["otherTools"]:
        rows = tools.setdefault(message["tool"], {})
        rows[tuple(message["forms"])] = message
out = []
out.append(f"""# Messages of other tools

The failure codes for the messages, constants and numbers of other tools.

<!-- Written by Scripts/make-error-numbers.sh. Don't edit. -->

## Overview

`servertrust explain MESSAGE` finds these messages, also in a log: {sum(map(len, tools.values()))} messages of {len(tools)} tools. If there are several codes, the
most likely one comes first. `servertrust check HOST` shows the right one. An ellipsis matches any words. <doc:FailureCodes> is the guide
to each code.
""")
for tool in sorted(tools, key=str.lower):
    rows = sorted(tools[tool].values(), key=lambda row: row["forms"][0].lower())
    out.append(f"## {tool}\n\n| Message | Codes |\n| --- | --- |")
    for row in rows:
        forms = [row["forms"][0]] + [form for form in row["forms"][1:] if re.fullmatch(r"[A-Z][A-Z0-9_a-z]+|-\d+|curl: \(\d+\)", form)]
        out.append(
            f"| {', '.join(f'`{cell(form)}`' for form in forms)} | {', '.join(f'`{name}`' for name in row['codes'])} |"
        )
    out.append("")
    notes = [row for row in rows if row["note"]]
    out.extend(f"- term `{row['forms'][0]}`: {markdown(row['note'])}" for row in notes)
    if notes:
        out.append("")
    out.append("Sources:\n")
    out.extend(f"- {source}" for source in sorted({markdown(row["source"]) for row in rows}))
    out.append("")
(folder / "MessagesOfOtherTools.md").write_text("\n".join(out).rstrip() + "\n", encoding="utf-8")
PYTHON

failures=0
for article in "$work"/articles/*.md; do
    name=$(basename "$article")
    if [ "$mode" != --check ]; then
        cp "$article" "$articles/$name"
    elif ! diff -u "$articles/$name" "$article" >&2; then
        echo "make-error-numbers: $articles/$name is out of date; run Scripts/make-error-numbers.sh" >&2
        failures=1
    fi
done
exit "$failures"
