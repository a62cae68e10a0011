#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spark: evaluates a table of requests with mapInArrow, one servertrust per task, and compares every answer with its request.

    spark_arrow.py requests.parquet verdicts.parquet --tool servertrust --master 'local[2]' [--time 2026-11-21T00:00:00Z]
    spark-submit --py-files audit.py,spark_table.py spark_arrow.py s3a://…/requests s3a://…/verdicts --tool servertrust --time …
"""

from pyspark.sql import functions as F

import audit
import spark_table


def main() -> None:
    options, passed = audit.parse(spark_table.arguments(__doc__.split("\n")[0]))
    spark = spark_table.session("spark_arrow", options)
    table = spark_table.requests(spark, options)
    line = F.concat(F.to_json(F.struct(*table.columns), {"ignoreNullFields": "true"}), F.lit("\n"))

    def evaluate(batches):
        yield from audit.answers([spark_table.tool(options), "verify", "--batch", "--input", "ndjson", "--jobs", "1", *passed], batches)

    verdicts = table.select("id", line.alias("request")).mapInArrow(evaluate, spark_table.VERDICTS)
    spark_table.write(spark, verdicts, options)


if __name__ == "__main__":
    spark_table.run("spark_arrow", main)
