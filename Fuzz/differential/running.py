# SPDX-License-Identifier: Apache-2.0
"""The common parts of runs over many blocks: processes, progress, and the file of unexplained disagreements."""
import collections
import json
import multiprocessing
import os
import subprocess
import sys
import time

ASSURANCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Scripts/assurance")


def blocks(settings, size):
    """Yields the first index and the count of each block. Ends by count, or by time after the started block."""
    end = time.monotonic() + settings.seconds if settings.seconds else None
    first, last = settings.first, settings.first + settings.count if settings.count else None
    while (last is None or first < last) and (end is None or time.monotonic() < end):
        # A block never extends past a multiple of its size, because blocks of graphs share lists of denied certificates.
        count = size - first % size
        yield first, min(count, last - first if last else count)
        first += count


def run(ranges, block, settings, tally, what):
    """Adds the tally of each block to `tally`, and shows the progress on standard error. Returns the elapsed seconds."""
    started = time.monotonic()

    def add(one):
        tally.add(one)
        print(f"\r{tally.counts[what]} {what}, {tally.counts['unexplained']} unexplained", end="", file=sys.stderr, flush=True)

    with multiprocessing.get_context("fork").Pool(settings.jobs) as pool:
        waiting = collections.deque()
        for one in ranges:
            waiting.append(pool.apply_async(block, one))
            # Only a few in advance, so that the run checks the time.
            while len(waiting) > 2 * settings.jobs:
                add(waiting.popleft().get())
        while waiting:
            add(waiting.popleft().get())
    print(file=sys.stderr)
    return time.monotonic() - started


def write_unexplained(settings, name, lines):
    """Writes disagreements as lines for `verify --batch`, and prints the path."""
    os.makedirs(settings.out, exist_ok=True)
    path = os.path.join(settings.out, name)
    with open(path, "w") as file:
        for one in lines:
            file.write(json.dumps(one) + "\n")
    print(f"written to {path}; try again with: servertrust verify --batch <{path}")


def record(table="differential", **values):
    """Records a row for Documentation/Generated/Assurance.md."""
    subprocess.run([ASSURANCE, "--record", table, *(f"{name}={value}" for name, value in values.items())], check=True)
