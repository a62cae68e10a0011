#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the examples, runs each and compares what it prints with Examples/Expected/NAME.txt, byte for byte.
#
#     Scripts/run-examples.sh [--scratch-path PATH] [--configuration debug|release] [--update]
#
# An example without expected output is a failure, and so is expected output without an example. The scratch path is the
# package's own unless it or SCRATCH says otherwise: what the package has compiled is not compiled again. --update writes the
# expected output anew.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=${SCRATCH:-.build}
configuration=release
update=0
while [ $# -gt 0 ]; do
    case $1 in
    --scratch-path) scratch=${2:?"--scratch-path needs a path"} && shift 2 ;;
    --configuration) configuration=${2:?"--configuration needs debug or release"} && shift 2 ;;
    --update) update=1 && shift ;;
    *) echo "run-examples: unknown option $1, expected --scratch-path, --configuration or --update" >&2 && exit 64 ;;
    esac
done

binaries=
for package in Examples Examples/gRPC Examples/HummingbirdProxy; do
    # What is to be built is read anew: the scratch path holds the plan of another package.
    build=(swift build --disable-build-manifest-caching --package-path "$package" --scratch-path "$scratch"
        -c "$configuration")
    "${build[@]}"
    # The same for all.
    binaries=$(cd "$("${build[@]}" --show-bin-path)" && pwd)
done

cd Examples
# The same system anchors on every machine.
export SSL_CERT_FILE=$PWD/Files/public-roots.pem
unset SSL_CERT_DIR

arguments() {
    case $1 in
    validate-chain) echo "Files/public-chain.pem www.example.com 2027-01-01" ;;
    custom-ca) echo "Files/public-chain.pem www.example.com" ;;
    esac
}

output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0
count=0
fail() { echo "run-examples: $*" >&2 && failures=$((failures + 1)); }

for folder in Sources/*/ gRPC/Sources/*/ HummingbirdProxy/Sources/*/; do
    name=$(basename "$folder")
    expected=Expected/$name.txt
    count=$((count + 1))
    status=0
    # shellcheck disable=SC2046 # words, without spaces in them
    "$binaries/$name" $(arguments "$name") > "$output" || status=$?
    [ "$status" -eq 0 ] || fail "$name: exit code $status, expected 0"
    if [ "$update" -eq 1 ]; then
        cat "$output" > "$expected"
    elif [ ! -e "$expected" ]; then
        fail "$name: Examples/$expected is missing"
    elif ! cmp -s "$expected" "$output"; then
        fail "$name: prints something else than Examples/$expected"
        diff -u "$expected" "$output" >&2 || true
    fi
done
for expected in Expected/*.txt; do
    name=$(basename "$expected" .txt)
    [ -d "Sources/$name" ] || [ -d "gRPC/Sources/$name" ] || [ -d "HummingbirdProxy/Sources/$name" ] || fail "Examples/$expected belongs to no example"
done

[ "$failures" -eq 0 ] || exit 1
echo "run-examples: $count examples, every output as expected"
