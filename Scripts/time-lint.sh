#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How long `servertrust lint` takes for 10,000 domains with two pins each, in OkHttp's lines and in Android's XML. Offline.
#
#     swift build -c release --product servertrust && Scripts/time-lint.sh [TOOL]
#
# Only a release build says anything about users.
set -euo pipefail
tool=${1:-$(dirname "${BASH_SOURCE[0]}")/../.build/release/servertrust}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk 'BEGIN { for (i = 0; i < 10000; i++) printf "host%d.example.com sha256/%042dA= sha256/1%041dA=\n", i, i, i }' \
    > "$folder/pins.txt"
awk 'BEGIN {
    print "<network-security-config>"
    for (i = 0; i < 10000; i++)
        printf "<domain-config><domain includeSubdomains=\"false\">host%d.example.com</domain><pin-set>" \
            "<pin digest=\"SHA-256\">%042dA=</pin><pin digest=\"SHA-256\">1%041dA=</pin></pin-set></domain-config>\n", i, i, i
    print "</network-security-config>" }' > "$folder/network_security_config.xml"

for file in pins.txt network_security_config.xml; do
    echo "$file: $(wc -c < "$folder/$file") bytes"
    time "$tool" lint "$folder/$file" | tail -1
done
