# SPDX-License-Identifier: Apache-2.0
"""Sends lines of records through `servertrust audit --replay` and returns its counts as rows.

The recipes for DuckDB and Spark use this module. It compares the number of lines in the report with the number of lines that it sent.
"""

import itertools
import json
import subprocess
import tempfile
from typing import Iterable, Iterator

from audit import AuditError, _ending

# One row per kind (total, host, rule, code or obstacle), name and outcome.
COLUMNS = ["kind", "name", "outcome", "connections", "records"]
OUTCOMES = ["stillTrusted", "stillRefused", "newlyRefused", "newlyTrusted", "notReproducible", "unreadable"]
KINDS = [("host", "hosts"), ("rule", "rules"), ("code", "codes"), ("obstacle", "obstacles")]


def rows(command: list[str], lines: Iterable[bytes]) -> Iterator[tuple]:
    """Yields the counts of a replay. Yields nothing without lines, because the command expects a record."""
    report = replay(command, lines)
    if report is None:
        return
    yield from _counts("total", "", report)
    for kind, key in KINDS:
        # The row of records without a host has no name.
        for row in filter(lambda row: row["name"] is not None, report[key]):
            yield from _counts(kind, row["name"], row)


def replay(command: list[str], lines: Iterable[bytes]) -> dict | None:
    """Returns the report on lines without their line feeds, or None if there are none. Blank lines don't count."""
    iterator = (line for line in lines if line.strip())
    if (first := next(iterator, None)) is None:
        return None
    with tempfile.TemporaryFile() as report, tempfile.TemporaryFile() as messages:
        try:
            process = subprocess.Popen([*command, "-", "--format", "json"], stdin=subprocess.PIPE, stdout=report, stderr=messages)
        except OSError as error:
            raise AuditError(f"{command[0]} can't be started: {error.strerror}") from None
        sent = 0
        try:
            with process.stdin:
                for line in itertools.chain([first], iterator):
                    process.stdin.write(line + b"\n")
                    sent += 1
        except BrokenPipeError:
            pass  # The exit status and the counts explain the reason.
        finally:
            status = process.wait()
        # 1 is a difference or a refused connection, and 3 is an answer that isn't known. The counts contain them.
        if status not in (0, 1, 3):
            raise AuditError(_ending(process, messages))
        report.seek(0)
        try:
            found = json.loads(report.read())[0]
        except (ValueError, IndexError):
            raise AuditError(f"the report can't be read. {_ending(process, messages)}") from None
    counted = sum(found["records"][outcome] for outcome in OUTCOMES)
    if counted != sent:
        raise AuditError(f"the report counts {counted} of {sent} records")
    return found


def _counts(kind: str, name: str, row: dict) -> Iterator[tuple]:
    for outcome in OUTCOMES:
        if row["records"][outcome]:
            # Unreadable lines don't say how many connections they represent.
            yield kind, name, outcome, row["connections"].get(outcome, 0), row["records"][outcome]


def headline(total: dict[str, tuple[int, int]]) -> str:
    """Returns the result in one line. `total` contains the connections and records of each outcome."""
    def number(outcome: str, place: int = 0) -> int:
        return total.get(outcome, (0, 0))[place]

    evaluated = sum(number(outcome) for outcome in OUTCOMES[:4])
    text = f"{number('newlyRefused')} of {evaluated} connections would be refused"
    for outcome, words in (("notReproducible", "can't be replayed"), ("unreadable", "can't be read")):
        if number(outcome, 1):
            text += f"; {number(outcome, 1)} records {words}"
    return text
