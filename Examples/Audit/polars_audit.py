#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Polars: reads requests from Parquet, evaluates them with servertrust, and writes the verdicts as Parquet.

    polars_audit.py requests.parquet verdicts.parquet [--tool servertrust] [--time 2026-11-21T00:00:00Z] [-- --jobs 8]

Streams rows without keeping requests or verdicts in memory. `requests` may be a pattern for several files, or an address that Polars reads.
"""

from typing import Iterator

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import audit


def request(keys: list[str]) -> pl.Expr:
    """Returns a row as a line of JSON. It omits null columns, because a key can't be null."""
    # {"host":"a.example"} without its braces.
    parts = [pl.when(pl.col(key).is_not_null()).then(pl.struct(key).struct.json_encode().str.head(-1).str.slice(1)) for key in keys]
    return pl.concat_str(pl.lit("{"), pl.concat_str(parts, separator=",", ignore_nulls=True), pl.lit("}\n"))


def arrow(frames: Iterator[pl.DataFrame]) -> Iterator[pa.RecordBatch]:
    for frame in frames:
        yield from frame.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()


def main() -> None:
    options, passed = audit.parse(audit.arguments(__doc__.split("\n")[0]))
    audit.expect_free(options)
    table = pl.scan_parquet(options.requests)
    keys = audit.keys_of(table.collect_schema().names())
    expected = table.select(pl.len()).collect().item()
    given = pl.lit(options.time)
    table = table.with_columns(time=pl.coalesce("time", given) if "time" in keys else given)
    requests = table.select("id", request=request(list(dict.fromkeys([*keys, "time"]))))

    counts = audit.Counts()
    frames = requests.collect_batches(chunk_size=5000, maintain_order=True)
    batches = counts.passing(audit.answers([options.tool, "verify", "--batch", "--input", "ndjson", *passed], arrow(frames)))
    with audit.whole_file(options, expected, lambda file: pl.scan_parquet(file).select(pl.len()).collect().item()) as file:
        with pq.ParquetWriter(file, audit.SCHEMA, compression="zstd") as writer:
            for batch in batches:
                writer.write_batch(batch)
    print(f"polars_audit: {expected} requests, {counts}")


if __name__ == "__main__":
    audit.run("polars_audit", main)
