# SPDX-License-Identifier: Apache-2.0
"""The arguments that both comparisons with the oracle take."""
import argparse
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def parse(description, **defaults):
    """Returns the arguments of the command line, or exits with status 2 if the command to compare is missing."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    for name, kind in (("seconds", float), ("count", int), ("part", int), ("first", int), ("jobs", int), ("lines", int), ("show", int)):
        parser.add_argument("--" + name, type=kind)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--servertrust", default=os.path.join(ROOT, ".build", "release", "servertrust"))
    parser.add_argument("--out", default=os.path.join(ROOT, "Fuzz", "Findings", "oracle"))
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.set_defaults(seconds=0, first=0, lines=40, **defaults)
    settings = parser.parse_args()
    if not os.access(settings.servertrust, os.X_OK):
        print(f"{parser.prog}: {settings.servertrust} is missing; swift build -c release --product servertrust", file=sys.stderr)
        sys.exit(2)
    return settings
