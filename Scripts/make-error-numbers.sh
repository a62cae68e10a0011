#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the article with every failure code and its numbers on Apple, from what `servertrust explain --list` says.
#
#     Scripts/make-error-numbers.sh            # writes Sources/ServerTrust/ServerTrust.docc/ErrorNumbers.md
#     Scripts/make-error-numbers.sh --check    # exits with 1 if the article is not what it would write
#
# SERVERTRUST names a program that is there already; otherwise the package's is built (SCRATCH, .build unless set).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-write}
case $mode in
write | --check) ;;
*) echo "make-error-numbers: unknown option $mode, expected --check or nothing" >&2 && exit 64 ;;
esac

article=Sources/ServerTrust/ServerTrust.docc/ErrorNumbers.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=("${SERVERTRUST:-}")
[ -n "${program[0]}" ] || program=(swift run --scratch-path "${SCRATCH:-.build}" servertrust)
"${program[@]}" explain --list --format json > "$work/codes.json"

python3 - "$work/codes.json" > "$work/article.md" <<'PYTHON'
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

Programs get the numbers of a code from `TrustFailure.Code.appleErrorNumbers`, people from `servertrust explain CODE`. An evaluator's own
code has the numbers of `evaluatorRefused`, or of a spent budget if its severity is *undecided*.

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

Codes that begin with `strict` are found only where a policy asks for them (`ValidationPolicy.isStrict`).
""")
for code in sorted(library, key=lambda code: code["code"].lower()):
    print(f"- term `{code['code']}`: {escaped(code['explanation'])} *Source: {escaped(code['source'])}.*")
PYTHON

if [ "$mode" = --check ]; then
    diff -u "$article" "$work/article.md" >&2 || {
        echo "make-error-numbers: $article is out of date; run Scripts/make-error-numbers.sh" >&2
        exit 1
    }
else
    cp "$work/article.md" "$article"
fi
