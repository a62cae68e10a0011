# SPDX-License-Identifier: Apache-2.0
"""Builds the reduced package with all mutants that compile."""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from package import HERE, ROOT

ERROR = re.compile(r"^(/\S+?\.swift):(\d+):\d+: error: (.*)$", re.M)
# The objects of swift-crypto and the other dependencies stay valid if the flags don't change.
FLAGS = ["-c", "release", "-debug-info-format", "none", "-Xswiftc", "-enable-testing"]
# The compiler reports all errors of one kind at once, so a few rounds suffice.
ROUNDS = 20


def syntax():
    """The folder with the toolchain's SwiftSyntax."""
    compiler = Path(os.path.realpath(shutil.which("swiftc")))
    return str(compiler.parent.parent / "lib/swift/host")


def tool(work):
    """Builds the program that rewrites files, and returns its path."""
    command = ["swift", "build", "-c", "release", "--package-path", str(HERE), "--scratch-path", str(work / "tool")]
    environment = {**os.environ, "MUTATION_SYNTAX": syntax()}
    subprocess.run(command, check=True, env=environment, stdout=sys.stderr)
    return work / "tool/release/Mutate"


def read(path):
    """Returns the mutants of a list, and the numbers of skipped ones."""
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    return entries[:-1], entries[-1]["skipped"]


class Builder:
    def __init__(self, package, work):
        self.package = package
        self.work = work
        self.list = work / "list.jsonl"
        self.excluded = work / "excluded.txt"
        self.excluded.touch()

    def rewrite(self):
        files = [file for files in self.package.kernel.values() for file in files]
        subprocess.run([self.program, ROOT / "Sources", self.package.folder / "Sources", self.list, self.excluded, *files], check=True)
        return read(self.list)

    def compile(self, *options):
        command = ["swift", "build", *FLAGS, *options]
        return subprocess.run(command, cwd=self.package.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")

    def leave_out(self, mutants, output):
        """Adds the mutants that cause the compiler's errors to the list of excluded ones. Returns how many."""
        found = {}
        for path, line, message in set(ERROR.findall(output)):
            try:
                name = str(Path(path).relative_to(self.package.folder / "Sources"))
            except ValueError:
                continue
            inside = [mutant for mutant in mutants if mutant["file"] == name and not mutant["excluded"]]
            line = int(line)
            candidates = [mutant for mutant in inside if line in (mutant["line"], mutant["end"])]
            if not candidates:
                inside = [mutant for mutant in inside if mutant["line"] <= line <= mutant["end"]] or inside
                smallest = min((mutant["end"] - mutant["line"] for mutant in inside if mutant["line"] <= line <= mutant["end"]), default=None)
                if smallest is not None:
                    candidates = [mutant for mutant in inside if mutant["end"] - mutant["line"] == smallest]
                else:
                    # The error is about the whole function, such as a missing return.
                    before = [mutant for mutant in inside if mutant["line"] <= line]
                    candidates = [mutant for mutant in inside if before and mutant["declaration"] == before[-1]["declaration"]] or inside
            if "initiali" in message:
                # An initializer no longer gives a value to everything. Only a removed statement can cause this.
                candidates = [mutant for mutant in candidates if mutant["operator"] == "remove"] or candidates
            elif "Comparable" in message:
                candidates = [mutant for mutant in candidates if mutant["operator"] == "compare"] or candidates
            for mutant in candidates:
                found[mutant["identifier"]] = message
        with self.excluded.open("a") as file:
            for identifier in found:
                file.write(identifier + "\n")
        with (self.work / "excluded-reasons.tsv").open("a") as file:
            for identifier, message in found.items():
                file.write(f"{identifier}\t{message}\n")
        return len(found)

    def build(self):
        """Builds everything. Returns the mutants and the numbers of skipped ones."""
        self.program = tool(self.work)
        self.package.copy()
        # Errors of an earlier state of the sources must not leave out mutants now.
        self.excluded.write_text("")
        mutants, skipped = self.rewrite()
        for target in [*self.package.kernel, None]:
            for _ in range(ROUNDS):
                result = self.compile(*(["--target", target] if target else ["--build-tests"]))
                if result.returncode == 0:
                    break
                count = self.leave_out(mutants, result.stdout)
                print(f"mutation: {count} mutants don't compile", file=sys.stderr, flush=True)
                if count == 0:
                    print(result.stdout[-6000:], file=sys.stderr)
                    sys.exit("mutation: error: the reduced package doesn't compile")
                mutants, skipped = self.rewrite()
            else:
                sys.exit("mutation: error: too many rounds")
        return mutants, skipped

    def binary(self):
        return self.package.folder / ".build/release/mutatedPackageTests.xctest"


def self_test(work):
    """Checks that a sample has a mutant of each operator, that the sample with all mutants behaves like the original, and that each
    mutant changes its output. Returns the exit status."""
    folder = work / "self-test"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sample = HERE / "SelfTest"
    (folder / "excluded").touch()
    subprocess.run([tool(work), sample, folder, folder / "list.jsonl", folder / "excluded", "Sample.swift"], check=True)
    mutants, _ = read(folder / "list.jsonl")
    subprocess.run(["clang", "-c", HERE / "Harness/MutationSwitch/MutationSwitch.c", "-I", HERE / "Harness/MutationSwitch/include", "-o", folder / "switch.o"],
                   check=True)
    # Stands for the tests.
    subprocess.run(["clang", "-c", sample / "stub.c", "-I", HERE / "Harness/MutationSwitch/include", "-o", folder / "stub.o"], check=True)
    (folder / "module.modulemap").write_text(
        f'module MutationSwitch {{ header "{HERE}/Harness/MutationSwitch/include/MutationSwitch.h" export * }}\n')

    def program(name, *files):
        subprocess.run(["swiftc", "-suppress-warnings", "-I", folder, *files, sample / "main.swift", folder / "switch.o", folder / "stub.o", "-o", folder / name],
                       check=True)
        return lambda number: subprocess.run([folder / name, str(number)], capture_output=True, text=True, timeout=20)

    original = program("original", sample / "Sample.swift")(0).stdout
    mutated = program("mutated", folder / "Sample.swift", HERE / "Harness/Mutation.swift")
    problems = []
    missing = {"negate", "logic", "compare", "exit", "remove", "result", "element", "swap", "number", "charge", "case"} - {m["operator"] for m in mutants}
    if missing:
        problems.append(f"no mutant of {sorted(missing)}")
    if mutated(0).stdout != original:
        problems.append("the file with mutants behaves differently although no mutant is active")
    for mutant in mutants:
        if mutated(mutant["number"]).stdout == original:
            problems.append(f"not active: {mutant['identifier']}: {mutant['before']} → {mutant['after']}")
    for problem in problems:
        print(f"mutation: self-test: {problem}")
    print(f"mutation: self-test: {len(mutants)} mutants, {len(problems)} problems")
    return 1 if problems else 0
