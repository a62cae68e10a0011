# SPDX-License-Identifier: Apache-2.0
"""Compares tables of verdicts with the answers of plain `verify --batch`, for `try` and `measure`. Shares no code with the recipes."""

import hashlib
import json
import pathlib
import subprocess
from typing import Iterator

PYTHON = pathlib.Path(__file__).resolve().parent.parent.parent / ".build/audit/bin/python"
READER = """
import json, sys, pyarrow.dataset
for batch in pyarrow.dataset.dataset(sys.argv[1], format='parquet').to_batches(batch_size=5000):
    for row in batch.to_pylist(): print(json.dumps(row))
"""


def row_of(answer: dict) -> dict:
    """Returns the row for an answer."""
    failures = answer["failures"]
    first = failures[0] if failures else {}
    return {"id": answer["id"], "verdict": answer["verdict"], "result": answer["result"], "code": first.get("code"),
            "certificate": first.get("certificate"), "message": first.get("message"), "codes": [failure["code"] for failure in failures],
            "path": answer["path"], "warnings": answer.get("warnings")}


def digest(row: dict) -> bytes:
    return hashlib.blake2b(json.dumps(row, sort_keys=True).encode(), digest_size=12).digest()


def expected(answers: pathlib.Path) -> tuple[dict[str, bytes], dict[str, bool]]:
    """Returns the digests of the expected rows by ID, in the order of the answers, and which rows are trusted."""
    rows, trusted = {}, {}
    with open(answers, "rb") as file:
        for line in file:
            row = row_of(json.loads(line))
            if row["id"] in rows:
                raise SystemExit(f"compare: {row['id']} occurs twice, but rows are compared by their ids")
            rows[row["id"]] = digest(row)
            trusted[row["id"]] = row["verdict"] == "trusted"
    return rows, trusted


def table(path: pathlib.Path) -> Iterator[dict]:
    reader = subprocess.Popen([PYTHON, "-c", READER, path], stdout=subprocess.PIPE)
    for line in reader.stdout:
        yield json.loads(line)
    if reader.wait():
        raise SystemExit(f"compare: {path} can't be read")


def difference(path: pathlib.Path, rows: dict[str, bytes], ordered: bool) -> str | None:
    """Returns the first difference between a table and the expected rows, or None."""
    found, seen, order = None, set(), iter(rows)
    for row in table(path):
        key = row["id"]
        if found is None:
            if ordered and next(order, None) != key:
                found = f"row {key} isn't at the position of its request"
            elif key in seen:
                found = f"row {key} occurs twice"
            elif rows.get(key) != digest(row):
                found = f"row {key} differs: {row}"
        seen.add(key)
    return found or (f"{len(seen)} rows, expected {len(rows)}" if len(seen) != len(rows) else None)
