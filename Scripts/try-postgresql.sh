#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the example `postgresql` against Debian's PostgreSQL: a server with a certificate of a CA that `servertrust ca` makes, one that is held
# against another CA, and one without TLS.
#
#     Scripts/try-postgresql.sh [--scratch-path PATH]
#
# Needs PostgreSQL's programs, and an account beside root's where it runs as root: `postgres`, which the package makes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$PWD/.build
[ "${1:-}" != --scratch-path ] || scratch=$(cd "${2:?"--scratch-path needs a path"}" && pwd)
fail() { echo "try-postgresql: $*" >&2 && exit 1; }

programs=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$programs" ] || fail "PostgreSQL is missing"
# The server refuses to run as root.
as() { if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

swift build --disable-build-manifest-caching --scratch-path "$scratch" --product servertrust
swift build --disable-build-manifest-caching --package-path Examples --scratch-path "$scratch" --product postgresql
binaries=$(swift build --scratch-path "$scratch" --show-bin-path)

work=$(mktemp -d)
stop() { as "$programs/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true; }
trap 'stop; rm -rf "$work"' EXIT
for ca in ca other; do "$binaries/servertrust" ca init --permit example.com --folder "$work/$ca" >/dev/null 2>&1; done
"$binaries/servertrust" ca issue db.example.com --folder "$work/ca" >/dev/null
echo secret >"$work/password"
[ "$(id -u)" -ne 0 ] || chown -R postgres "$work"
chmod 755 "$work"
as "$programs/initdb" -D "$work/data" -U app --auth=scram-sha-256 --pwfile="$work/password" >/dev/null
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
start() {
    stop
    as "$programs/pg_ctl" -D "$work/data" -w -l "$work/log" -o "-p $port -k $work -h 127.0.0.1 $*" start >/dev/null ||
        { cat "$work/log" >&2 && fail "the server doesn't start"; }
}

# The expected line, and the CA.
try() {
    local found
    found=$("$binaries/postgresql" db.example.com "$port" "$2" 127.0.0.1)
    [ "$found" = "$1" ] || fail "\"$found\", expected \"$1\""
    echo "try-postgresql: $found"
}

tls="-c ssl=on -c ssl_cert_file=$work/ca/issued/db.example.com.pem -c ssl_key_file=$work/ca/issued/db.example.com.key"
start "$tls"
try "trusted; the server asks for SCRAM" "$work/ca/root.pem"
: >"$work/log"
try "refused: unknownIssuer" "$work/other/root.pem"
grep -q "could not accept SSL connection" "$work/log" || fail "the refused server saw more than a handshake that was broken off"
start "-c ssl=off"
try "no verdict: handshakeFailed" "$work/ca/root.pem"
