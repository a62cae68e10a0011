#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the articles about failure codes, their numbers on Apple and the messages of other tools, from what `servertrust explain --list`
# says.
#
#     Scripts/make-error-numbers.sh            # writes FailureCodes.md, ErrorNumbers.md, MessagesOfOtherTools.md in ServerTrust.docc
#     Scripts/make-error-numbers.sh --check    # exits with 1 if an article is not what it would write
#
# SERVERTRUST names a program that is there already; otherwise the package's is built (SCRATCH, .build unless set).
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
    """Codes of the command, which the library doesn't have: `verify --batch`, `--expires-within`."""
    return code["code"].startswith("request") or code["code"] in ("base64Malformed", "certificateExpiresSoon")


def cell(text):
    return text.replace("|", "\\|")


def constant(code, number, name):
    return f"{code[number]} `{code[name]}`"


def escaped(text):
    """Plain text as Markdown."""
    return "".join("\\" + character if character in "\\`*_<>[]#|" else character for character in text)


print("""# Error numbers

Every failure code with its severity, what it means, and the numbers under which an Apple developer knows it.

<!-- Written by Scripts/make-error-numbers.sh. Don't edit. -->

## Overview

A code is stable: it is never renamed and never comes to mean something else. New ones may appear. Programs decide on codes;
messages are for people and may change.

*Recoverable* is what an exception can cover (see <doc:AgreeingToExceptions>), *fatal* is what nothing can, and *undecided* says that no
decision was reached, which is no trust either.

The numbers are chosen **by meaning**: each is the constant whose documentation describes the failure. They were read in Apple's
headers and published sources, and not run on an Apple platform. What Apple's software hands over in the same place is often
coarser: ``AppleErrorNumbers/asReported``. Of several failures Apple names another one first:
``AppleErrorNumbers/namedByApple(among:)``.

Programs get the numbers of a code from `TrustFailure.Code.appleErrorNumbers`, people from `servertrust explain CODE`, and the codes behind a
number from ``AppleErrorNumbers/codes(forURLErrorCode:)`` and ``AppleErrorNumbers/codes(forOSStatus:)``. An evaluator's own code has the numbers of `evaluatorRefused`, or of a spent budget if its severity is *undecided*.

## Numbers

Most specific first: of several failures of a path the one that stands higher is the headline.

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
## What they mean

Codes that begin with `strict` occur only if a policy asks for them (`ValidationPolicy.isStrict`).
""")
for code in sorted(library, key=lambda code: code["code"].lower()):
    print(f"- term `{code['code']}`: {escaped(code['explanation'])} *Source: {escaped(code['source'])}.*")
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
    """Text with commands between backquotes as Markdown: the commands stay, the rest is escaped."""
    parts = text.split("`")
    return "".join(
        f"`{part}`" if number % 2 else "".join("\\" + c if c in "\\*_<>[]#|" else c for c in part)
        for number, part in enumerate(parts)
    )


def cell(text):
    return text.replace("|", "\\|")


# MARK: FailureCodes.md

out = []
out.append("""# Failure codes

The guide to every failure code: its causes, the measures on the server, and the narrowest customization of trust.

<!-- Written by Scripts/make-error-numbers.sh. Don't edit. -->
<!-- Code and output: Examples/Sources/explain-snippets -->

## Overview

`servertrust explain CODE` prints the same for one code. `servertrust explain MESSAGE` finds the codes behind another tool's message, and so does
<doc:MessagesOfOtherTools>. <doc:ErrorNumbers> has Apple's numbers for each code.

Fix the server first. A customization of trust is for a server that you can't fix: each covers one failure at one host, or the servers of one
private CA, and its code is in the last section.

Codes that begin with `strict` occur only if a policy asks for them (`ValidationPolicy.isStrict`).
""")
snippets = {}
for code in sorted(codes, key=lambda code: code["code"].lower()):
    out.append(f"## {code['code']}\n")
    out.append(f"{markdown(code['meaning'])} *{code['severity'].capitalize()}; {markdown(code['source'])}.*\n")
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

The failure codes behind the messages, constants and numbers of other tools.

<!-- Written by Scripts/make-error-numbers.sh. Don't edit. -->

## Overview

`servertrust explain MESSAGE` finds them, with a log around them: {sum(map(len, tools.values()))} messages of {len(tools)} tools. Of several codes the
likeliest stands first; `servertrust check HOST` says which it is. An ellipsis stands for any words. The guide to each code is in
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
    out.append("Read in: " + "; ".join(sorted({markdown(row["source"]) for row in rows})) + ".\n")
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
