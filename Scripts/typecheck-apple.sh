#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Type-checks the code for Apple platforms (Sources/ServerTrust/Apple, Sources/ServerTrustURLSession/Apple) on Linux, against
# declared stubs of the symbols of the Security framework and of Foundation's URLSession that it uses (Tests/AppleStubs), and
# runs it over them once (Rehearsal, SessionRehearsal) with the real CoreFoundation that comes with Swift. Sources of apps against
# Apple's API alone (Tests/SecurityCompatibilityTests/Scenarios), which are compiled on Linux over SecurityCompatibility and run there, are
# type-checked against stubs of their own (SecurityForClients, FoundationNetworkingForClients), and names and types of both are compared
# (signatures.txt; WRITE_SIGNATURES=1 writes it from the stubs). What forwards messages
# (ForwardingSessionDelegate) needs Objective-C: it is parsed, no more. The stubs are ours: this finds what doesn't fit together, not what Apple has declared
# differently or does otherwise. So is the sample for Alamofire (Examples/Alamofire), against stubs of Alamofire's symbols, and the plugin
# for Xcode projects (Plugins/LintPins), against stubs of XcodeProjectPlugin and the toolchain's PackagePlugin.
#
#     Scripts/typecheck-apple.sh [--symbol-graphs FOLDER]
#
# With --symbol-graphs it also writes the symbol graphs of the two modules as Apple platforms see them, for Scripts/build-docs.sh.
#
# With the stub in sight `canImport(Security)` holds. That the code was compiled and not left out is proved by an app's code
# over it (Tests/AppleStubs/Client), which has to compile too. SCRATCH names another scratch path than .build. Exit code 0 if
# everything fits.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ "$(uname)" = Darwin ]; then
    echo "typecheck-apple: not needed here: swift build compiles this code against the real framework" >&2
    exit 0
fi

symbols=()
if [ "${1:-}" = --symbol-graphs ]; then
    graphs=${2:?typecheck-apple: --symbol-graphs needs a folder}
    mkdir -p "$graphs"
    # The documentation has no symbols of an earlier run.
    rm -f "$graphs"/*.symbols.json
    symbols=(-emit-symbol-graph -emit-symbol-graph-dir "$graphs" -symbol-graph-minimum-access-level public
        -symbol-graph-skip-synthesized-members)
fi
scratch=${SCRATCH:-.build}
swift build --scratch-path "$scratch" --target ServerTrustTesting >&2

# The flags that SwiftPM compiles ServerTrustTesting with, which is all that is built on here: the package's name (for `package`
# declarations) and the C modules below it. Its own -I is the folder of the built modules.
manifest=$scratch/debug.yaml
command=$(grep -F '"-module-name","ServerTrustTesting",' "$manifest" | head -n 1 || true)
package=$(grep -o '"-package-name","[^"]*"' <<<"$command" | head -n 1 | cut -d'"' -f4 || true)
if [ -z "$package" ]; then
    echo "typecheck-apple: error: no command for ServerTrustTesting in $manifest, expected the manifest of SwiftPM's native build" >&2
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The ServerTrust that is compiled here comes before the one that SwiftPM has compiled.
flags=(-swift-version 6 -warnings-as-errors -package-name "$package" -parse-as-library -DSWIFT_PACKAGE -DDEBUG
    -module-cache-path "$work/cache" -I "$work" -I "$scratch/debug/Modules")
while IFS= read -r map; do
    flags+=(-Xcc "-fmodule-map-file=$map" -Xcc -I -Xcc "$(dirname "$map")")
done < <(grep -o '"-fmodule-map-file=[^"]*"' <<<"$command" | cut -d= -f2 | tr -d '"' | sort -u)

mapfile -t sources < <(find Sources/ServerTrust -name '*.swift' | sort)
mapfile -t session < <(find Sources/ServerTrustURLSession/Apple Sources/ServerTrustURLSession/Errors -name '*.swift' | sort)
apple=$(find Sources/ServerTrust/Apple -name '*.swift' | wc -l)
if [ "$apple" -eq 0 ]; then
    echo "typecheck-apple: error: no file in Sources/ServerTrust/Apple" >&2
    exit 1
fi

swiftc -swift-version 6 -warnings-as-errors -parse-as-library -module-cache-path "$work/cache" \
    -emit-module -emit-module-path "$work/Security.swiftmodule" -module-name Security \
    -c -wmo -o "$work/Security.o" Tests/AppleStubs/Security/*.swift
swiftc "${flags[@]}" "${symbols[@]}" -module-name ServerTrust -emit-module -emit-module-path "$work/ServerTrust.swiftmodule" \
    -c -wmo -o "$work/ServerTrust.o" "${sources[@]}"
swiftc "${flags[@]}" -module-name AppleClient -typecheck Tests/AppleStubs/Client/*.swift

# What ServerTrustTesting is made of, without the ServerTrust that SwiftPM has compiled: the Swift modules that its command waits
# for, theirs in turn, and the C modules of their commands, each in the build folder of its name.
targets=()
pending=(ServerTrustTesting)
while [ "${#pending[@]}" -gt 0 ]; do
    target=${pending[0]}
    pending=("${pending[@]:1}")
    [[ " ${targets[*]} " != *" $target "* ]] || continue
    targets+=("$target")
    rule=$(grep -A 6 "^  \"C\.$target-.*\.module\":" "$manifest" || true)
    while IFS= read -r name; do pending+=("$name"); done < <(
        { grep -o '/Modules/[^"/]*\.swiftmodule"' <<<"$(grep '^    inputs:' <<<"$rule")" | sed 's|.*/||; s|\.swiftmodule"||'
          grep -o '"-fmodule-map-file=[^"]*"' <<<"$rule" | sed 's|/include/module\.modulemap"||; s|\.build/module\.modulemap"||; s|.*/||'
        } | sort -u)
done
objects=()
for target in "${targets[@]}"; do
    [ "$target" != ServerTrust ] || continue
    while IFS= read -r object; do
        # A build folder keeps the objects of sources that have moved or gone.
        source=$(basename "$object" .o)
        [ ! -d "Sources/$target" ] || [[ $source != *.swift ]] || [ -n "$(find "Sources/$target" -name "$source")" ] || continue
        objects+=("$object")
    done < <(find -L "$scratch/debug/$target.build" -name '*.o' 2>/dev/null)
done
swiftc "${flags[@]}" -module-name Rehearsal -o "$work/rehearsal" Tests/AppleStubs/Rehearsal/*.swift \
    "$work/ServerTrust.o" "$work/Security.o" "${objects[@]}" -lstdc++
"$work/rehearsal"

# The delegate for URLSession: its own files and what they share with Linux, without FoundationNetworking's URLSession.
sessions=$(find Sources/ServerTrustURLSession/Apple -name '*.swift' | wc -l)
if [ "$sessions" -eq 0 ]; then
    echo "typecheck-apple: error: no file in Sources/ServerTrustURLSession/Apple" >&2
    exit 1
fi
swiftc "${flags[@]}" -module-name AppleURLSession -emit-module -emit-module-path "$work/AppleURLSession.swiftmodule" \
    -c -wmo -o "$work/AppleURLSession.o" Tests/AppleStubs/URLSession/*.swift
swiftc "${flags[@]}" "${symbols[@]}" -module-name ServerTrustURLSession -emit-module \
    -emit-module-path "$work/ServerTrustURLSession.swiftmodule" \
    -c -wmo -o "$work/ServerTrustURLSession.o" -DSERVERTRUST_APPLE_STUBS "${session[@]}"
swiftc "${flags[@]}" -module-name SessionRehearsal -o "$work/session-rehearsal" Tests/AppleStubs/SessionRehearsal/*.swift \
    "$work/ServerTrustURLSession.o" "$work/AppleURLSession.o" "$work/ServerTrust.o" "$work/Security.o" "${objects[@]}" \
    -lstdc++
"$work/session-rehearsal"

# The sample for Alamofire, over declared stubs of its symbols: the package itself needs Alamofire and an Apple platform.
swiftc "${flags[@]}" -module-name Alamofire -emit-module -emit-module-path "$work/Alamofire.swiftmodule" \
    Tests/AppleStubs/Alamofire/*.swift
swiftc "${flags[@]}" -module-name AlamofireServerTrust -typecheck Examples/Alamofire/Sources/AlamofireServerTrust/*.swift

# The plugin, with Xcode's module in sight.
plugins=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/pm/PluginAPI
plugin=(-swift-version 6 -warnings-as-errors -parse-as-library -module-cache-path "$work/cache" -I "$plugins" -I "$work"
    -package-description-version 6.2)
swiftc "${plugin[@]}" -module-name XcodeProjectPlugin -emit-module -emit-module-path "$work/XcodeProjectPlugin.swiftmodule" \
    Tests/AppleStubs/XcodeProjectPlugin/*.swift
swiftc "${plugin[@]}" -module-name LintPins -typecheck Plugins/LintPins/*.swift

# Sources of apps, without anything of this package in sight but the stubs.
clients=$work/clients
mkdir "$clients"
client=(-swift-version 6 -warnings-as-errors -parse-as-library -module-cache-path "$work/cache" -I "$clients")
for module in Security FoundationNetworking; do
    swiftc "${client[@]}" -module-name "$module" -emit-module -emit-module-path "$clients/$module.swiftmodule" \
        -c -wmo -o "$clients/$module.o" "Tests/AppleStubs/${module}ForClients"/*.swift
done
scenarios=(Tests/SecurityCompatibilityTests/Scenarios/*.swift)
swiftc "${client[@]}" -module-name Scenarios -typecheck "${scenarios[@]}"
echo '@main struct Print { static func main() { for line in signatures() { print(line) } } }' >"$clients/Print.swift"
swiftc "${client[@]}" -module-name Signatures -o "$clients/signatures" \
    "$clients/Print.swift" Tests/SecurityCompatibilityTests/Scenarios/Signatures.swift "$clients/Security.o"
signatures=Tests/AppleStubs/SecurityForClients/signatures.txt
[ -z "${WRITE_SIGNATURES:-}" ] || "$clients/signatures" >"$signatures"
"$clients/signatures" | diff "$signatures" - >&2 || {
    echo "typecheck-apple: error: $signatures differs from the stubs" >&2
    exit 1
}
echo "typecheck-apple: OK: ${#scenarios[@]} files of apps, $(wc -l <"$signatures") names with their types"
echo "typecheck-apple: OK: ${#sources[@]} files with $apple for Apple platforms, a client of theirs, and the rehearsal;" \
    "$sessions files for URLSession and their rehearsal; the sample for Alamofire; the plugin for Xcode"
