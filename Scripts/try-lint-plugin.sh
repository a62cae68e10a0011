#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs `swift package lint-pins` on the package Examples/LintedApp as its developers would, and checks what comes of it: a finding with
# its place and a failure for the faulty file, none for the other one.
#
#     Scripts/try-lint-plugin.sh [--scratch-path PATH]
#
# The tool is built first, which takes minutes the first time.
set -euo pipefail

scratch=
while [ $# -gt 0 ]; do
    case $1 in
    --scratch-path) mkdir -p "${2:?"--scratch-path needs a path"}" && scratch=$(cd "$2" && pwd) && shift 2 ;;
    *) echo "try-lint-plugin: unknown option $1, expected --scratch-path" >&2 && exit 64 ;;
    esac
done

cd "$(dirname "${BASH_SOURCE[0]}")/../Examples/LintedApp"

# What is to be built is read anew: a scratch path that is shared holds the plan of another package.
lint=(swift package --disable-build-manifest-caching --scratch-path "${scratch:-.build}" lint-pins)
output=$(mktemp)
trap 'rm -f "$output"' EXIT
fail() { echo "try-lint-plugin: $*" >&2 && cat "$output" >&2 && exit 1; }

if "${lint[@]}" > "$output" 2>&1; then fail "the faulty package passes"; fi
grep -q "Sources/LintedApp/Info.plist:9: warning: .*\[pins/no-backup\]" "$output" || fail "the missing backup isn't found"
grep -q "Sources/LintedApp/Info.plist:9: warning: .*\[files/disagree\]" "$output" || fail "the disagreement isn't found"
"${lint[@]}" Sources/LintedApp/Android/network_security_config.xml > "$output" 2>&1 || fail "the clean file is refused"
if "${lint[@]}" --fail-within never > "$output" 2>&1; then fail "wrong usage passes"; fi
echo "try-lint-plugin: findings, a clean file and wrong usage, each as expected"
