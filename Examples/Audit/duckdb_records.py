#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""DuckDB: reads records of verdicts as a table, and replays its rows with servertrust.

    duckdb_records.py 'verdicts/*.ndjson' rehearsal.parquet [--tool servertrust] [--where "client = 'http'"] [-- --pins new.json]

The columns for --where are host, rule, client, time, connections, verdict and codes. The result has a row per host, rule and code.
"""

import duckdb
import pyarrow as pa

import audit
import records

# The line stays as it is, because a reader refuses a record with other bytes, such as a repeated key.
TABLE = """
    SELECT json ->> '$.host' AS host, json ->> '$.rule' AS rule, json ->> '$.client' AS client,
           CAST(json ->> '$.time' AS TIMESTAMPTZ) AS time, coalesce(CAST(json ->> '$.count' AS BIGINT), 1) AS connections,
           json ->> '$.recorded.verdict' AS verdict, json ->> '$.recorded.codes[*]' AS codes, CAST(json AS VARCHAR) AS line
    FROM read_json_objects(?, format = 'newline_delimited', maximum_object_size = 16777216)
"""


def main() -> None:
    parser = audit.arguments(__doc__.split("\n")[0])
    parser.add_argument("--where", default="true", metavar="SQL", help="replay only these rows (default: all)")
    options, passed = audit.parse(parser)
    audit.expect_free(options)
    source, sink = duckdb.connect(), duckdb.connect()
    batches = source.sql(f"SELECT line FROM ({TABLE}) WHERE {options.where}", params=[options.requests]).to_arrow_reader(5000)
    lines = (line.encode() for batch in batches for line in batch.column("line").to_pylist())
    rows = list(records.rows([options.tool, "audit", "--replay", *passed], lines))
    if not rows:
        raise audit.AuditError("no row is left to replay")
    counts = pa.Table.from_pydict(dict(zip(records.COLUMNS, zip(*rows))))
    with audit.whole_file(options, len(rows), lambda file: sink.read_parquet(file).aggregate("count(*)").fetchall()[0][0]) as file:
        sink.register("counts", counts)
        sink.execute("COPY counts TO ? (FORMAT parquet, COMPRESSION zstd)", [file])
    print(f"duckdb_records: {records.headline({row[2]: row[3:] for row in rows if row[0] == 'total'})}")


if __name__ == "__main__":
    audit.run("duckdb_records", main)
