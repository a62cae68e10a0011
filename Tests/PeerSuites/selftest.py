# SPDX-License-Identifier: Apache-2.0
"""Tests the runner and its parsers without the network and the command."""
import json
import tempfile
import unittest
from pathlib import Path

import golang
import openssl
import suite
from reading import balanced
from suite import ACCEPT, REFUSE, Case, Difference, NotAsked

ANSWERS = {
    "good": {"verdict": "trusted", "path": ["aa", "bb"], "failures": []},
    "bad": {"verdict": "rejected", "path": [], "failures": [{"code": "hostMismatch", "message": "not x"}, {"code": "rsaKeyTooSmall", "message": "1024"}]},
    "left": {"verdict": "rejected", "path": [], "failures": [{"code": "unknownIssuer", "message": "?"}], "warnings": ["anchors[0] left out: tag"]},
}


def command(folder, answers):
    """Creates a command with these answers."""
    path = Path(folder) / "command"
    lines = "\n".join(json.dumps({**ANSWERS[name], "id": name}) for name in answers)
    path.write_text(f"#!/bin/sh\ncat >/dev/null\ncat <<'END'\n{lines}\nEND\n")
    path.chmod(0o755)
    return str(path)


def entry(cases, expected, ours, **more):
    return Difference("peer", cases, expected, ours, "why", "source", **more)


class Runner(unittest.TestCase):
    def report(self, items, entries=()):
        with tempfile.TemporaryDirectory() as folder:
            tool = command(folder, [item.name for item in items if isinstance(item, Case)])
            return suite.compare("peer", items, tool, list(entries))

    def test_cases_that_agree_and_cases_without_counterpart_are_counted(self):
        report = self.report([Case("good", {}, ACCEPT), Case("bad", {}, REFUSE), Case("left", {}, None), NotAsked("x", "DSA"), NotAsked("y", "DSA")])
        self.assertEqual((report.asked, report.agreeing, report.without_expectation, len(report.differing)), (3, 2, 1, 0))
        self.assertEqual(report.not_asked, {"DSA": 2})

    def test_a_difference_without_an_entry_is_unexplained(self):
        self.assertEqual(len(self.report([Case("good", {}, REFUSE)]).unexplained), 1)

    def test_every_code_needs_an_entry(self):
        case = Case("bad", {}, ACCEPT)
        host, size = entry(["b*"], "accept", ["hostMismatch"]), entry(["bad"], "accept", ["rsaKeyTooSmall"])
        self.assertEqual(len(self.report([case], [host]).unexplained), 1)
        self.assertEqual(host.explained, 0)
        self.assertEqual(len(self.report([case], [host, size]).unexplained), 0)
        self.assertEqual((host.explained, size.explained), (1, 1))

    def test_a_certificate_that_is_left_out_needs_an_entry(self):
        case = Case("left", {}, ACCEPT)
        self.assertEqual(len(self.report([case], [entry(["*"], "accept", ["unknownIssuer"])]).unexplained), 1)
        self.assertEqual(len(self.report([case], [entry(["*"], "accept", ["unknownIssuer", "leftOut"], message="tag")]).unexplained), 0)

    def test_an_entry_is_about_its_suite_verdict_and_message(self):
        case = Case("good", {}, REFUSE)
        self.assertEqual(len(self.report([case], [entry(["good"], "accept", ["trusted"])]).unexplained), 1)
        self.assertEqual(len(self.report([case], [Difference("other", ["good"], "refuse", ["trusted"], "", "")]).unexplained), 1)
        self.assertEqual(len(self.report([case], [entry(["good"], "refuse", ["trusted"], message="never")]).unexplained), 1)
        self.assertEqual(len(self.report([case], [entry(["good"], "refuse", ["trusted"])]).unexplained), 0)

    def test_another_path_than_the_peers_is_a_difference(self):
        labels = {"aa": "/Leaf", "bb": "/Root B"}
        self.assertEqual(self.report([Case("good", {}, ACCEPT, chains=(("Leaf", "Root B"),), labels=labels)]).agreeing, 1)
        for chains in [(("Leaf", "Root A"),), (("Leaf",),), (("Leaf", "Root B", "Root"),)]:
            self.assertEqual(len(self.report([Case("good", {}, ACCEPT, chains=chains, labels=labels)]).unexplained), 1)

    def test_two_cases_of_one_name_end_the_run(self):
        with self.assertRaises(SystemExit):
            self.report([Case("good", {}, ACCEPT), Case("good", {}, ACCEPT)])

    def test_a_missing_answer_ends_the_run(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(SystemExit):
            suite.compare("peer", [Case("good", {}, ACCEPT), Case("bad", {}, REFUSE)], command(folder, ["good"]), [])

    def test_the_list_names_trusted_for_refusals_only(self):
        row = '[[difference]]\nsuite = "a"\ncases = ["b"]\nexpected = "{}"\nours = ["{}"]\nwhy = ""\nsource = ""\n'
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "list.toml"
            for expected, ours, is_right in [("refuse", "trusted", True), ("accept", "hostMismatch", True), ("accept", "trusted", False),
                                             ("refuse", "hostMismatch", False), ("maybe", "trusted", False)]:
                path.write_text(row.format(expected, ours))
                if is_right:
                    self.assertEqual(len(suite.differences(path)), 1)
                else:
                    self.assertRaises(SystemExit, suite.differences, path)


class Readers(unittest.TestCase):
    def test_brackets_in_strings_do_not_count(self):
        self.assertEqual(balanced("f(')', (1), \"\\\")\") x", 1), 18)

    def test_perl_lists(self):
        self.assertEqual(openssl.tokens('"ee-cert", "", [qw(a b)], ["c"], "-attime", "1", @prov'), ["ee-cert", "", ["a", "b"], ["c"], "-attime", "1", "@prov"])

    def test_every_ok_of_a_recipe_is_found(self):
        recipe = '# ok(verify("x", "", [], []), "no");\nok(!verify("a", "", ["b"], [], ),\n   "first"); # (\nok_nofips(run(x), \'second\');\n'
        self.assertEqual([(condition, title) for condition, title, _ in openssl.tests(recipe)],
                         [('!verify("a", "", ["b"], [], )', "first"), ("run(x)", "second")])

    def test_go_literals(self):
        text = golang.without_comments('var t = []row{\n// no {\n{name: "a//b", list: [][]s{{{}, {ok: []string{"x"}}}}, f: func(t *T) {\n t.x = 1 }, n: -2, k: make([]s, 2)},\n{`r`, true}}')
        first, second = golang.table(text, "var t = ")
        self.assertEqual(first["name"], "a//b")
        self.assertEqual(first["list"], [[{}, {"ok": ["x"]}]])
        self.assertEqual((first["n"], first["k"], second), (-2, [{}, {}], ["r", True]))
        self.assertIn("t.x = 1", first["f"].text)


def run():
    loaded = [unittest.defaultTestLoader.loadTestsFromModule(__import__(name)) for name in ("selftest", "selftest_converters")]
    result = unittest.TextTestRunner(verbosity=1).run(unittest.TestSuite(loaded))
    return 0 if result.wasSuccessful() else 1
