#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation with DocC as one site for all libraries. A warning is an error.
#
#     Scripts/build-docs.sh [--hosting-base-path PATH] [--apple-symbols FOLDER | --same-symbols] [OUTPUT]
#
# Writes the site for any web server into OUTPUT (default: a temporary folder). PATH is the path of the site on its host, such as /docs
# (default: /). Each library has its symbols on Linux and on Apple platforms. Tests/External/apple reads the latter with its stubs. The
# script runs that check unless FOLDER contains the output of `Tests/External/apple --symbol-graphs FOLDER`. --same-symbols reuses all
# symbols of the previous run, if you only changed articles. The demonstration of `servertrust lab demo --html` is below /demo.
# SCRATCH is the build folder (default: .build). To view the site at http://localhost:8000:
#
#     python3 -m http.server --directory OUTPUT
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Package.swift enables every trait of this package.
export SERVERTRUST_EVERYTHING=1

base=/
same=
symbols=
output=
while [ "$#" -gt 0 ]; do
    case $1 in
        --hosting-base-path) base=/${2:?build-docs: --hosting-base-path needs a path}/ base=${base//\/\//\/} && shift ;;
        --same-symbols) same=yes ;;
        --apple-symbols) symbols=${2:?build-docs: --apple-symbols needs a folder} && shift ;;
        -*) echo "build-docs: no such option: $1" >&2 && exit 64 ;;
        *) output=$1 ;;
    esac
    shift
done
scratch=${SCRATCH:-.build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
site=${output:-$work/site}
# Only replaces a site of an earlier run.
if [ -e "$site" ] && [ ! -e "$site/linkable-entities.json" ] && [ -n "$(ls -A "$site")" ]; then
    echo "build-docs: $site exists, but isn't a site of an earlier run" >&2
    exit 1
fi

docc=$(command -v docc || true)
[ -n "$docc" ] || docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc

mapfile -t flags < <(Scripts/test --flags)
binaries=$(swift build --scratch-path "$scratch" "${flags[@]}" --show-bin-path)
graphs=$(dirname "$binaries")/symbolgraph-site
apple=$(dirname "$binaries")/symbolgraph-apple
if [ -z "$same" ]; then
    # Removes files of an earlier run, so that they can't hide a failure.
    rm -rf "$graphs" "$apple"
    swift build --scratch-path "$scratch" "${flags[@]}" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
    Scripts/documentation_site.py graphs "$scratch" "$graphs"
    if [ -n "$symbols" ]; then
        mkdir "$apple"
        cp "$symbols"/*.symbols.json "$apple"
    else
        SCRATCH=$scratch Tests/External/apple --symbol-graphs "$apple" >"$work/apple.log" 2>&1 || {
            cat "$work/apple.log" >&2
            echo "build-docs: the code for Apple platforms has errors, so there are no symbol graphs" >&2
            exit 1
        }
    fi
fi

archives=()
dependencies=()
convert() {
    "$docc" convert "${@:3}" --output-path "$work/$1.doccarchive" --fallback-bundle-identifier "$2" --fallback-display-name "${2##*.}" \
        --hosting-base-path "$base" --enable-experimental-external-link-support \
        --warnings-as-errors "${dependencies[@]}" >"$work/$1.log" 2>&1 || {
        cat "$work/$1.log" >&2
        echo "build-docs: $1 has warnings" >&2
        exit 1
    }
    archives+=("$work/$1.doccarchive")
    dependencies+=(--dependency "$work/$1.doccarchive")
}
# Lowest layer first, because libraries link to lower libraries.
mapfile -t modules < <(Scripts/documentation_site.py modules)
for module in "${modules[@]}"; do
    mkdir -p "$work/graphs/$module"
    # The module's own symbols, and its extensions of other modules (ServerTrust@PKIX).
    cp "$graphs/$module.symbols.json" "$work/graphs/$module"
    cp "$graphs/$module"@*.symbols.json "$work/graphs/$module" 2>/dev/null || true
    sources=(Sources/*/"$module")
    if [ -d "${sources[0]}/Apple" ]; then
        Scripts/documentation_site.py apple "$module" "$apple" "$graphs" "$work/graphs/$module/apple"
    fi
    catalogue=()
    [ ! -d "${sources[0]}/$module.docc" ] || catalogue=("${sources[0]}/$module.docc")
    convert "$module" "swift-server-trust.$module" "${catalogue[@]}" --additional-symbol-graph-dir "$work/graphs/$module"
done
cp -R Documentation/Site.docc "$work/Site.docc"
convert swift-server-trust swift-server-trust "$work/Site.docc"

"$docc" merge "${archives[@]}" --output-path "$work/merged"
Scripts/documentation_site.py finish "$work/merged" "$base"
"$binaries/servertrust" lab demo --html "$work/merged/demo" >"$work/demo.log" 2>&1 || {
    cat "$work/demo.log" >&2
    exit 1
}
Scripts/check-docs --site "$work/merged" --hosting-base-path "$base"
rm -rf "$site"
mkdir -p "$(dirname "$site")"
mv "$work/merged" "$site"
echo "build-docs: one site of ${#modules[@]} libraries, no warnings"
