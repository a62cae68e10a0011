# SPDX-License-Identifier: Apache-2.0
"""Shared by the two recipes for Spark: the session, the requests, and a table of verdicts that counts only when it is whole."""

import argparse
import os
import re
import sys
from typing import Callable

from pyspark import SparkFiles
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import audit

# The columns of audit.SCHEMA, in Spark's words.
VERDICTS = ("id string NOT NULL, verdict string NOT NULL, result string NOT NULL, code string, certificate int, message string, "
            "codes array<string>, path array<string>, warnings array<string>")


def arguments(description: str) -> argparse.ArgumentParser:
    parser = audit.arguments(description)
    parser.add_argument("--tool-on-workers", metavar="PATH", help="servertrust's path there, instead of sending --tool along")
    parser.add_argument("--master", help="local[2] for two cores of this machine (default: that of spark-submit)")
    return parser


def session(name: str, options: argparse.Namespace) -> SparkSession:
    builder = SparkSession.builder.appName(name)
    if options.master:
        builder = builder.master(options.master)
    # A killed job leaves nothing but _temporary with the first version of the committer.
    builder = builder.config("spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version", "1")
    # 2,000 requests are some 4 MB; a partition's batches in flight are at most six.
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "2000")
    # Requests take long for their size: a small file is shared out as well.
    builder = builder.config("spark.sql.files.openCostInBytes", "65536")
    if options.master and options.master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = builder.getOrCreate()
    here = os.path.dirname(os.path.abspath(__file__))
    for module in ("audit.py", "spark_table.py"):
        spark.sparkContext.addPyFile(os.path.join(here, module))
    if not options.tool_on_workers:
        if not os.path.isfile(options.tool):
            raise audit.AuditError(f"there is no {options.tool} to send to the workers")
        spark.sparkContext.addFile(options.tool)
    return spark


def tool(options: argparse.Namespace) -> str:
    """The path of servertrust, on the worker that calls this."""
    if options.tool_on_workers:
        return options.tool_on_workers
    path = SparkFiles.get(os.path.basename(options.tool))
    if os.path.isfile(path) and not os.access(path, os.X_OK):
        os.chmod(path, 0o755)
    return path


def requests(spark: SparkSession, options: argparse.Namespace) -> DataFrame:
    table = spark.read.parquet(options.requests)
    keys = audit.keys_of(table.columns)
    # One time for all rows: a task that is run again gives the same rows.
    given = F.lit(options.time)
    return table.select(*keys).withColumn("time", F.coalesce("time", given) if "time" in keys else given)


def known_verdict() -> Column:
    error = F.raise_error(F.concat(F.lit("AuditError: an answer has the verdict "), F.coalesce("verdict", F.lit("null"))))
    return F.when(F.col("verdict").isin(audit.VERDICTS), F.col("verdict")).otherwise(error).alias("verdict")


def write(spark: SparkSession, verdicts: DataFrame, options: argparse.Namespace) -> None:
    """Writes the verdicts, compares them with the requests, and marks them with _SUCCESS if each request has one.

    Spark's own mark would stand there before the comparison. A folder without this recipe's first mark is somebody else's.
    """
    context = spark.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(options.verdicts)
    files = path.getFileSystem(context._jsc.hadoopConfiguration())
    source = context._jvm.org.apache.hadoop.fs.Path(options.requests)
    found = source.getFileSystem(context._jsc.hadoopConfiguration()).globStatus(source) or []
    target = files.makeQualified(path).toString()
    if any(f"{status.getPath().toString()}/".startswith(f"{target}/") for status in found):
        raise audit.AuditError(f"{options.verdicts} has the requests: name another folder")
    mark, begun = (context._jvm.org.apache.hadoop.fs.Path(path, name) for name in ("_SUCCESS", "_audit"))
    if files.exists(path) and not options.overwrite:
        if files.exists(mark):
            raise audit.AuditError(f"{options.verdicts} is there and whole; --overwrite replaces it")
        if files.exists(begun):
            print(f"{context.appName}: {options.verdicts} has no _SUCCESS, so a run before this one did not end: written anew")
        elif not files.getFileStatus(path).isDirectory() or len(files.listStatus(path)):
            raise audit.AuditError(f"{options.verdicts} is there and no table of verdicts; --overwrite replaces it")
    files.delete(path, True)
    files.create(begun).close()
    # As the folder is new, nothing else is in it.
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
    """The rows, those with an id, and the sum of the ids' hashes, which changes if one is lost, doubled or another."""
    # Whole numbers are text in verdicts.
    total = F.sum(F.xxhash64(F.col("id").cast("string")).cast("decimal(38, 0)"))
    return table.agg(F.count(F.lit(1)).alias("rows"), F.count("id").alias("ids"), total.alias("sum")).first().asDict()


def sentence(error: Exception) -> str:
    """The error of the task, out of Spark's with the stacks of Java and Python."""
    text = str(error)
    python = re.findall(r"^(?:.* )?((?:audit\.)?[A-Z]\w*(?:Error|Exception): .+)$", text, re.MULTILINE)
    spark = re.findall(r"\[(?:[A-Z]+_)+[A-Z_.]*\] .+", text)
    # A cut line is read before the exit status is.
    if own := [line for line in python if "AuditError: " in line]:
        return own[0].removeprefix("audit.").removeprefix("AuditError: ")
    if malformed := [line for line in spark if "MALFORMED_RECORD" in line]:
        return f"an answer is cut or no JSON, as if servertrust had been killed: {malformed[0]}"
    return (python or spark or [text])[0]


def run(recipe: str, function: Callable[[], None]) -> None:
    """As audit.run, with Spark's last messages before the recipe's own."""
    def stopping() -> None:
        try:
            function()
        finally:
            if spark := SparkSession.getActiveSession():
                spark.stop()

    audit.run(recipe, stopping, sentence)
