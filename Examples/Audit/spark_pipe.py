#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spark: evaluates a table of requests with RDD.pipe, one servertrust per task. Compares rows and IDs after all are written.

    spark_pipe.py requests.parquet verdicts.parquet --tool servertrust --master 'local[2]' [--time 2026-11-21T00:00:00Z]
    spark-submit --py-files audit.py,spark_table.py spark_pipe.py s3a://…/requests s3a://…/verdicts --tool servertrust --time …
"""

import os
import shlex

from pyspark.sql import functions as F

import audit
import spark_table

ANSWER = ("id string, verdict string, result string, failures array<struct<code string, certificate int, message string>>, "
          "path array<string>, warnings array<string>")


def command(spark, options, passed) -> str:
    """Returns a command for all workers. Executors keep received files in their working folder."""
    path = f"./{os.path.basename(options.tool)}"
    if options.tool_on_workers or spark.sparkContext.master.startswith("local["):
        path = spark_table.tool(options)
    return shlex.join([path, "verify", "--batch", "--input", "ndjson", "--jobs", "1", *passed])


def main() -> None:
    options, passed = audit.parse(spark_table.arguments(__doc__.split("\n")[0]))
    spark = spark_table.session("spark_pipe", options)
    lines = spark_table.requests(spark, options).toJSON()
    # Without checkCode, Spark would treat a servertrust that ends with an error as finished.
    answers = lines.pipe(command(spark, options, passed), checkCode=True)
    rows = spark.read.schema(ANSWER).option("mode", "FAILFAST").json(answers)
    first = F.get("failures", 0)
    verdicts = rows.select(
        "id", spark_table.known_verdict(), "result", first["code"].alias("code"), first["certificate"].alias("certificate"),
        first["message"].alias("message"), F.col("failures")["code"].alias("codes"), "path", "warnings")
    spark_table.write(spark, verdicts, options)


if __name__ == "__main__":
    spark_table.run("spark_pipe", main)
