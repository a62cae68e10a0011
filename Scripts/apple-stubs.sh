# SPDX-License-Identifier: Apache-2.0
# Compiles code for Apple platforms on Linux, over the stubs of Tests/AppleStubs. Tests/External/apple and Scripts/apple-symbol-graphs
# read this file, in the folder of the package and with `set -euo pipefail`.
#
# Builds the modules below and sets
#   scratch, manifest   the build folder (SCRATCH, or .build) and SwiftPM's commands in it
#   work                a temporary folder that is removed at the end
#   flags               the flags of swiftc, which find the modules of `work` first
#   sources, session    the files of ServerTrust, and those of ServerTrustURLSession for Apple platforms
#   apple               the number of ServerTrust's files for Apple platforms
# shellcheck shell=bash disable=SC2034

scratch=${SCRATCH:-.build}
swift build --scratch-path "$scratch" --target ServerTrustTesting >&2

# The flags that SwiftPM compiles ServerTrustTesting with, which is all that is built on here: the package's name (for `package`
# declarations) and the C modules below it. Its own -I is the folder of the built modules.
manifest=$scratch/debug.yaml
command=$(grep -F '"-module-name","ServerTrustTesting",' "$manifest" | head -n 1 || true)
package=$(grep -o '"-package-name","[^"]*"' <<<"$command" | head -n 1 | cut -d'"' -f4 || true)
if [ -z "$package" ]; then
    echo "apple-stubs: error: no command for ServerTrustTesting in $manifest, expected the manifest of SwiftPM's native build" >&2
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
    echo "apple-stubs: error: no file in Sources/ServerTrust/Apple" >&2
    exit 1
fi
