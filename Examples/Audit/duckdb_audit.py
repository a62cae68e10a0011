#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""DuckDB: reads requests from Parquet, evaluates them with servertrust, and writes the verdicts as Parquet.

    duckdb_audit.py requests.parquet verdicts.parquet [--tool servertrust] [--time 2026-11-21T00:00:00Z] [-- --jobs 8]

Streams rows without keeping requests or verdicts in memory. `requests` may be a pattern for several files, or an address that DuckDB reads.
"""

import duckdb
import pyarrow as pa

import audit


def request(keys: list[str]) -> str:
    """Returns SQL that writes a row as a line of JSON. It omits null columns, because a key can't be null."""
    parts = [f"""CASE WHEN "{key}" IS NOT NULL THEN '"{key}":' || to_json("{key}") END""" for key in keys]
    return "'{' || concat_ws(',', " + ", ".join(parts) + ") || '}' || chr(10)"


def main() -> None:
    options, passed = audit.parse(audit.arguments(__doc__.split("\n")[0]))
    audit.expect_free(options)
    source, sink = duckdb.connect(), duckdb.connect()
    table = source.read_parquet(options.requests)
    keys = audit.keys_of(table.columns)
    expected = table.aggregate("count(*)").fetchall()[0][0]
    time = f"'{options.time}'" if "time" not in keys else f"""coalesce("time", '{options.time}')"""
    table = table.select(", ".join(f'"{key}"' for key in keys if key != "time") + f', {time} AS "time"')
    requests = table.select(f"id, {request(list(dict.fromkeys([*keys, 'time'])))} AS request").to_arrow_reader(5000)

    counts = audit.Counts()
    batches = counts.passing(audit.answers([options.tool, "verify", "--batch", "--input", "ndjson", *passed], requests))
    verdicts = pa.RecordBatchReader.from_batches(audit.SCHEMA, batches)
    with audit.whole_file(options, expected, lambda file: sink.read_parquet(file).aggregate("count(*)").fetchall()[0][0]) as file:
        sink.register("verdicts", verdicts)
        sink.execute("COPY verdicts TO ? (FORMAT parquet, COMPRESSION zstd)", [file])
    print(f"duckdb_audit: {expected} requests, {counts}")


if __name__ == "__main__":
    audit.run("duckdb_audit", main)
