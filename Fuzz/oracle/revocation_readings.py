# SPDX-License-Identifier: Apache-2.0
"""Explores each defensible reading of a rule: one run of the oracle for each combination of the questions it asks."""


class Undecided(Exception):
    """A rule asks a question that the current run has no answer for."""

    def __init__(self, question):
        super().__init__(question)
        self.question = question


class Reading:
    """One combination of answers to the questions that the standard leaves open."""

    def __init__(self, assumed):
        self.assumed = assumed

    def ask(self, question):
        """Returns this reading's answer, or stops the run so that both answers are tried."""
        if question not in self.assumed:
            raise Undecided(question)
        return self.assumed[question]


def explore(function, limit=1024):
    """Runs the function with every combination of answers. Returns (answers, result) pairs, or None above the limit."""
    pending, done = [{}], []
    while pending:
        assumed = pending.pop()
        try:
            done.append((assumed, function(Reading(assumed))))
        except Undecided as stop:
            pending += [{**assumed, stop.question: True}, {**assumed, stop.question: False}]
        if len(done) + len(pending) > limit:
            return None
    return done


def decisive(outcomes):
    """The questions whose answer changes the set of results."""
    found = []
    for question in sorted({one for assumed, _ in outcomes for one in assumed}):
        with_yes = {result for assumed, result in outcomes if assumed.get(question) is True}
        with_no = {result for assumed, result in outcomes if assumed.get(question) is False}
        if with_yes != with_no:
            found.append(question)
    return found
