#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records this package's verdicts on chains created from a seed, and evaluates the records again without the machine's roots.

    Fuzz/differential/records.py [options]

    --count N           the number of chains, each under both profiles (default: 100000)
    --seed S            default: 1; a chain is a function of seed and index
    --jobs N            processes
    --servertrust FILE  the built program (default: ../../.build/release/servertrust)

Fails if `audit --replay` finds a difference, a record that isn't reproducible or an unreadable line, or if the answers to the records
aren't the answers to the chains, with their messages.

Exit status: 0 all equal, 1 a difference, 2 the run couldn't start.
"""
import argparse
import collections
import glob
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time

import generator
from chain import PROFILES

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BLOCK = 500
# An environment where the program can't find the machine's anchors.
NOWHERE = {**os.environ, "SSL_CERT_DIR": "", "SSL_CERT_FILE": "/nonexistent/anchors.pem", "SERVERTRUST_UPKI_CONFIG": ""}


class shared:
    """The state that forked processes inherit."""


def run(*arguments, **options):
    result = subprocess.run([shared.servertrust, *arguments], stdout=subprocess.PIPE, env=NOWHERE, check=False, **options)
    return result.returncode, result.stdout


def counted(answers):
    """Counts answers without the names of requests, which records don't have."""
    counts = collections.Counter()
    for line in answers.splitlines():
        answer = json.loads(line)
        del answer["id"]
        # A record leaves out certificates that can't be read, but the answer to the chain names them.
        answer.pop("warnings", None)
        answer["failures"] = [failure for failure in answer["failures"] if failure["code"] != "issuerUnreadable"]
        counts[json.dumps(answer, sort_keys=True)] += 1
    return counts


def block(first, count):
    """Returns the number of records and a description of each difference."""
    lines = []
    for index in range(first, first + count):
        request = shared.generator.chain(index).request()
        lines += [json.dumps({**request, "profile": profile}) for profile in PROFILES]
    with tempfile.TemporaryDirectory() as folder:
        status, answers = run("verify", "--batch", "--jobs", "1", "--record", folder, input="\n".join(lines).encode())
        found = [] if status == 0 else [f"verify ended with {status}"]
        original = counted(answers)
        unreadable = sum(number for answer, number in original.items() if json.loads(answer)["verdict"] == "unreadable")
        status, output = run("audit", "--replay", folder, "--format", "json", "--jobs", "1")
        report = json.loads(output)[0]
        records = report["records"]
        kept = records["stillTrusted"] + records["stillRefused"]
        if status or kept + unreadable != len(lines) or records["otherDetails"]:
            found.append(f"audit ended with {status}: {records} {report['obstacles']} {report['examples']}")
        files = sorted(glob.glob(os.path.join(glob.escape(folder), "*.ndjson")))
        blobs = os.path.join(folder, "blobs")
        again = counted(run("verify", "--batch", "--jobs", "1", "--blobs", blobs, *files)[1])
        readable = collections.Counter({key: number for key, number in original.items() if '"verdict": "unreadable"' not in key})
        found += [f"only for the chain: {key[:600]}" for key in readable - again]
        found += [f"only for the record: {key[:600]}" for key in again - readable]
        size = sum(os.path.getsize(file) for file in files)
    return kept, unreadable, size, [f"chains {first} to {first + count - 1}: {text}" for text in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--servertrust", default=os.path.join(ROOT, ".build", "release", "servertrust"))
    settings = parser.parse_args()
    if not os.access(settings.servertrust, os.X_OK):
        print(f"records: {settings.servertrust} is missing; swift build -c release --product servertrust", file=sys.stderr)
        return 2
    shared.servertrust, shared.generator = settings.servertrust, generator.Generator(settings.seed)
    started = time.monotonic()
    totals, found = collections.Counter(), []
    ranges = [(first, min(BLOCK, settings.count - first)) for first in range(0, settings.count, BLOCK)]
    with multiprocessing.get_context("fork").Pool(settings.jobs) as pool:
        for result in [pool.apply_async(block, one) for one in ranges]:
            kept, unreadable, size, differences = result.get()
            totals.update(records=kept, unreadable=unreadable, bytes=size)
            found += differences
            print(f"\r{totals['records']} records, {len(found)} differences", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"seed {settings.seed}, {settings.count} chains in {int(time.monotonic() - started)} s, each under {len(PROFILES)} profiles")
    print(f"  {totals['records']} records, {totals['bytes'] // max(1, totals['records'])} bytes each, replayed equal: {not found}")
    print(f"  {totals['unreadable']} chains without a readable leaf have no record")
    for text in found[:40]:
        print(f"  DIFFERENT {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
