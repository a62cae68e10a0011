#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the benchmarks and runs them with the arguments. See README.md.
#
#     Benchmarks/run.sh [--filter p256]… [--rounds 60] [--count 1000000] [--json]
#
#     JOBS=1 Benchmarks/run.sh …           build with this number of jobs
#     SCRATCH=/tmp/x Benchmarks/run.sh …   build there instead of in Benchmarks/.build
#
# Exit status: 0 measured, 1 a contender gave a wrong answer, 2 the benchmarks didn't build.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

build=(-c release --product servertrust-benchmarks)
[[ -n ${JOBS-} ]] && build+=(-j "$JOBS")
# Reads the build plan again, because a shared scratch path may contain the plan of another package.
[[ -n ${SCRATCH-} ]] && build+=(--scratch-path "$SCRATCH" --disable-build-manifest-caching)
# Build messages go to standard error, because standard output is for the figures.
swift build "${build[@]}" >&2 || exit 2
exec "$(swift build "${build[@]}" --show-bin-path)/servertrust-benchmarks" "$@"
