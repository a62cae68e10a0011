# SPDX-License-Identifier: Apache-2.0
"""The common parts of the two Spark recipes: the session, the requests, and a table of verdicts that only counts when it is complete."""

import argparse
import os
import re
import sys
from typing import Callable

from pyspark import SparkFiles
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import audit

# The columns of audit.SCHEMA in Spark's notation.
VERDICTS = ("id string NOT NULL, verdict string NOT NULL, result string NOT NULL, code string, certificate int, message string, "
            "codes array<string>, path array<string>, warnings array<string>")


def arguments(description: str) -> argparse.ArgumentParser:
    parser = audit.arguments(description)
    parser.add_argument("--tool-on-workers", metavar="PATH", help="the path of servertrust on the workers, instead of sending --tool to them")
    parser.add_argument("--master", help="local[2] for two cores of this machine (default: spark-submit's)")
    return parser


def session(name: str, options: argparse.Namespace) -> SparkSession:
    builder = SparkSession.builder.appName(name)
    if options.master:
        builder = builder.master(options.master)
    # With the first version of the committer, a killed job only leaves _temporary.
    builder = builder.config("spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version", "1")
    # 2,000 requests have about 4 MB, and a partition has at most six batches in flight.
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "2000")
    # Requests take long for their size, so even a small file is split.
    builder = builder.config("spark.sql.files.openCostInBytes", "65536")
    if options.master and options.master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = builder.getOrCreate()
    here = os.path.dirname(os.path.abspath(__file__))
    for module in ("audit.py", "records.py", "spark_table.py"):
        spark.sparkContext.addPyFile(os.path.join(here, module))
    if not options.tool_on_workers:
        if not os.path.isfile(options.tool):
            raise audit.AuditError(f"{options.tool} doesn't exist, but has to be sent to the workers")
        spark.sparkContext.addFile(options.tool)
    return spark


def tool(options: argparse.Namespace) -> str:
    """Returns the path of servertrust on the worker that calls this."""
    if options.tool_on_workers:
        return options.tool_on_workers
    path = SparkFiles.get(os.path.basename(options.tool))
    if os.path.isfile(path) and not os.access(path, os.X_OK):
        os.chmod(path, 0o755)
    return path


def requests(spark: SparkSession, options: argparse.Namespace) -> DataFrame:
    table = spark.read.parquet(options.requests)
    keys = audit.keys_of(table.columns)
    # One time for all rows, so that a repeated task gives the same rows.
    given = F.lit(options.time)
    return table.select(*keys).withColumn("time", F.coalesce("time", given) if "time" in keys else given)


def known_verdict() -> Column:
    error = F.raise_error(F.concat(F.lit("AuditError: an answer has the verdict "), F.coalesce("verdict", F.lit("null"))))
    return F.when(F.col("verdict").isin(audit.VERDICTS), F.col("verdict")).otherwise(error).alias("verdict")


def write(spark: SparkSession, verdicts: DataFrame, options: argparse.Namespace) -> None:
    """Writes the verdicts, compares them with the requests, and marks them with _SUCCESS if each request has one.

    Spark's own mark would exist before the comparison. A folder without this recipe's first mark belongs to something else.
    """
    context = spark.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(options.verdicts)
    files = path.getFileSystem(context._jsc.hadoopConfiguration())
    source = context._jvm.org.apache.hadoop.fs.Path(options.requests)
    found = source.getFileSystem(context._jsc.hadoopConfiguration()).globStatus(source) or []
    target = files.makeQualified(path).toString()
    if any(f"{status.getPath().toString()}/".startswith(f"{target}/") for status in found):
        raise audit.AuditError(f"{options.verdicts} contains the requests: name another folder")
    mark, begun = (context._jvm.org.apache.hadoop.fs.Path(path, name) for name in ("_SUCCESS", "_audit"))
    if files.exists(path) and not options.overwrite:
        if files.exists(mark):
            raise audit.AuditError(f"{options.verdicts} already exists and is complete; use --overwrite to replace it")
        if files.exists(begun):
            print(f"{context.appName}: {options.verdicts} has no _SUCCESS, so an earlier run didn't end: writing it again")
        elif not files.getFileStatus(path).isDirectory() or len(files.listStatus(path)):
            raise audit.AuditError(f"{options.verdicts} exists, but isn't a table of verdicts; use --overwrite to replace it")
    files.delete(path, True)
    files.create(begun).close()
    # The folder is new, so it contains nothing else.
    (verdicts.write.mode("append").option("compression", "zstd")
        .option("mapreduce.fileoutputcommitter.marksuccessfuljobs", "false").parquet(options.verdicts))
    expected = sums(spark.read.parquet(options.requests))
    written = spark.read.schema(VERDICTS).parquet(options.verdicts)
    found = sums(written)
    if found["rows"] != expected["rows"]:
        raise audit.AuditError(f"{found['rows']} verdicts to {expected['rows']} requests")
    if found != expected:
        raise audit.AuditError(f"the verdicts have other ids than the requests ({found['ids']} of {expected['ids']} rows have one)")
    files.create(mark).close()
    counts = audit.Counts({row["verdict"]: row["count"] for row in written.groupBy("verdict").count().collect()}, rows=found["rows"])
    print(f"{context.appName}: {expected['rows']} requests, {counts}")


def sums(table: DataFrame) -> dict:
    """Returns the number of rows, of rows with an ID, and the sum of the IDs' hashes, which changes if one is lost, doubled or replaced."""
    # Integers become text in verdicts.
    total = F.sum(F.xxhash64(F.col("id").cast("string")).cast("decimal(38, 0)"))
    return table.agg(F.count(F.lit(1)).alias("rows"), F.count("id").alias("ids"), total.alias("sum")).first().asDict()


def sentence(error: Exception) -> str:
    """Returns the task's error from Spark's error with the stacks of Java and Python."""
    text = str(error)
    python = re.findall(r"^(?:.* )?((?:audit\.)?[A-Z]\w*(?:Error|Exception): .+)$", text, re.MULTILINE)
    spark = re.findall(r"\[(?:[A-Z]+_)+[A-Z_.]*\] .+", text)
    # Spark reads a truncated line before the exit status.
    if own := [line for line in python if "AuditError: " in line]:
        return own[0].removeprefix("audit.").removeprefix("AuditError: ")
    if malformed := [line for line in spark if "MALFORMED_RECORD" in line]:
        return f"an answer is truncated or isn't JSON, as if servertrust had been killed:  {malformed[0]}"
    return (python or spark or [text])[0]


def run(recipe: str, function: Callable[[], None]) -> None:
    """Like audit.run, with Spark's last messages before the recipe's own."""
    def stopping() -> None:
        try:
            function()
        finally:
            if spark := SparkSession.getActiveSession():
                spark.stop()

    audit.run(recipe, stopping, sentence)
