# SPDX-License-Identifier: Apache-2.0
"""Builds the reduced package with all mutants that compile."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from package import HERE, ROOT, TESTS

ERROR = re.compile(r"^(/\S+?\.swift):(\d+):\d+: error: (.*)$", re.M)
# The objects of swift-crypto and the other dependencies stay valid if the flags don't change.
FLAGS = ["-c", "release", "-debug-info-format", "none", "-Xswiftc", "-enable-testing"]
OPERATORS = {"negate", "logic", "compare", "exit", "remove", "result", "element", "swap", "number", "charge", "case", "skip", "loop", "slice", "call",
             "neighbor", "entry", "default"}
# Operators whose changes don't always compile.
GUESSED = {"swap", "skip", "loop", "slice", "call", "neighbor", "entry", "default"}
# The compiler reports all errors of one kind in a file at once. Guessed changes need a few dozen rounds.
ROUNDS = 60


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


def output_of(command, folder):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


class Builder:
    """Builds the reduced package with all mutants."""

    def __init__(self, package, work):
        self.package = package
        self.work = work
        self.list = work / "list.jsonl"
        self.excluded = work / "excluded.txt"
        self.chosen = work / "chosen.txt"

    def rewrite(self):
        files = [file for files in self.package.kernel.values() for file in files]
        sources = self.package.folder / "Sources"
        subprocess.run([self.program, ROOT / "Sources", sources, self.list, self.excluded, self.chosen, *files], check=True)
        return read(self.list)

    def prepare(self):
        self.package.copy()

    def parts(self):
        """The targets to compile one after the other, and None for everything else."""
        return [*self.package.kernel, None]

    def compile(self, target):
        return output_of(["swift", "build", *FLAGS, *(["--target", target] if target else ["--build-tests"])], self.package.folder)

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
            # The types that the generator guesses may be wrong.
            candidates = [mutant for mutant in candidates if mutant["operator"] in GUESSED] or candidates
            for mutant in candidates:
                found[mutant["identifier"]] = message
        with self.excluded.open("a") as file:
            for identifier in found:
                file.write(identifier + "\n")
        with (self.work / "excluded-reasons.tsv").open("a") as file:
            for identifier, message in found.items():
                file.write(f"{identifier}\t{message}\n")
        return len(found)

    def build(self, program, is_chosen=None):
        """Builds everything, with all mutants or only chosen ones. Returns the mutants and the numbers of skipped ones."""
        self.program = program
        self.prepare()
        # Errors of an earlier state of the sources must not leave out mutants now.
        self.excluded.write_text("")
        self.chosen.write_text("")
        mutants, skipped = self.rewrite()
        if is_chosen:
            self.chosen.write_text("".join(f"{mutant['identifier']}\n" for mutant in mutants if is_chosen(mutant)))
            if not self.chosen.stat().st_size:
                sys.exit("mutation: error: the sample has no mutants")
            mutants, skipped = self.rewrite()
        for target in self.parts():
            for _ in range(ROUNDS):
                result = self.compile(target)
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


class QuickBuilder(Builder):
    """Compiles only the modules with mutants and the modules between them and the tests, in a minute of processor time. Other objects
    come from the ordinary build. That includes the tests: Package.swift doesn't optimize them, so they call the kernel and contain no
    copies of its code, except default arguments. If they had copies, mutants would survive, and the run would fail."""

    def __init__(self, package, work):
        super().__init__(package, work)
        self.ordinary = (ROOT / ".build/release").resolve()
        self.objects = work / "objects"

    def prepare(self):
        tests = self.ordinary / f"{self.package.name}PackageTests.xctest"
        list_of_objects = self.ordinary / f"{self.package.name}PackageTests.product/Objects.LinkFileList"
        paths = [path for target in self.package.targets.values() for path in (ROOT / target["path"]).rglob("*.swift")]
        newest = max(paths, key=lambda path: path.stat().st_mtime)
        if not tests.is_file() or tests.stat().st_mtime < newest.stat().st_mtime:
            sys.exit(f"mutation: error: {newest.relative_to(ROOT)} is newer than the tests; run swift build --build-tests $(Scripts/test --flags)")
        compiled = set(self.parts())
        self.reused = []
        for path in shlex.split(list_of_objects.read_text()):
            name = [part for part in Path(path).parts if part.endswith(".build")][-1].removesuffix(".build")
            # Objects of other packages, and of targets that don't depend on the kernel, and of the tests.
            if name not in compiled and (name in self.package.targets or name not in self.package.all_targets) and not name.endswith("PackageTests"):
                self.reused.append(path)
        switch = HERE / "Harness/MutationSwitch"
        shutil.rmtree(self.objects, ignore_errors=True)
        self.objects.mkdir(parents=True)
        subprocess.run(["clang", "-O2", "-c", switch / "MutationSwitch.c", "-I", switch / "include", "-o", self.objects / "switch.o"], check=True)
        self.options = ["-I", self.objects, "-I", self.ordinary / "Modules", "-Xcc", f"-fmodule-map-file={module_map(self.objects)}", "-parse-as-library",
                        "-suppress-warnings", "-gnone", "-module-cache-path", self.objects / "cache"]
        for package in self.package.packages:
            for path in (ROOT / ".build/checkouts" / package).glob("Sources/*/include/module.modulemap"):
                self.options += ["-Xcc", f"-fmodule-map-file={path}", "-Xcc", "-I", "-Xcc", path.parent]

    def parts(self):
        """The targets that depend on the kernel, each after those that it depends on, and None for the program."""
        ordered = []

        def visit(name):
            below = [dependency["byName"][0] for dependency in self.package.targets[name]["dependencies"] if "byName" in dependency]
            for other in below:
                visit(other)
            if name not in ordered and self.package.targets[name]["type"] != "test" and (name in self.package.kernel or set(below) & set(ordered)):
                ordered.append(name)

        for name in TESTS:
            visit(name)
        return [*ordered, None]

    def swift(self, name, files, *options):
        """Compiles files to a folder with the name of the module."""
        folder = self.objects / name
        folder.mkdir(exist_ok=True)
        return output_of(["swiftc", "-module-name", name, "-wmo", "-num-threads", "2", "-c", *self.options, *options, *files], folder)

    def compile(self, target):
        if target:
            files = self.package.kernel.get(target, [])
            path, mutated = ROOT / self.package.targets[target]["path"], {ROOT / "Sources" / file for file in files}
            paths = [file for file in path.rglob("*.swift") if file not in mutated] + [self.package.folder / "Sources" / file for file in files]
            if files:
                paths.append(HERE / "Harness/Mutation.swift")
            return self.swift(target, paths, *self.package.features(target), "-swift-version", "6", "-enable-testing", "-DSWIFT_PACKAGE",
                              "-package-name", "mutated", "-emit-module", "-emit-module-path", self.objects / f"{target}.swiftmodule")
        main = self.objects / "Program.swift"
        main.write_text("import Testing\n\n@main struct Program { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }\n")
        for name, files in ("MutationServer", [HERE / "Harness/MutationServer/MutationServer.swift"]), ("Program", [main]):
            result = self.swift(name, files, "-swift-version", "5")
            if result.returncode:
                return result
        paths = [*self.reused, *self.objects.glob("*.o"), *self.objects.glob("*/*.o")]
        (self.objects / "list").write_text("".join(f"{shlex.quote(str(path))}\n" for path in paths))
        return output_of(["swiftc", "-emit-executable", "-o", self.binary(), f"@{self.objects}/list", "-Xlinker", "--gc-sections", "-lstdc++", "-lm", "-lz"],
                         self.objects)

    def binary(self):
        return self.objects / "tests"


def module_map(folder):
    """Writes a module map for the C functions that mutants call, and returns its path."""
    path = folder / "module.modulemap"
    path.write_text(f'module MutationSwitch {{ header "{HERE}/Harness/MutationSwitch/include/MutationSwitch.h" export * }}\n')
    return path


def self_test(work):
    """Checks that a sample has a mutant of each operator, that the sample with all mutants behaves like the original, that each mutant
    changes its output, and how the builder leaves out mutants. Returns the exit status."""
    folder = work / "self-test"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sample = HERE / "SelfTest"
    (folder / "none").touch()
    subprocess.run([tool(work), sample, folder, folder / "list.jsonl", folder / "none", folder / "none", "Sample.swift"], check=True)
    mutants, _ = read(folder / "list.jsonl")
    subprocess.run(["clang", "-c", HERE / "Harness/MutationSwitch/MutationSwitch.c", "-I", HERE / "Harness/MutationSwitch/include", "-o", folder / "switch.o"],
                   check=True)
    # Stands for the tests.
    subprocess.run(["clang", "-c", sample / "stub.c", "-I", HERE / "Harness/MutationSwitch/include", "-o", folder / "stub.o"], check=True)
    module_map(folder)

    def program(name, *files):
        subprocess.run(["swiftc", "-suppress-warnings", "-I", folder, *files, sample / "main.swift", folder / "switch.o", folder / "stub.o", "-o", folder / name],
                       check=True)
        return lambda number: subprocess.run([folder / name, str(number)], capture_output=True, text=True, timeout=20)

    original = program("original", sample / "Sample.swift")(0).stdout
    mutated = program("mutated", folder / "Sample.swift", HERE / "Harness/Mutation.swift")
    problems = []
    missing = OPERATORS - {mutant["operator"] for mutant in mutants}
    if missing:
        problems.append(f"no mutant of {sorted(missing)}")
    if mutated(0).stdout != original:
        problems.append("the file with mutants behaves differently although no mutant is active")
    for mutant in mutants:
        if mutated(mutant["number"]).stdout == original:
            problems.append(f"not active: {mutant['identifier']}: {mutant['before']} → {mutant['after']}")
    problems += rounds(folder / "rounds")
    for problem in problems:
        print(f"mutation: self-test: {problem}")
    print(f"mutation: self-test: {len(mutants)} mutants, {len(problems)} problems")
    return 1 if problems else 0


class Rehearsal(Builder):
    """A builder without a compiler: the second of its two mutants doesn't compile."""

    def __init__(self, work):
        super().__init__(SimpleNamespace(folder=work), work)
        self.seen = []

    def prepare(self):
        pass

    def rewrite(self):
        chosen, excluded = self.chosen.read_text().split(), self.excluded.read_text().split()
        self.seen.append((chosen, excluded))
        return [{"identifier": name, "file": "a.swift", "line": line, "end": line, "operator": "negate", "declaration": "", "excluded": name in excluded}
                for line, name in enumerate("ab", 1) if not chosen or name in chosen], {}

    def parts(self):
        return [None]

    def compile(self, target):
        fails = "b" not in self.excluded.read_text()
        return SimpleNamespace(returncode=int(fails), stdout=f"{self.work}/Sources/a.swift:2:1: error: no\n")


def rounds(work):
    """Returns the problems."""
    work.mkdir()
    builder = Rehearsal(work)
    builder.excluded.write_text("a\n")
    mutants, _ = builder.build(None)
    if builder.seen != [([], []), ([], ["b"])] or [mutant["excluded"] for mutant in mutants] != [False, True]:
        return [f"excluded mutants: {builder.seen}"]
    builder.build(None, lambda mutant: mutant["identifier"] == "b")
    if builder.seen[2:] != [([], []), (["b"], []), (["b"], ["b"])]:
        return [f"chosen mutants: {builder.seen[2:]}"]
    return []
