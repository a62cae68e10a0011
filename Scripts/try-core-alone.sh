#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a package that depends on this one with `traits: []` and uses ServerTrust and SecurityCompatibility alone, counts the packages
# that it resolves, and checks that nothing of swift-nio is compiled.
#
#     Scripts/try-core-alone.sh [--resolve-only] [--scratch-path PATH]
#
# Its build folder is .build/core-alone unless another is named, not the package's own: that one holds the adapters' dependencies, which
# are the point here. Exit code 0 if at most 6 packages are resolved and the program runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

limit=6
scratch=$PWD/.build/core-alone
build=true
while [ $# -gt 0 ]; do
    case $1 in
    --scratch-path) mkdir -p "${2:?"--scratch-path needs a path"}" && scratch=$(cd "$2" && pwd) && shift 2 ;;
    --resolve-only) build=false && shift ;;
    *) echo "try-core-alone: unknown option $1, expected --resolve-only or --scratch-path" >&2 && exit 64 ;;
    esac
done
fail() { echo "try-core-alone: $*" >&2 && exit 1; }

package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
mkdir -p "$package/Sources/CoreAlone"
cat >"$package/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CoreAlone",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "swift-server-trust", path: "$PWD", traits: [])],
    targets: [
        .executableTarget(
            name: "CoreAlone",
            dependencies: [
                .product(name: "SecurityCompatibility", package: "swift-server-trust"),
                .product(name: "ServerTrust", package: "swift-server-trust"),
            ])
    ]
)
SWIFT
cat >"$package/Sources/CoreAlone/main.swift" <<'SWIFT'
import Foundation
import ServerTrust

#if canImport(Security)
    import Security
#else
    import SecurityCompatibility
#endif

var items: CFArray?
let options = [kSecImportExportPassphrase as String: "none"] as CFDictionary
guard SecPKCS12Import(Data() as CFData, options, &items) == errSecDecode else { fatalError("no file was read") }
let trust = Trust(presentedChain: PresentedChain(der: []), host: try Hostname("api.example.com"))
print(trust.evaluate().isTrusted ? "trusted" : "not trusted")
SWIFT

swift package --package-path "$package" --scratch-path "$scratch" resolve >&2
resolved=$(python3 -c 'import json, sys; print(*sorted(pin["identity"] for pin in json.load(open(sys.argv[1]))["pins"]))' \
    "$package/Package.resolved")
count=$(wc -w <<<"$resolved")
echo "$count packages resolved: $resolved"
[ "$count" -le "$limit" ] || fail "$count packages are resolved, more than $limit"
$build || exit 0

swift build --package-path "$package" --scratch-path "$scratch" >&2
compiled=$(cd "$scratch/debug/Modules" && ls -- *.swiftmodule | sed 's/\.swiftmodule$//' | tr '\n' ' ')
echo "modules compiled: $compiled"
! grep -q NIO <<<"$compiled" || fail "something of swift-nio is compiled"
answer=$("$scratch/debug/CoreAlone")
[ "$answer" = "not trusted" ] || fail "the program prints \"$answer\""
