#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets with libFuzzer and runs each for a while, one after the other, to find new inputs. Fuzz/replay runs fixed
# inputs without libFuzzer, for .ci/run.
#
#     Fuzz/run.sh [seconds] [target…]        default: 60 seconds for every target
#     Fuzz/run.sh 0 [target…]                runs every file of every target once in each target, but only its own in FuzzCost
#
#     SANITIZE=address Fuzz/run.sh …         with AddressSanitizer, and UndefinedBehaviorSanitizer in C (in a separate build)
#     JOBS=1 Fuzz/run.sh …                   build with this number of jobs
#     RSS=2048 TIMEOUT=10 Fuzz/run.sh …      limits: megabytes, seconds for one input (FuzzCost: 4096, 60)
#     COST_LIMIT=500 Fuzz/run.sh …         a FuzzCost finding takes at least this many milliseconds (default: 50)
#     VERBOSE=1 Fuzz/run.sh …                prints the fuzzer's whole output, not only its end
#     WRITE=1 Fuzz/run.sh …                  adds the times and inputs to Documentation/Generated/Assurance (not with VERBOSE)
#
# Seeds/<target>     committed inputs to start from, written by hand
# Corpus/<target>    inputs that the fuzzer kept, which git ignores and you may delete
# Findings/<target>  inputs that crashed, hung or used too much, which git ignores
#
# Exit status: 0 nothing found, 1 a finding, 2 the targets didn't build or a target doesn't exist.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

seconds=60
if [[ ${1-} =~ ^[0-9]+$ ]]; then seconds=$1; shift; fi
if (($#)); then targets=("$@"); else targets=(Sources/Fuzz*/); targets=("${targets[@]%/}"); targets=("${targets[@]#Sources/}"); fi
for target in "${targets[@]}"; do
    [[ -d Sources/$target ]] || { echo "run.sh: no fuzz target '$target'" >&2; exit 2; }
done

# `--sanitize=fuzzer` instruments every module, including the dependencies, and keeps SwiftPM from renaming `main`.
# The other flags exclude the C code (BoringSSL).
build=(-c release --build-system native --sanitize=fuzzer -Xcc -fno-sanitize=fuzzer)
[[ -n ${SANITIZE-} ]] && build+=("--sanitize=$SANITIZE" --scratch-path ".build/$SANITIZE")
# On Linux, the Swift compiler only has the first one. Swift stops at overflows and wrong indices itself.
[[ ${SANITIZE-} == address ]] && build+=(-Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined)
[[ -n ${JOBS-} ]] && build+=(-j "$JOBS")
# SwiftPM keeps its sanitizers in a set. Without deterministic hashing, two of them swap places from one build to the
# next, and SwiftPM compiles all of BoringSSL again.
export SWIFT_DETERMINISTIC_HASHING=1
# One by one, because CostTable isn't a fuzz target and has its own `main`.
for target in "${targets[@]}"; do swift build "${build[@]}" --product "$target" || exit 2; done
bin=$(swift build "${build[@]}" --show-bin-path) || exit 2

# Otherwise the Swift runtime handles the signal, and libFuzzer never writes the input that raised it.
unset SWIFT_DETERMINISTIC_HASHING
export SWIFT_BACKTRACE=enable=no
# LeakSanitizer doesn't recognize pointers in which Swift marks the case of an enum.
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}

# Measures times without instrumentation, in the package's build folder, which already contains the other objects.
if ((seconds)) && [[ " ${targets[*]} " == *" FuzzCost "* ]]; then
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
    begun=$SECONDS
    mkdir -p "Seeds/$target" "Corpus/$target" "Findings/$target"
    timeout=10 rss=2048
    # This target measures its own limit, processor time. It writes megabytes of certificates from a few bytes.
    [[ $target == FuzzCost ]] && timeout=60 rss=4096
    options=(
        "-max_total_time=$seconds" "-timeout=${TIMEOUT:-$timeout}" "-rss_limit_mb=${RSS:-$rss}"
        "-artifact_prefix=Findings/$target/" -print_final_stats=1
    )
    [[ -f Seeds/$target.dict ]] && options+=("-dict=Seeds/$target.dict")
    echo "== $target, $seconds s"
    inputs=("Corpus/$target" "Seeds/$target")
    if ((seconds == 0)); then
        # Instrumentation makes evaluation slower, so no cost is a finding here.
        export COST_LIMIT=${COST_LIMIT:-60000}
        options+=(-runs=0)
        [[ $target == FuzzCost ]] || inputs=(Corpus/*/ Seeds/*/)
    fi
    status=0
    if [[ -n ${VERBOSE-} ]]; then
        "$bin/$target" "${options[@]}" "${inputs[@]}" || status=$?
    else
        "$bin/$target" "${options[@]}" "${inputs[@]}" >"$log" 2>&1 || status=$?
        # Prints nothing about normal runs, but the whole output of a finding.
        if ((status)); then grep -Ev $'^#[0-9]+\t|^NEW_FUNC' "$log"; else grep -E '^(Done|stat::(number|peak))' "$log"; fi
    fi
    ((status == 0)) || found+=("$target ($status)")
    if [[ -n ${WRITE-} && -z ${VERBOSE-} && $seconds -gt 0 ]]; then
        # A finding can print the statistics twice.
        inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
        ../Scripts/assurance --record fuzz "target=$target" "seconds=$((SECONDS - begun))" "inputs=${inputs:-0}" \
            "files=$(find "Corpus/$target" -type f | wc -l)" "bytes=$(find "Corpus/$target" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }')" \
            "findings=$(find "Findings/$target" -type f | wc -l)"
    fi
done

if ((${#found[@]})); then
    echo "== findings: ${found[*]}; see $PWD/Findings" >&2
    exit 1
fi
echo "== nothing found"
