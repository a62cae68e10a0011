#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets with libFuzzer and runs each for a while, one after the other, to find new inputs. Fuzz/replay runs fixed
# inputs without libFuzzer, for .ci/run.
#
#     Fuzz/run.sh [seconds] [target…]        60 seconds of every target unless told
#
#     SANITIZE=address Fuzz/run.sh …         with AddressSanitizer as well (a build of its own)
#     JOBS=1 Fuzz/run.sh …                   build with so many jobs
#     RSS=2048 TIMEOUT=10 Fuzz/run.sh …      limits: megabytes, seconds for one input (FuzzCost: 4096, 60)
#     COST_LIMIT=500 Fuzz/run.sh …         milliseconds from which a cost is a finding of FuzzCost (50)
#     VERBOSE=1 Fuzz/run.sh …                everything the fuzzer says, not only how it ended
#
# Seeds/<target>     inputs to start from, and to try again forever; written by hand, checked in
# Corpus/<target>    what the fuzzer found worth keeping; ignored by git, may be deleted
# Findings/<target>  inputs that crashed, hung or hogged; ignored by git
#
# Exit status: 0 nothing found, 1 a finding, 2 the targets did not build or there is no such target.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

seconds=60
if [[ ${1-} =~ ^[0-9]+$ ]]; then seconds=$1; shift; fi
if (($#)); then targets=("$@"); else targets=(Sources/Fuzz*/); targets=("${targets[@]%/}"); targets=("${targets[@]#Sources/}"); fi
for target in "${targets[@]}"; do
    [[ -d Sources/$target ]] || { echo "run.sh: no fuzz target '$target'" >&2; exit 2; }
done

# `--sanitize=fuzzer` instruments every module, those of the dependencies too, and keeps SwiftPM from renaming
# `main`; the C side (BoringSSL) is taken out again.
build=(-c release --build-system native --sanitize=fuzzer -Xcc -fno-sanitize=fuzzer)
[[ -n ${SANITIZE-} ]] && build+=("--sanitize=$SANITIZE" --scratch-path ".build/$SANITIZE")
[[ -n ${JOBS-} ]] && build+=(-j "$JOBS")
# SwiftPM keeps its sanitizers in a set: unless hashing is settled, two of them swap places from one build to the
# next, and all of BoringSSL is compiled again.
export SWIFT_DETERMINISTIC_HASHING=1
# One by one: CostTable is no fuzz target and brings a `main` of its own.
for target in "${targets[@]}"; do swift build "${build[@]}" --product "$target" || exit 2; done
bin=$(swift build "${build[@]}" --show-bin-path) || exit 2

# Otherwise the Swift runtime takes the signal, and libFuzzer never writes down the input that raised it.
unset SWIFT_DETERMINISTIC_HASHING
export SWIFT_BACKTRACE=enable=no

# Times are measured without instrumentation: in the package's build folder, where the rest has been compiled for other uses.
if [[ " ${targets[*]} " == *" FuzzCost "* ]]; then
    mapfile -t release < <(../Scripts/build-release --flags)
    table=(--package-path . --scratch-path ../.build --disable-build-manifest-caching "${release[@]}")
    swift build "${table[@]}" --product CostTable || exit 2
    COST_TABLE=$(swift build "${table[@]}" --show-bin-path)/CostTable || exit 2
    export COST_TABLE
fi

found=()
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap "exit 130" INT
for target in "${targets[@]}"; do
    mkdir -p "Seeds/$target" "Corpus/$target" "Findings/$target"
    timeout=10 rss=2048
    # Its own limit is processor time, which it measures; it writes megabytes of certificates from a few bytes.
    [[ $target == FuzzCost ]] && timeout=60 rss=4096
    options=(
        "-max_total_time=$seconds" "-timeout=${TIMEOUT:-$timeout}" "-rss_limit_mb=${RSS:-$rss}"
        "-artifact_prefix=Findings/$target/" -print_final_stats=1
    )
    [[ -f Seeds/$target.dict ]] && options+=("-dict=Seeds/$target.dict")
    echo "== $target, $seconds s"
    status=0
    if [[ -n ${VERBOSE-} ]]; then
        "$bin/$target" "${options[@]}" "Corpus/$target" "Seeds/$target" || status=$?
    else
        "$bin/$target" "${options[@]}" "Corpus/$target" "Seeds/$target" >"$log" 2>&1 || status=$?
        # What it tried is no news; a finding is, whole.
        if ((status)); then grep -Ev $'^#[0-9]+\t|^NEW_FUNC' "$log"; else grep -E '^(Done|stat::(number|peak))' "$log"; fi
    fi
    ((status == 0)) || found+=("$target ($status)")
done

if ((${#found[@]})); then
    echo "== findings: ${found[*]}; see $PWD/Findings" >&2
    exit 1
fi
echo "== nothing found"
