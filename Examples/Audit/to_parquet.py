#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a Parquet table of requests from the lines of `servertrust lab --requests`, or any others of the batch's form.

    to_parquet.py requests.jsonl requests.parquet

A key that has no column ends it, as the rows would mean something else without it.
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
                # Groups of rows are what engines share out among their tasks.
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
