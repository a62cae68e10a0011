#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation of the libraries with DocC; a warning is an error.
#
#     Scripts/build-docs.sh [OUTPUT]
#
# writes OUTPUT/PKIX.doccarchive and its like for the other libraries, into a temporary folder unless one is named. Before that it
# checks that the code and the output that articles show are those of the examples. SCRATCH is the build folder, .build unless
# set.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

modules=(PKIX ServerTrust ServerTrustFetching ServerTrustCache ServerTrustObservability ServerTrustNIO ServerTrustWebSocket
    ServerTrustGRPC ServerTrustHTTP ServerTrustLifecycle SecurityCompatibility ServerTrustURLSession ServerTrustTesting ServerTrustLab
    PinModel PinFormats PinUpdates PinLint TrustReports)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
output=${1:-$work/documentation}

# An article that names its example in a comment shows lines of it, indented in whatever way, and lines of its expected output.
python3 - <<'PYTHON'
import pathlib
import re
import sys

examples = pathlib.Path("Examples")
problems = []
shown = set()


def lines(text):
    return [line.strip() for line in text.strip("\n").split("\n")]


def contains(whole, part):
    return any(whole[start : start + len(part)] == part for start in range(len(whole) - len(part) + 1))


for article in sorted(pathlib.Path("Sources").glob("*/*.docc/*.md")):
    text = article.read_text(encoding="utf-8")
    named = re.search(r"^<!-- Code and output: Examples/((?:gRPC/)?Sources)/([a-z-]+) -->$", text, re.MULTILINE)
    if named is None:
        continue
    name = named[2]
    shown.add(name)
    sources = sorted((examples / named[1] / name).glob("*.swift"))
    code = [line for source in sources for line in lines(source.read_text(encoding="utf-8"))]
    expected = examples / "Expected" / f"{name}.txt"
    printed = lines(expected.read_text(encoding="utf-8")) if expected.exists() else []
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        whole = {"swift": code, "": printed}.get(language)
        if whole is not None and not contains(whole, lines(block)):
            what = "code" if language else "output"
            problems.append(f"{article}: {what} that is not in the example {name}:\n{block}")
for folder in sorted((examples / "Sources").iterdir()):
    if folder.is_dir() and folder.name not in shown:
        problems.append(f"{folder}: no article shows this example")
for problem in problems:
    print(f"build-docs: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
PYTHON

docc=$(command -v docc || true)
[ -n "$docc" ] || docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc

# What is left of an earlier run must not stand in for what fails now.
binaries=$(swift build --scratch-path "${SCRATCH:-.build}" --show-bin-path)
graphs=$(dirname "$binaries")/symbolgraph
rm -rf "$graphs"
# The package's tests have symbol graphs of which nothing is needed, and which can't be had unless the tests are built; so
# it is the files that count.
swift package --scratch-path "${SCRATCH:-.build}" dump-symbol-graph --minimum-access-level public \
    --skip-synthesized-members > "$work/log" 2>&1 || true

for module in "${modules[@]}"; do
    mkdir -p "$work/$module" "$output"
    # The module's own symbols, and those that it adds to other modules (ServerTrust@PKIX).
    cp "$graphs/$module.symbols.json" "$work/$module" 2>/dev/null || {
        cat "$work/log" >&2
        echo "build-docs: no symbol graph of $module" >&2
        exit 1
    }
    cp "$graphs/$module"@*.symbols.json "$work/$module" 2>/dev/null || true
    "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$work/$module" \
        --output-path "$output/$module.doccarchive" --fallback-bundle-identifier "swift-server-trust.$module" \
        --fallback-display-name "$module" --warnings-as-errors
done
echo "build-docs: ${modules[*]}, no warnings"
