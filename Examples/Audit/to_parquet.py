#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Creates a Parquet table of requests from the lines of `servertrust lab --requests`, or from any other batch lines.

    to_parquet.py requests.jsonl requests.parquet

A key without a column is an error, because the rows would have another meaning without it.
"""

import os
import sys

import pyarrow as pa
import pyarrow.json as pj
import pyarrow.parquet as pq

from audit import AuditError, run

TEXT, TEXTS = pa.string(), pa.list_(pa.string())
COLUMNS = pa.schema([
    ("id", TEXT), ("host", TEXT), ("chain", TEXTS), ("intermediates", TEXTS), ("anchors", TEXTS), ("time", TEXT), ("purpose", TEXT),
    ("profile", TEXT), ("strict", pa.bool_()), ("maximumIntermediates", pa.int32()), ("revocation", TEXT), ("crls", TEXTS),
    ("ocspResponses", TEXTS), ("exemptShortLived", pa.bool_()), ("pins", TEXTS),
])


def convert(source: str, target: str) -> None:
    options = pj.ParseOptions(explicit_schema=COLUMNS, unexpected_field_behavior="error")
    rows, temporary = 0, target + ".part"
    try:
        with open(source, "rb") as lines, pq.ParquetWriter(temporary, COLUMNS, compression="zstd") as writer:
            for batch in pj.open_json(lines, pj.ReadOptions(block_size=32 << 20), options):
                if batch.column("id").null_count:
                    raise AuditError(f"a line among {rows + 1} to {rows + batch.num_rows} has no id")
                # Engines distribute row groups among their tasks.
                writer.write_batch(batch, row_group_size=5000)
                rows += batch.num_rows
        os.replace(temporary, target)
    except pa.ArrowInvalid as error:
        raise AuditError(f"{source}: {error}") from None
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)
    print(f"to_parquet: {rows} requests")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: to_parquet.py requests.jsonl requests.parquet")
    run("to_parquet", lambda: convert(*sys.argv[1:]))
