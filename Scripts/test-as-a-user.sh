#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the test suite of a project that depends on this package (Examples/TestSuite), as an outside user would.
#
#     Scripts/test-as-a-user.sh [--scratch-path PATH]
#
# The scratch path is the package's own unless it or SCRATCH says otherwise: what the package has compiled is not compiled again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=${SCRATCH:-.build}
while [ $# -gt 0 ]; do
    case $1 in
    --scratch-path) scratch=${2:?"--scratch-path needs a path"} && shift 2 ;;
    *) echo "test-as-a-user: unknown option $1, expected --scratch-path" >&2 && exit 64 ;;
    esac
done
swift test --package-path Examples/TestSuite --scratch-path "$scratch"
