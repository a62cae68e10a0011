#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spark: reads records of verdicts as a table, and replays each partition with one servertrust.

    spark_records.py verdicts/ rehearsal.parquet --tool servertrust --master 'local[2]' [--where "client = 'http'"] [-- --pins new.json]

The columns for --where are host, rule, client, time, connections, verdict and codes. The result has a row per host, rule and code.
"""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import audit
import records
import spark_table

COUNTS = "kind string, name string, outcome string, connections bigint, records bigint"
FIELDS = ("host string, rule string, client string, time timestamp, count bigint, "
          "recorded struct<verdict: string, codes: array<string>>")


def table(spark: SparkSession, path: str) -> DataFrame:
    """Returns the records with the columns for a selection, and their lines."""
    lines = spark.read.option("pathGlobFilter", "*.ndjson").text(path).where("trim(value) != ''")
    return lines.withColumn("record", F.from_json("value", FIELDS)).select(
        "record.host", "record.rule", "record.client", "record.time",
        F.coalesce("record.count", F.lit(1)).alias("connections"), "record.recorded.verdict", "record.recorded.codes",
        F.col("value").alias("line"))


def main() -> None:
    parser = spark_table.arguments(__doc__.split("\n")[0])
    parser.add_argument("--where", default="true", metavar="SQL", help="replay only these rows (default: all)")
    options, passed = audit.parse(parser)
    spark = spark_table.session("spark_records", options)
    selected = table(spark, options.requests).where(options.where).select("line")

    def replayed(rows):
        command = [spark_table.tool(options), "audit", "--replay", "--jobs", "1", *passed]
        return records.rows(command, (row.line.encode() for row in rows))

    counts = spark.createDataFrame(selected.rdd.mapPartitions(replayed), COUNTS)
    # The partitions' counts are few.
    sums = counts.repartition(1).groupBy("kind", "name", "outcome").agg(
        F.sum("connections").alias("connections"), F.sum("records").alias("records")).persist()
    total = {row.outcome: (row.connections, row.records) for row in sums.where("kind = 'total'").collect()}
    expected, counted = selected.count(), sum(number for _, number in total.values())
    if counted != expected:
        raise audit.AuditError(f"the partitions count {counted} of {expected} records")
    if not expected:
        raise audit.AuditError("no row is left to replay")
    sums.write.mode("overwrite" if options.overwrite else "error").parquet(options.verdicts)
    print(f"spark_records: {records.headline(total)}")


if __name__ == "__main__":
    spark_table.run("spark_records", main)
