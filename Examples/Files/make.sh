#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the files of this folder anew: a root, and the chain of a server below it. Their keys are thrown away. Needs
# OpenSSL 3. Examples whose certificates have to be in files use them: the root stands for those of the system.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/ca.conf" <<'CONF'
[ca]
default_ca = any
[any]
database = $ENV::WORK/index.txt
new_certs_dir = $ENV::WORK
rand_serial = yes
default_md = sha256
policy = anything
unique_subject = no
[anything]
organizationName = optional
commonName = optional
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[intermediate]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[leaf]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:www.example.com
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
CONF
export WORK=$work
: > "$work/index.txt"

# NAME SUBJECT ISSUER END
issue() {
    openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/$1.key" 2>/dev/null
    openssl req -new -config /dev/null -subj "$2" -key "$work/$1.key" -out "$work/$1.csr"
    local issuer=(-cert "$work/$3.crt" -keyfile "$work/$3.key")
    [ "$1" = "$3" ] && issuer=(-selfsign -keyfile "$work/$3.key")
    openssl ca -batch -notext -config "$work/ca.conf" -extensions "$1" "${issuer[@]}" -in "$work/$1.csr" \
        -startdate 20260101000000Z -enddate "$4" -out "$work/$1.crt" 2>/dev/null
}
issue root "/O=Example/CN=Example Public Root" root 20491231235959Z
issue intermediate "/O=Example/CN=Example Public CA 1" root 20481231235959Z
issue leaf "/CN=www.example.com" intermediate 20471231235959Z

cp "$work/root.crt" public-roots.pem
cat "$work/leaf.crt" "$work/intermediate.crt" > public-chain.pem
