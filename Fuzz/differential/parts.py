# SPDX-License-Identifier: Apache-2.0
"""Parts of a long run. The counts of a finished part are kept as JSON, so that an interrupted run continues with the next part."""
import collections
import glob
import hashlib
import json
import os

import peers
from blocks import work
from compare import Tally

PART = 100_000
# A part that takes longer isn't kept.
LONGEST = 2 * 3600
HERE = os.path.dirname(os.path.abspath(__file__))


def digest(settings):
    """Returns a digest of everything that a part's answers depend on, without the entries, which only explain answers."""
    sources = sorted(glob.glob(os.path.join(HERE, "*.py")) + glob.glob(os.path.join(HERE, "peers.*")))
    state = hashlib.sha256()
    for path in [settings.servertrust, *dict.fromkeys(sources)]:
        with open(path, "rb") as file:
            state.update(hashlib.file_digest(file, "sha256").digest())
    state.update(b"go" if settings.go_peer else b"")
    return state.hexdigest()


def path_of(settings, number):
    return os.path.join(settings.out, f"seed-{settings.seed}-part-{number}.json")


def kept(settings, number):
    """Returns the tally of a finished part without unexplained answers, or None if the part must run."""
    try:
        with open(path_of(settings, number)) as file:
            result = json.load(file)
    except (OSError, ValueError):
        return None
    if (result.get("digest"), result.get("size")) != (settings.digest, settings.part_size):
        return None
    if result["counts"].get("unexplained") or result["counts"].get("crashes"):
        return None
    tally = Tally()
    tally.counts.update(result["counts"])
    for peer, verdict, name, count in result["classes"]:
        tally.classes[peer, verdict, name] = count
    return tally


def run(settings, number):
    """Runs a part, and keeps its counts. Returns its tally, or None if it took too long."""
    settings.first, settings.count, settings.seconds = number * settings.part_size, settings.part_size, LONGEST
    tally = work(settings)
    if tally.counts["chains"] < settings.part_size and not tally.counts["crashes"]:
        return None
    os.makedirs(settings.out, exist_ok=True)
    classes = [[*key, count] for key, count in sorted(tally.classes.items())]
    result = {"digest": settings.digest, "size": settings.part_size, "seed": settings.seed, "part": number}
    result |= {"counts": dict(tally.counts), "classes": classes}
    path = path_of(settings, number)
    with open(path + ".new", "w") as file:
        json.dump(result, file, indent=1)
    os.replace(path + ".new", path)
    return tally


def table(tallies):
    """Prints a line for each part and for their sum."""
    header = f"{'part':>5} {'chains':>9} {'seconds':>8}"
    for peer in peers.PEERS:
        header += f" | {peer + ' asked':>18} {'agree':>8} {'explained':>9}"
    lines = [header + f" | {'unexplained':>11} {'crashes':>7}"]
    total = collections.Counter()
    for _, tally in tallies:
        total.update(tally.counts)
    for number, counts in [(number, tally.counts) for number, tally in tallies] + [("sum", total)]:
        line = f"{number:>5} {counts['chains']:>9} {counts['seconds']:>8}"
        for peer in peers.PEERS:
            asked, agree = counts[f"{peer} asked"], counts[f"{peer} agrees"]
            line += f" | {asked:>18} {agree:>8} {asked - agree - counts[f'{peer} unexplained']:>9}"
        lines.append(line + f" | {counts['unexplained']:>11} {counts['crashes']:>7}")
    return lines
