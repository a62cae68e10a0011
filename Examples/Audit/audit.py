# SPDX-License-Identifier: Apache-2.0
"""Sends Arrow batches of requests through `servertrust verify --batch` and returns Arrow batches of verdicts.

The recipes for DuckDB, Polars and Spark's mapInArrow use this module. It compares every answer with its request: the number of rows,
each ID, and the exit status. Any difference raises AuditError. Don't use the rows in that case.
"""

import argparse
import collections
import contextlib
import glob
import os
import queue
import subprocess
import sys
import tempfile
import threading
from datetime import datetime, timezone
from typing import Callable, Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj

# One row per request, as the recipes write them. The first failure (the most specific one) has its own columns.
SCHEMA = pa.schema([
    pa.field("id", pa.string(), nullable=False),
    pa.field("verdict", pa.string(), nullable=False),
    pa.field("result", pa.string(), nullable=False),
    pa.field("code", pa.string()),
    pa.field("certificate", pa.int32()),
    pa.field("message", pa.string()),
    pa.field("codes", pa.list_(pa.string())),
    pa.field("path", pa.list_(pa.string())),
    pa.field("warnings", pa.list_(pa.string())),
])
VERDICTS = ["trusted", "rejected", "unreadable"]

_FAILURE = pa.struct([("code", pa.string()), ("certificate", pa.int32()), ("message", pa.string())])
_ANSWER = pa.schema([
    ("id", pa.string()), ("verdict", pa.string()), ("result", pa.string()), ("failures", pa.list_(_FAILURE)),
    ("path", pa.list_(pa.string())), ("warnings", pa.list_(pa.string())),
])

# The request keys that may be columns of a table: strings, booleans, integers and lists of strings.
KEYS = ["id", "host", "chain", "intermediates", "anchors", "time", "purpose", "profile", "strict", "maximumIntermediates",
        "revocation", "crls", "ocspResponses", "exemptShortLived", "pins"]


class AuditError(Exception):
    """Missing, misplaced or unreadable answers, or an exit status of servertrust other than 0."""


def keys_of(columns: Iterable[str]) -> list[str]:
    """Checks a table's columns. An unknown column is an error, because a misspelled `host` would switch off the name check."""
    columns = list(columns)
    for column in columns:
        if column not in KEYS:
            raise AuditError(f"column {column} isn't a key of a request; rename or remove it. Keys:  {', '.join(KEYS)}")
    for column in ("id", "chain"):
        if column not in columns:
            raise AuditError(f"the table has no column {column}")
    return columns


def answers(command: list[str], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yields verdicts in the order of the requests.

    The batches have two columns of strings: `id`, and `request`, a JSON object followed by a line feed. Another thread writes
    them while this one reads. It is at most four batches ahead, so that no pipe fills up and memory stays constant.
    """
    waiting: queue.Queue = queue.Queue(maxsize=4)
    stopped = threading.Event()
    with tempfile.TemporaryFile() as messages:
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages)
        except OSError as error:
            raise AuditError(f"{command[0]} can't be started on {os.uname().nodename}: {error.strerror}") from None
        writer = threading.Thread(target=_write, args=(process, batches, waiting, stopped), daemon=True)
        writer.start()
        try:
            yield from _read(process, waiting, messages)
        finally:
            # Also runs if the consumer stops early or an error is raised.
            stopped.set()
            process.kill()
            process.wait()
            process.stdout.close()
            _stop(writer, waiting)


def _write(process: subprocess.Popen, batches: Iterable[pa.RecordBatch], waiting: queue.Queue, stopped: threading.Event) -> None:
    """Announces the IDs of each batch, then writes its lines. The last item is None, or the error of the source of the batches."""
    end = None
    try:
        for batch in batches:
            ids, lines = batch.column("id"), batch.column("request").cast(pa.large_string())
            if ids.null_count or lines.null_count:
                raise AuditError("a row has no id, which is needed to recognize its answer")
            waiting.put(ids)
            if stopped.is_set():
                return
            if len(lines):
                process.stdin.write(_bytes(lines))
                # Without this, a few short lines would stay in the buffer while this thread waits for their answers.
                process.stdin.flush()
    except BrokenPipeError:
        pass  # The exit status and the number of answers explain the reason.
    except BaseException as error:  # noqa: BLE001: raised again by the reader
        end = error
    finally:
        waiting.put(end)
        try:
            process.stdin.close()
        except OSError:
            pass


def _stop(writer: threading.Thread, waiting: queue.Queue) -> None:
    """Reads the writer's announcements until it ends: one more batch, because the process has ended."""
    for _ in range(200):
        while not waiting.empty():
            waiting.get()
        writer.join(0.05)
        if not writer.is_alive():
            return


def _bytes(lines: pa.LargeStringArray) -> memoryview:
    """Returns the strings' contiguous bytes in memory: the lines for the pipe, without a copy."""
    _, offsets, data = lines.buffers()
    places = memoryview(offsets).cast("q")
    return memoryview(data)[places[lines.offset] : places[lines.offset + len(lines)]]


def _read(process: subprocess.Popen, waiting: queue.Queue, messages) -> Iterator[pa.RecordBatch]:
    count = 0
    while (ids := waiting.get()) is not None:
        if isinstance(ids, BaseException):
            raise ids
        lines = [process.stdout.readline() for _ in range(len(ids))]
        missing = sum(not line.endswith(b"\n") for line in lines)
        if missing:
            ended = _ending(process, messages)
            cut = " The last answer is truncated." if any(line and not line.endswith(b"\n") for line in lines) else ""
            raise AuditError(f"{count + len(ids) - missing} answers to {count + len(ids)} requests or more.{cut} {ended}")
        if lines:
            yield _verdicts(ids, b"".join(lines), count)
        count += len(ids)
    if process.stdout.read(1):
        raise AuditError(f"more answers than the {count} requests")
    status = process.wait()
    if status:
        raise AuditError(_ending(process, messages))


def _ending(process: subprocess.Popen, messages) -> str:
    """Returns the exit status and the end of standard error of a process that has closed its output."""
    try:
        status = process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        return "servertrust has closed its output, but still runs"
    messages.seek(0)
    said = " ".join(messages.read()[-1000:].decode("utf-8", "replace").split())
    ended = f"servertrust was ended by signal {-status}" if status < 0 else f"servertrust ended with exit status {status}"
    return f"{ended}: {said}" if said else ended


def _verdicts(ids: pa.Array, lines: bytes, before: int) -> pa.RecordBatch:
    try:
        options = pj.ParseOptions(explicit_schema=_ANSWER, unexpected_field_behavior="ignore")
        # As one block, because a line may be longer than the default block size.
        reading = pj.ReadOptions(use_threads=False, block_size=len(lines) + 1)
        table = pj.read_json(pa.BufferReader(lines), reading, options).combine_chunks()
    except pa.ArrowInvalid as error:
        raise AuditError(f"answers {before + 1} to {before + len(ids)} can't be read: {error}") from None
    if table.num_rows != len(ids):
        raise AuditError(f"{table.num_rows} answers to the {len(ids)} requests behind number {before}")
    column = {name: _single(table.column(name)) for name in _ANSWER.names}
    known = pc.is_in(column["verdict"], pa.array(VERDICTS))
    if not pc.all(known).as_py():
        row = pc.index(known, False).as_py()
        raise AuditError(f"answer {before + row + 1} has the verdict {column['verdict'][row].as_py()}, expected one of {', '.join(VERDICTS)}")
    # The answer to a line that isn't JSON or is larger than 16 MiB has the line number instead of the ID.
    numbers = pa.array(range(before + 1, before + len(ids) + 1)).cast(pa.string())
    places = pc.binary_join_element_wise("-", numbers, ":")
    unnamed = pc.and_(pc.equal(column["id"], places), pc.equal(column["verdict"], "unreadable"))
    same = pc.fill_null(pc.or_kleene(unnamed, pc.equal(column["id"], ids.cast(pa.string()))), False)
    if not pc.all(same).as_py():
        row = pc.index(same, False).as_py()
        raise AuditError(f"answer {before + row + 1} has the id {column['id'][row].as_py()}, expected {ids[row].as_py()}")
    return _row_columns(ids, column)


def _row_columns(ids: pa.Array, column: dict[str, pa.Array]) -> pa.RecordBatch:
    failures = pc.fill_null(column["failures"], pa.scalar([], column["failures"].type))
    each = failures.flatten()
    starts, counts = failures.offsets.slice(0, len(failures)), failures.value_lengths()
    first = pc.if_else(pc.greater(counts, 0), starts, pa.scalar(None, pa.int32()))
    code, certificate, message = (each.field(index) for index in range(3))
    codes = pa.ListArray.from_arrays(failures.offsets, code)
    return pa.record_batch([
        ids.cast(pa.string()), column["verdict"], column["result"], code.take(first), certificate.take(first), message.take(first),
        codes, column["path"], column["warnings"],
    ], schema=SCHEMA)


def _single(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)


class Counts(collections.Counter):
    """Counts verdicts and codes of passing batches for the recipe's last lines."""

    def passing(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            self["rows"] += batch.num_rows
            for pair in pc.value_counts(batch.column("verdict")).to_pylist():
                self[pair["values"]] += pair["counts"]
            yield batch

    def __str__(self) -> str:
        return f"{self['rows']} answers: " + ", ".join(f"{self[verdict]} {verdict}" for verdict in VERDICTS)


def arguments(description: str) -> argparse.ArgumentParser:
    """Returns the options that all recipes share."""
    parser = argparse.ArgumentParser(description=description, epilog="Put options for servertrust last, after --.")
    parser.add_argument("requests", help="Parquet with one row per request and the keys of `servertrust help batch` as columns")
    parser.add_argument("verdicts", help="the Parquet file to write")
    parser.add_argument("--overwrite", action="store_true", help="replace existing verdicts")
    parser.add_argument("--tool", default="servertrust", metavar="PATH")
    parser.add_argument("--time", default=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                        help="verify date of rows without one, in RFC 3339 (default: the current time for all rows)")
    return parser


def parse(parser: argparse.ArgumentParser) -> tuple[argparse.Namespace, list[str]]:
    """Returns the recipe's options, and servertrust's options after `--`."""
    words = sys.argv[1:]
    place = words.index("--") if "--" in words else len(words)
    return parser.parse_args(words[:place]), words[place + 1 :]


@contextlib.contextmanager
def whole_file(options: argparse.Namespace, expected: int, count: Callable[[str], int]) -> Iterator[str]:
    """Yields a temporary name for the verdicts. Renames the file if `count` finds one verdict per request, and removes it otherwise."""
    temporary = options.verdicts + ".part"
    try:
        yield temporary
        written = count(temporary)
        if written != expected:
            raise AuditError(f"{written} verdicts to {expected} requests")
        os.replace(temporary, options.verdicts)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def expect_free(options: argparse.Namespace) -> None:
    """Fails if verdicts exist and --overwrite isn't set, or if they would replace the requests."""
    requests = map(os.path.realpath, [options.requests, *glob.glob(options.requests, recursive=True)])
    if any(f"{os.path.realpath(options.verdicts)}/".startswith(f"{name}/") for name in requests):
        raise AuditError(f"{options.verdicts} contains the requests: name another file")
    if os.path.exists(options.verdicts) and not options.overwrite:
        raise AuditError(f"{options.verdicts} already exists; use --overwrite to replace it")


def sentence(error: Exception) -> str:
    """Returns the message of an AuditError that an engine has wrapped in its own error."""
    text = str(error)
    return text[text.rindex("AuditError: ") + 12 :].split("\n")[0] if "AuditError: " in text else text


def run(recipe: str, function: Callable[[], None], sentence: Callable[[Exception], str] = sentence) -> None:
    """Exits with 2 and one sentence if the audit fails."""
    try:
        function()
    except Exception as error:  # noqa: BLE001
        said = str(error) if isinstance(error, AuditError) else sentence(error)
        print(f"{recipe}: the audit failed: {said}", file=sys.stderr)
        sys.exit(2)
