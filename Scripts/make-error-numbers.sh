#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the articles about failure codes, their Apple error numbers and the messages of other tools. The data is the output of
# `servertrust explain --list`.
#
#     Scripts/make-error-numbers.sh            # writes FailureCodes.md, ErrorNumbers.md, MessagesOfOtherTools.md in ServerTrust.docc
#     Scripts/make-error-numbers.sh --check    # exits with 1 if an article differs from the generated one
#
# Set SERVERTRUST to use an existing program. Otherwise the script builds the package's (in SCRATCH, default .build).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Package.swift enables every trait of this package.
export SERVERTRUST_EVERYTHING=1

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

Look up the severity and meaning of every failure code, and its Apple error numbers.

<!-- Written by Scripts/make-error-numbers.sh. Don't edit. -->

## Overview

A code is stable: its name and its meaning never change. Future versions may add codes. Make decisions in your program by code, because messages
are for people and may change.

A user can agree to an exception for a *recoverable* failure (see <doc:AgreeingToExceptions>), but not for a *fatal* one. *Undecided* means that the
evaluation reached no decision, so the server isn't trusted either.

We chose the numbers **by meaning**: each is the constant whose documentation describes the failure. They come from Apple's headers and published
sources, and weren't tested on an Apple platform. In the same situation, Apple's software often reports a more general number:
``AppleErrorNumbers/asReported``. If there are several failures, Apple may name a different one first:
``AppleErrorNumbers/namedByApple(among:)``.

To get the numbers of a code, use `TrustFailure.Code.appleErrorNumbers` in your program or `servertrust explain CODE` in a terminal. To get the codes
behind a number, use ``AppleErrorNumbers/codes(forURLErrorCode:)`` and ``AppleErrorNumbers/codes(forOSStatus:)``. An evaluator's own code has the
numbers of `evaluatorRefused`, or of an exceeded budget if its severity is *undecided*.

## Numbers

The most specific codes come first. If a path has several failures, the highest one in this table is the headline.

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

Codes that begin with `strict` occur only if a policy asks for them (`ValidationPolicy.isStrict`).
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

Find the causes of every failure code, the fixes on the server, and the narrowest customization of trust.

<!-- Written by Scripts/make-error-numbers.sh. Don't edit. -->
<!-- Code and output: Examples/Sources/explain-snippets -->

## Overview

`servertrust explain CODE` prints the same guide to one code. To find the codes behind another tool's message, run `servertrust explain MESSAGE` or see
<doc:MessagesOfOtherTools>. <doc:ErrorNumbers> lists Apple's numbers for each code.

Fix the server first. Use a customization of trust only for a server that you can't fix. Each customization covers one failure at one host, or the
servers of one private CA. You find the code in the last section.

Codes that begin with `strict` occur only if a policy asks for them (`ValidationPolicy.isStrict`).
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

Find the failure codes behind the messages, constants and numbers of other tools.

<!-- Written by Scripts/make-error-numbers.sh. Don't edit. -->

## Overview

`servertrust explain MESSAGE` finds these messages, even inside a log. The table has {sum(map(len, tools.values()))} messages of {len(tools)} tools. If a message has several codes, the
likeliest comes first, and `servertrust check HOST` tells you which one applies. An ellipsis matches any words. For the guide to each code, see
<doc:FailureCodes>.
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
