#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the benchmarks and runs them; see README.md. Arguments are handed on.
#
#     Benchmarks/run.sh [--filter p256]… [--rounds 60] [--count 1000000] [--json]
#
#     JOBS=1 Benchmarks/run.sh …           build with so many jobs
#     SCRATCH=/tmp/x Benchmarks/run.sh …   build there instead of in Benchmarks/.build
#
# Exit status: 0 whatever was measured, 1 a contender answered wrongly, 2 the benchmarks did not build.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

build=(-c release --product servertrust-benchmarks)
[[ -n ${JOBS-} ]] && build+=(-j "$JOBS")
# What is to be built is read anew: a scratch path that is shared holds the plan of another package.
[[ -n ${SCRATCH-} ]] && build+=(--scratch-path "$SCRATCH" --disable-build-manifest-caching)
# What is built is told on standard error: standard output is for the figures.
swift build "${build[@]}" >&2 || exit 2
exec "$(swift build "${build[@]}" --show-bin-path)/servertrust-benchmarks" "$@"
