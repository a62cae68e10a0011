# SPDX-License-Identifier: Apache-2.0
"""Runs tests in processes that fork from a server, and decides which mutants they notice."""
import contextlib
import json
import os
import queue
import re
import subprocess
import threading
import time
from collections import defaultdict
from pathlib import Path

# The seconds of tests in each group of tests, except the last one, which runs all others.
GROUPS = (0.3, 1.5, 6.0)
# A test that takes this many times longer than without a mutant hangs. A loaded machine is slower.
SLOWER, LEAST = 10, 10


class Server:
    """A test process that forks for each run (Harness/MutationSwitch)."""

    def __init__(self, binary):
        self.binary = binary
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.binary], env={**os.environ, "MUTATION_SERVER": "1", "NO_COLOR": "1"}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, start_new_session=True)

    def run(self, number, limit, tests, reaches=False, until="-"):
        """Runs tests with a mutant, at most until a test has ended. Returns the status, the seconds and the server's text."""
        configuration = json.dumps({"parallel": False, "filter": [pattern(tests)]})
        try:
            self.process.stdin.write(f"{number}\t{limit:.1f}\t{int(reaches)}\t{until}\t{configuration}\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            # A mutant runs in a child, so it can't end the server. Only a fault of the harness or of the machine can.
            raise RuntimeError(f"the test server ended with status {self.process.wait()} at mutant {number}")
        status, seconds, text = line.rstrip("\n").split("\t", 2)
        return status, float(seconds), text

    def stop(self):
        # A line that a dead server didn't read fails again here.
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.terminate()
        self.process.wait()


def pattern(tests):
    """Returns a pattern of test names. It has few alternatives at each place, because Swift's patterns try each of them."""
    modules = defaultdict(lambda: defaultdict(list))
    for test in tests:
        suite, _, name = test.partition("/")
        module, _, suite = suite.partition(".")
        modules[module][suite].append(name)

    def either(parts):
        return f"(?:{'|'.join(parts)})"

    def suites(found):
        return either(re.escape(suite) + (f"/{either(map(re.escape, names))}" if any(names) else "") for suite, names in sorted(found.items()))

    return f"^{either(re.escape(module) + '[.]' + suites(found) for module, found in sorted(modules.items()))}(?:/|$)"


def each(items, binary, jobs, work, deadline=None):
    """Calls work(server, item) for each item in several threads."""
    waiting = queue.SimpleQueue()
    for item in items:
        waiting.put(item)
    errors = []

    def loop():
        server = Server(binary)
        try:
            while not errors and (deadline is None or time.monotonic() < deadline):
                try:
                    item = waiting.get_nowait()
                except queue.Empty:
                    return
                work(server, item)
        except Exception as error:  # The main thread raises it.
            errors.append(error)
        finally:
            server.stop()

    threads = [threading.Thread(target=loop) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def tests(binary):
    lines = subprocess.run([binary, "--testing-library", "swift-testing", "--list-tests"], check=True, capture_output=True, text=True).stdout.splitlines()
    return [line for line in lines if re.match(r"\w+\.\S", line)]


def named(text):
    """Returns the test of an issue: `Target.Suite/test()/File.swift:1:2`, sometimes with escaped slashes."""
    return "/".join(text.replace("\\/", "/").split("/")[:2])


def by_suite(tests):
    found = defaultdict(list)
    for test in tests:
        found[test.partition("/")[0]].append(test)
    return list(found.values())


def reach(groups, binary, jobs):
    """Runs each group of tests in a process. Returns the seconds and the reached mutants of each test, and the tests that fail without
    a mutant. A test of a group may use a value that another test has computed, so each has a list of what the others reach, too."""
    found, failed = {}, {}

    def work(server, group):
        status, _, text = server.run(0, 300, group, reaches=True)
        if status != "passed":
            if len(group) == 1:
                failed[group[0]] = status
            else:
                for test in group:
                    work(server, [test])
            return
        fields = text.split("\t")
        # A suite has an entry as well.
        entries = {named(name): (float(seconds), numbers.split()) for name, seconds, numbers in zip(fields[::3], fields[1::3], fields[2::3])}
        every = {int(number) for _, numbers in entries.values() for number in numbers}
        for test in group:
            seconds, numbers = entries[test]
            own = sorted(map(int, numbers))
            found[test] = {"seconds": seconds, "mutants": own, "others": sorted(every.difference(own))}

    each(groups, binary, jobs, work)
    return found, failed


class Hunt:
    """Runs mutants."""

    def __init__(self, binary, reached, patience, mutants):
        self.binary = binary
        self.seconds = {test: entry["seconds"] for test, entry in reached.items()}
        self.patience = patience
        self.least = LEAST
        self.reaching = defaultdict(list)
        for test, entry in reached.items():
            for number in entry["mutants"] + entry.get("others", []):
                self.reaching[number].append(test)
        # The share of a file's mutants that a test reaches. Tests of a file reach more of it than others.
        files = {mutant["number"]: mutant["file"] for mutant in mutants}
        self.share = defaultdict(lambda: defaultdict(float))
        for test, entry in reached.items():
            # A place with a mutant of the sample may have other mutants, too.
            for number in files.keys() & set(entry["mutants"]):
                self.share[files[number]][test] += 1
        for counts in self.share.values():
            most = max(counts.values())
            for test in counts:
                counts[test] /= most
        # The start of a process takes as long as the quickest test.
        self.start = min(self.seconds.values(), default=0)
        self.lock = threading.Lock()
        # How many mutants of a file each test has noticed.
        self.noticed = defaultdict(lambda: defaultdict(int))

    def groups(self, mutant):
        """Returns the tests that reach a mutant in groups, the best first."""
        found, share = self.noticed[mutant["file"]], self.share[mutant["file"]]

        def cost(test):
            return max(self.seconds[test] - self.start, 0.005) / (max(share[test], 0.01) ** 3 * (1 + found[test]))

        open_tests = sorted(self.reaching[mutant["number"]], key=cost)
        spent, result, group = 0.0, [], []
        limits = iter((*GROUPS, float("inf")))
        limit = next(limits)
        total = 0.0
        for test in open_tests:
            own = max(self.seconds[test] - self.start, 0.001)
            if total + own > self.patience and result:
                break
            if group and spent + own > limit:
                result.append(group)
                group, spent, limit = [], 0.0, next(limits)
            group.append(test)
            spent += own
            total += own
        if group:
            result.append(group)
        return result

    def decide(self, server, mutant):
        """Returns whether the tests notice a mutant, the seconds, and a text."""
        groups = self.groups(mutant)
        if not groups:
            return "unreached", 0.0, "no test reaches it"
        spent = 0.0
        for group in groups:
            expected = sum(max(self.seconds[test] - self.start, 0.001) for test in group)
            limit = self.least + SLOWER * expected
            status, seconds, text = server.run(mutant["number"], limit, group)
            spent += seconds
            if status == "empty":
                raise RuntimeError(f"these tests ran before, but not with a mutant: {group}")
            if status == "noticed" and not text:
                raise RuntimeError(f"the tests failed without an issue: {group}")
            if status != "passed":
                # The same tests without a mutant. On a loaded machine, or together in one process, they may fail, too.
                # They pass if the test that failed does.
                if server.run(0, limit, group, until=text if status == "noticed" else "-")[0] != "passed":
                    continue
                if status == "noticed":
                    text = named(text)
                    with self.lock:
                        self.noticed[mutant["file"]][text] += 1
                elif len(group) == 1:
                    with self.lock:
                        self.noticed[mutant["file"]][group[0]] += 1
                return status, spent, text
        ran, all_tests = sum(map(len, groups)), len(self.reaching[mutant["number"]])
        return "survived", spent, f"{ran} of {all_tests} tests"


def self_test(folder):
    """Checks each status, the run without a mutant, and what happens if the server ends. Expects the objects of `build.self_test` in
    the folder. Returns the exit status."""
    harness = Path(__file__).resolve().parent / "Harness/MutationSwitch"
    switch = [harness / "MutationSwitch.c", folder / "stub.o", "-I", harness / "include"]
    subprocess.run(["clang", *switch, "-o", folder / "server"], check=True)
    subprocess.run(["clang", "-Dfork=refused", *switch, "-o", folder / "refused"], check=True)
    problems = []

    def expect(name, found, expected):
        if found != expected:
            problems.append(f"{name}: {found}, expected {expected}")

    def is_running(process):
        with contextlib.suppress(FileNotFoundError):
            return Path(f"/proc/{process}/stat").read_text().rsplit(")")[-1].split()[0] != "Z"
        return False

    def ends(binary, number, seconds=None):
        """Returns the error of a run whose server ends, and the processes that remain."""
        children = []

        def work(server, item):
            def kill():
                children.extend(Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split())
                server.process.kill()

            if seconds:
                threading.Timer(seconds, kill).start()
            server.run(number, 60, ["A.B/c()"])

        try:
            each([None], binary, 1, work)
            error = "no error"
        except RuntimeError as raised:
            error = str(raised)
        until = time.monotonic() + 20
        while remaining := [child for child in children if is_running(child)]:
            if time.monotonic() > until:
                break
            time.sleep(0.1)
        return error, remaining, bool(children)

    server = Server(folder / "server")
    expect("passed", server.run(0, 5, ["A.B/c()"])[0], "passed")
    expect("until", server.run(5, 5, ["A.B/c()"], until="A.B\\/c()\\/d.swift:1:2")[0], "passed")
    expect("not until", server.run(5, 5, ["A.B/c()"])[0], "noticed")
    expect("no test ran", server.run(0, 5, ["A.nothing/c()"])[0], "empty")
    found, _ = reach([["A.B/c()", "A.B/e()"]], folder / "server", 1)
    expect("reached", {test: (entry["mutants"], entry["others"]) for test, entry in found.items()}, {"A.B/c()": ([4], [5]), "A.B/e()": ([5], [4])})
    expect("a failing suite", reach([["A.B/c()", "A.fails/c()"]], folder / "server", 1)[1], {"A.fails/c()": "noticed"})
    mutants = [{"number": number, "file": "a.swift"} for number in (1, 2, 3, 4, 7)]
    for test in "A.B/c()", "A.fails/c()":
        # The number 6 belongs to a mutant that isn't in the sample.
        hunt = Hunt(folder / "server", {test: {"seconds": 0.1, "mutants": [1, 2, 3, 4, 6]}}, float("inf"), mutants)
        hunt.least = 1
        outcomes = [hunt.decide(server, mutant)[::2] for mutant in mutants]
        all_survive = "fails" in test
        expect(test, outcomes, [("survived", "1 of 1 tests")] * 4 + [("unreached", "no test reaches it")] if all_survive else [
            ("noticed", "A.B/c()"), ("crashed", "signal 6"), ("hung", "signal 9"), ("survived", "1 of 1 tests"), ("unreached", "no test reaches it")])
    try:
        Hunt(folder / "server", {"A.nothing/c()": {"seconds": 0, "mutants": [4]}}, float("inf"), mutants).decide(server, mutants[3])
        problems.append("tests that no longer run weren't an error")
    except RuntimeError:
        pass
    server.stop()
    expect("a killed server", ends(folder / "server", 3, 0.5), ("the test server ended with status -9 at mutant 3", [], True))
    expect("no process for a run", ends(folder / "refused", 1), ("the test server ended with status 71 at mutant 1", [], False))
    for problem in problems:
        print(f"mutation: self-test: {problem}")
    return 1 if problems else 0
