#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Signs a pin list with keys in a PKCS #11 token that they can't leave, SoftHSM's with OpenSC's pkcs11-tool: P-256 as a digest (ECDSA), and
# Ed25519 (EDDSA). `servertrust pins prepare` writes the bytes, `pins attach` adds the signature, `pins verify` decides.
#
#     Scripts/try-pkcs11.sh [--tool PATH]        .build/debug/servertrust unless told
#
# Needs softhsm2 and opensc; SOFTHSM2_MODULE names the library of a SoftHSM elsewhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tool=$PWD/.build/debug/servertrust
[ "${1:-}" != --tool ] || tool=${2:?"--tool needs a path"}
fail() { echo "try-pkcs11: $*" >&2 && exit 1; }

module=${SOFTHSM2_MODULE:-}
for candidate in /usr/lib/*/softhsm/libsofthsm2.so /usr/lib/softhsm/libsofthsm2.so; do
    [ -n "$module" ] || [ ! -e "$candidate" ] || module=$candidate
done
if [ -z "$module" ]; then fail "SoftHSM is missing (softhsm2)"; fi
for program in softhsm2-util pkcs11-tool openssl; do
    command -v "$program" >/dev/null || fail "$program is missing"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tokens"
export SOFTHSM2_CONF=$work/softhsm2.conf
printf 'directories.tokendir = %s\nlog.level = ERROR\n' "$work/tokens" >"$SOFTHSM2_CONF"
softhsm2-util --module "$module" --init-token --free --label lists --so-pin 1234 --pin 1234 >/dev/null
token=(pkcs11-tool --module "$module" --token-label lists --login --pin 1234)

# P-256: made in the token, which gives its public key alone.
"${token[@]}" --keypairgen --key-type EC:prime256v1 --id 01 --label p256 >/dev/null
"${token[@]}" --read-object --type pubkey --id 01 --output-file "$work/p256.der" >/dev/null
openssl pkey -pubin -inform DER -in "$work/p256.der" -out "$work/p256.pub"
# Ed25519: pkcs11-tool doesn't export its public key everywhere, so it is made outside and brought in.
openssl genpkey -algorithm ed25519 -out "$work/ed25519.key"
openssl pkey -in "$work/ed25519.key" -pubout -out "$work/ed25519.pub"
softhsm2-util --module "$module" --import "$work/ed25519.key" --token lists --label ed25519 --id 02 --pin 1234 >/dev/null
rm "$work/ed25519.key"

pin() { printf '"key":"sha256/%s","scope":"anywhere"' "$(printf %s "$1" | openssl dgst -sha256 -binary | base64)"; }
cat >"$work/pins.json" <<JSON
{"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"enforced",
"hosts":["example.com"],"pins":[{$(pin one),"role":"inUse"}]}]}
JSON

# sign NAME OPTION…: a list that the key NAME.pub alone may sign, signed in the token by the mechanism of the options.
sign() {
    local name=$1 digest=()
    shift
    [ "$name" != p256 ] || digest=(--digest)
    "$tool" pins sign "$work/pins.json" --partial --audience com.example.app --sequence 1 --expires 2126-01-01 \
        --next-key "$work/$name.pub" --output "$work/$name.part" 2>/dev/null
    # The bytes are few, so that they are signed in one part, as EDDSA has it.
    "$tool" pins prepare "$work/$name.part" --key "$work/$name.pub" "${digest[@]}" --output "$work/$name.input"
    "${token[@]}" --sign "$@" --input-file "$work/$name.input" --output-file "$work/$name.signature" >/dev/null 2>&1 ||
        fail "the token doesn't sign with $name"
    "$tool" pins attach "$work/$name.part" --key "$work/$name.pub" --signature "$work/$name.signature" --output "$work/$name.json"
    "$tool" pins verify "$work/$name.json" --key "$work/$name.pub" --audience com.example.app
}
sign p256 --mechanism ECDSA --id 01
sign ed25519 --mechanism EDDSA --id 02

# One token's signature is not the other's.
status=0
"$tool" pins attach "$work/ed25519.part" --key "$work/ed25519.pub" --signature "$work/p256.signature" --output "$work/no.json" 2>/dev/null ||
    status=$?
[ "$status" -eq 1 ] || fail "a signature by another key ended with $status, expected 1"
[ ! -e "$work/no.json" ] || fail "a list with a signature by another key was written"
echo "try-pkcs11: a P-256 and an Ed25519 key in a token have signed lists"
