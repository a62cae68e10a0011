# SPDX-License-Identifier: Apache-2.0
"""The oracle under one reading: the product's answers to the questions that the standards leave open (revocation-reasons.toml)."""
import revocation_oracle
from revocation_readings import Undecided


class Reading:
    """Answers from a table, and records the questions."""

    def __init__(self, answers):
        self.answers, self.asked = answers, set()

    def ask(self, question):
        self.asked.add(question)
        if question not in self.answers:
            raise Undecided(question)
        return self.answers[question]


class Reader:
    """The oracle's statuses of one scene."""

    def __init__(self, answers, request, path):
        self.answers = answers
        self.scene = revocation_oracle.scene_of(request, path)
        self.full = revocation_oracle.status_in(self.scene)

    def run(self, at, answers):
        """Returns (status, by, why) and the questions."""
        certificate, issuer = self.scene.path[at], self.scene.path[at + 1]
        reading = Reading(answers)
        try:
            found = self.full(certificate, issuer, reading, frozenset({certificate.der}))
            return revocation_oracle.status_with_exemptions(found, certificate, self.scene, reading), reading.asked
        except Undecided as stop:
            return ("undecided", None, f"no answer to: {stop.question}"), reading.asked

    def statuses(self):
        """Returns one {"status", "by", "why", "either"} per certificate except the anchor.

        "either" has each question whose other answer, and that one alone, changes the status, with the other status.
        """
        found = []
        for at in range(len(self.scene.path) - 1):
            (status, by, why), asked = self.run(at, self.answers)
            either = {}
            for question in sorted(asked):
                (other, _, _), _ = self.run(at, Flipped(self.answers, question))
                if other != status:
                    either[question] = other
            found.append({"status": status, "by": by, "why": why, "either": either})
        return found


class Flipped:
    """The table with one answer inverted. A question that this raises has the table's answer, or no."""

    def __init__(self, answers, question):
        self.answers, self.question = answers, question

    def __contains__(self, question):
        return True

    def __getitem__(self, question):
        answer = self.answers.get(question, False)
        return not answer if question == self.question else answer
