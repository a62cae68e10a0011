#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the summary of an audit as one HTML page that loads nothing else.

    servertrust audit inventory.csv --anchors roots.pem --output answers.jsonl --summary audit.json
    Examples/Audit/page.py audit.json > audit.html

The page has the counts by verdict, the failures with their meanings and remedies, tables of issuers, roots, keys,
signatures and validity, and a chart of the weeks, months or years when certificates expire. It shows the 25 rows with the
most answers of each table. The meanings come from `servertrust explain --list`; --tool names the command.

Needs only Python's own library. Names come from certificates, so the page shows them as text and escapes characters that
reorder or hide text.
"""

import argparse
import datetime
import html
import json
import re
import subprocess
import sys

ROWS = 25
VERDICTS = ("trusted", "rejected", "unreadable")
COLUMNS = ["Answers", "Share", "Verdicts", "Trusted", "Rejected", "Unreadable"]
# The first week that a summary counts by itself, and the week after the last one.
WEEKS = (datetime.date(2000, 1, 3), datetime.date(2050, 1, 3))
# The columns of a table with a long last column.
FEW = COLUMNS[:3]

STYLE = """
:root { color-scheme: light dark; --page: #fff; --text: #1f2328; --good: #1a7f37; --bad: #c4242b; --caution: #9a6700;
    --note: #57606a; --line: #8885 }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #e6edf3; --good: #3fb950; --bad: #ff7b72;
    --caution: #d29922; --note: #9198a1 } }
html { background: var(--page) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1rem; color: var(--text); background: var(--page) }
code { overflow-wrap: anywhere }
.banner { border-left: .4rem solid; padding: .1rem 1rem; margin: 1rem 0 }
.good { color: var(--good) } .bad { color: var(--bad) } .caution { color: var(--caution) } .note, .quiet { color: var(--note) }
.tally { display: flex; flex-wrap: wrap; gap: 1rem 2rem; padding: 0; list-style: none }
.tally strong { display: block; font-size: 1.6rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
td.number { text-align: right; font-variant-numeric: tabular-nums }
th[scope=row] { overflow-wrap: anywhere; min-width: 14rem; font-weight: normal } td.bar { width: 9rem; min-width: 6rem }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; list-style: none }
a { color: inherit }
svg { display: block; width: 100%; overflow: visible }
svg .good { fill: var(--good) } svg .bad { fill: var(--bad) } svg .caution { fill: var(--caution) } svg .note { fill: var(--note) }
svg text { fill: currentcolor; font-size: 11px }
"""


def text(value, maximum=160):
    """Returns a text for HTML. Characters that control, hide or reorder text are written as \\u{...}."""
    value = value[:maximum] + ("…" if len(value) > maximum else "")
    return html.escape("".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in value))


def count(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def share(part, whole):
    """Returns a percentage. It is 0 % or 100 % only if that is exact."""
    if not whole or part in (0, whole):
        return "100%" if whole and part else "0%"
    tenths = round(part / whole * 1000)
    return "<0.1%" if tenths < 1 else ">99.9%" if tenths > 999 else f"{tenths / 10:.1f}%"


def short(number):
    """Returns a number in at most four characters, such as 1.2M."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (1000, "k")):
        if number >= size:
            tenths = number * 10 // size
            return f"{tenths / 10:.1f}{letter}" if tenths < 100 and tenths % 10 else f"{tenths // 10}{letter}"
    return str(number)


def add(*counts):
    return {key: sum(count[key] for count in counts) for key in ("answers", *VERDICTS)}


def prose(value):
    """Returns a text of the program, with code between backquotes."""
    parts = html.escape(value).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))


class Page:
    def __init__(self, summary, guides):
        self.summary, self.guides, self.out = summary, guides, []
        self.all = summary["verdicts"]

    def write(self, *parts):
        self.out += [part + "\n" for part in parts]

    # Verdicts

    def headline(self):
        answers = self.all["answers"]
        if not answers:
            return "No answers"
        if self.mostly_trusted:
            return f"{share(self.all['trusted'], answers)} of {count(answers, 'answer')} trusted, {self.all['rejected']:,} rejected"
        return f"{count(answers, 'answer')}: " + ", ".join(f"{self.all[key]:,} {key}" for key in VERDICTS if self.all[key])

    @property
    def mostly_trusted(self):
        return self.all["rejected"] > 0 and 2 * self.all["trusted"] > self.all["answers"]

    def tone(self):
        if self.all["rejected"] and not self.mostly_trusted:
            return "bad"
        if not self.summary["complete"] or not self.all["answers"]:
            return "caution"
        return "note" if self.mostly_trusted else "caution" if self.all["unreadable"] else "good"

    def banner(self):
        run = self.summary["run"]
        names = ", ".join(text(name, 300) for name in run["inputs"][:10]) or "no input"
        others = len(run["inputs"][10:]) + run["inputsOmitted"]
        if others:
            names += f" and {count(others, 'other')}"
        self.write(f'<div class="banner {self.tone()}"><h1>{html.escape(self.headline())}</h1>',
                   f"<p>{count(run['lines'], 'line')} read as <code>{text(run['format'], 64)}</code> from {names}.</p>")
        if run["evaluationDate"]:
            self.write(f"<p>Rows without their own date were evaluated for {text(run['evaluationDate'])}.</p>")
        else:
            self.write("<p>Each row was evaluated for its own date, or for the time of the run if it has none.</p>")
        if not self.summary["complete"]:
            self.write(f"<p><strong>The numbers don’t match:</strong> {count(run['lines'], 'line')} read, "
                       f"{count(run['answers'], 'answer')} written, {self.all['answers']:,} counted here.</p>")
        self.write("</div>", '<ul class="tally">')
        for key, tone in zip(VERDICTS, ("good", "bad", "caution")):
            self.write(f'<li class="{tone if self.all[key] else "quiet"}"><strong>{self.all[key]:,}</strong>'
                       f"{key} · {share(self.all[key], self.all['answers'])}</li>")
        self.write(f'<li class="note"><strong>{run["lines"]:,}</strong>{"line" if run["lines"] == 1 else "lines"} read</li></ul>')
        if self.all["answers"]:
            self.write(self.bar(self.all, self.all["answers"]))

    # Tables

    def bar(self, counts, most):
        """Returns the answers by verdict as a bar, hidden from screen readers, which read the numbers."""
        parts, start = [], 0
        for key, tone in zip(VERDICTS, ("good", "bad", "caution")):
            width = 1000 * counts[key] / most if most else 0
            parts.append(f'<rect class="{tone}" x="{start:.1f}" width="{width:.1f}" height="10"/>')
            start += width
        return f'<svg aria-hidden="true" viewBox="0 0 1000 10" height="10" preserveAspectRatio="none">{"".join(parts)}</svg>'

    def cells(self, counts, most, columns=COLUMNS):
        """Returns the cells of a row. The row of all others has no bar, because it would be the longest."""
        numbers = [f"{counts['answers']:,}", share(counts["answers"], self.all["answers"]), None, *(f"{counts[key]:,}" for key in VERDICTS)]
        return "".join(f'<td class="bar">{self.bar(counts, most) if most else ""}</td>' if number is None
                       else f'<td class="number">{html.escape(number)}</td>' for number in numbers[:len(columns)])

    def table(self, label, columns, rows):
        self.write(f'<div class="scroll" role="region" tabindex="0" aria-label="{html.escape(label)}"><table><thead><tr>',
                   "".join(f'<th scope="col">{column}</th>' for column in columns), "</tr></thead><tbody>")
        for name, cells in rows:
            self.write(f'<tr><th scope="row">{name}</th>{cells}</tr>')
        self.write("</tbody></table></div>")

    def missing(self, counts):
        if counts["answers"]:
            self.write(f'<p class="quiet">{count(counts["answers"], "answer")} without this value.</p>')

    def rows(self, table, name, columns=COLUMNS, more=lambda name: ""):
        """Returns the rows with the most answers, and one row for all others."""
        shown, rest = table["rows"][:ROWS], table["rows"][ROWS:]
        most = shown[0]["answers"] if shown else 0
        rows = [(name(row["name"]), self.cells(row, most, columns) + more(row["name"])) for row in shown]
        if rest or table["other"]["answers"]:
            words = f"and {count(len(rest), 'other')}"
            if table["other"]["answers"]:
                words += ", and all that came after the first 10,000 names"
            rows.append((words, self.cells(add(table["other"], *rest), 0, columns) + (more("") and "<td></td>")))
        return rows

    def section(self, key, title, column, absence=None):
        table = self.summary[key]
        if not table["rows"] and not absence:
            return
        self.write(f'<section id="{title.lower().replace(" ", "-")}"><h2>{title}</h2>')
        if table["rows"]:
            self.table(title, [column, *COLUMNS], self.rows(table, lambda name: text(name) or "empty"))
            self.missing(table["none"])
        else:
            self.write(f'<p class="quiet">{absence}</p>')
        self.write("</section>")

    def reasons(self):
        """Writes the failures with their meanings, and a guide to each code."""
        if not self.summary["reasons"]["rows"]:
            return
        self.write('<section id="reasons"><h2>Reasons</h2>',
                   '<p class="quiet">The first and most specific failure of each answer. Each code links to its guide.</p>')
        shown = []
        for key in ("reasons", "codes"):
            shown += [row["name"] for row in self.summary[key]["rows"][:ROWS] if row["name"] in self.guides and row["name"] not in shown]

        def name(code):
            return f'<a href="#code-{shown.index(code)}"><code>{text(code)}</code></a>' if code in shown else f"<code>{text(code)}</code>"

        def meaning(code):
            guide = self.guides.get(code)
            return f"<td>{prose(guide['meaning']) if guide else 'This version doesn’t know this code.'}</td>"

        self.table("Reasons", ["Code", *FEW, "Meaning"], self.rows(self.summary["reasons"], name, FEW, meaning))
        self.write("<details><summary>Answers by all of their failures</summary>",
                   '<p class="quiet">An answer counts once for each of its codes, so the numbers add up to more than the number of answers.</p>')
        self.table("Answers by all of their failures", ["Code", *FEW, "Meaning"], self.rows(self.summary["codes"], name, FEW, meaning))
        self.write("</details>")
        if shown:
            self.write("<h3>Meanings and remedies</h3>")
        for place, code in enumerate(shown):
            guide = self.guides[code]
            self.write(f'<details id="code-{place}"><summary><code>{text(code)}</code></summary>',
                       f"<p>{prose(guide['meaning'])}</p><p>{prose(guide['sign'])}</p>")
            for title, key in (("Usual causes", "causes"), ("On the server", "serverRemedies"), ("Never", "never")):
                if guide[key]:
                    self.write(f"<h4>{title}</h4><ul>{''.join(f'<li>{prose(line)}</li>' for line in guide[key])}</ul>")
            self.write(f"<p><code>servertrust explain {text(code)}</code></p></details>")
        self.write("</section>")

    def validity(self):
        table = self.summary["validity"]
        most = max(row["answers"] for row in table["rows"])
        if not most:
            return
        self.write('<section id="validity"><h2>Validity</h2>')
        self.table("Validity", ["Validity of the leaf", *COLUMNS, "Meaning"],
                   [(text(row["name"]), self.cells(row, most) + f"<td>{text(row['meaning'])}</td>") for row in table["rows"]])
        self.missing(table["none"])
        self.write("</section>")

    # Expiry

    def periods(self):
        """Returns the unit of the chart, and its periods with their counts, each with a tone.

        The chart starts in the week of the run, unless most certificates have expired by then, or the run has no date: then
        where the first 2 % have expired. It has weeks if three quarters of the others expire within a year, else months if
        they do within three years, else years. A week belongs to the month and the year of its Monday.
        """
        expiry = self.summary["expiry"]
        weeks = [(datetime.date.fromisoformat(week["week"]), week) for week in expiry["weeks"]]
        total = sum(week["answers"] for _, week in weeks) + expiry["before"]["answers"] + expiry["after"]["answers"]
        date = self.summary["run"]["evaluationDate"]
        today = datetime.date.fromisoformat(date[:10]) if date else None
        now = today - datetime.timedelta(today.weekday()) if today else None
        if not total:
            return "week", []
        left = sum(week["answers"] for monday, week in weeks if now and monday >= now) + expiry["after"]["answers"]
        first = min(max(now, WEEKS[0]), WEEKS[1]) if now and 2 * left >= total else None
        passed = expiry["before"]["answers"]
        for monday, week in weeks:
            passed += week["answers"]
            first = first or (monday if passed > total // 50 else None)
        first = first or (weeks[-1][0] if weeks else WEEKS[0])
        later = [(monday, week) for monday, week in weeks if monday >= first]
        units = {
            "week": lambda day: (day - first).days // 7,
            "month": lambda day: (day.year - first.year) * 12 + day.month - first.month,
            "year": lambda day: day.year - first.year,
        }
        ends = {"week": 53, "month": 36, "year": 100}
        whole = sum(week["answers"] for _, week in later)
        enough = whole - whole // 4
        unit = next(unit for unit in units if unit == "year" or
                    sum(week["answers"] for monday, week in later if units[unit](monday) < ends[unit]) >= enough)
        number, end = units[unit], ends[unit]
        zero = {key: 0 for key in ("answers", *VERDICTS)}
        inside = [(number(monday), week) for monday, week in later if number(monday) < end]
        periods = [[self.label(unit, first, place), dict(zero), self.due(unit, place - number(now) if now else None)]
                   for place in range(max((place for place, _ in inside), default=-1) + 1)]
        for place, week in inside:
            periods[place][1] = add(periods[place][1], week)
        before = add(expiry["before"], *(week for monday, week in weeks if monday < first))
        after = add(expiry["after"], *(week for monday, week in later if number(monday) >= end))
        if before["answers"]:
            periods.insert(0, [f"before {first}", before, "bad" if now else "note"])
        if after["answers"]:
            periods.append(["later", after, "note"])
        return unit, periods

    @staticmethod
    def label(unit, first, place):
        if unit == "week":
            return f"week of {first + datetime.timedelta(7 * place)}"
        if unit == "month":
            months = first.year * 12 + first.month - 1 + place
            return f"{datetime.date(months // 12, months % 12 + 1, 1):%b %Y}"
        return str(first.year + place)

    @staticmethod
    def due(unit, distance):
        """Returns the tone of a period. The certificates to renew next expire within about a month."""
        if distance is None:
            return "note"
        return "bad" if distance < 0 else "caution" if distance <= {"week": 4, "month": 1, "year": 0}[unit] else "note"

    def expiry(self):
        unit, periods = self.periods()
        if not periods:
            return
        self.write('<section id="expiry"><h2>When certificates expire</h2>',
                   f'<p class="quiet">Leaf certificates by the {unit} when they expire, in UTC. '
                   + ("Weeks begin on Monday." if unit == "week" else f"A week belongs to the {unit} of its Monday.") + "</p>")
        most = max(counts["answers"] for _, counts, _ in periods)
        highest = sorted(periods, key=lambda period: -period[1]["answers"])[:5]
        words = f"Certificates by the {unit} when they expire. The highest: " + ", ".join(
            f"{name}: {counts['answers']:,}" for name, counts, _ in highest) + "."
        width = 1000 / len(periods)
        columns = []
        for place, (name, counts, tone) in enumerate(periods):
            height = 150 * counts["answers"] / most
            columns.append(f'<rect class="{tone}" x="{place * width + 1:.1f}" y="{160 - height:.1f}" width="{width - 2:.1f}" '
                           f'height="{height:.1f}"><title>{name}: {counts["answers"]:,}</title></rect>')
            if counts["answers"] == most or place in (0, len(periods) - 1):
                anchor = "end" if place > len(periods) / 2 else "start"
                columns.append(f'<text x="{place * width + (width if anchor == "end" else 0):.1f}" y="{152 - height:.1f}" '
                               f'text-anchor="{anchor}">{short(counts["answers"])}</text>')
        columns.append(f'<text x="0" y="176">{periods[0][0]}</text><text x="1000" y="176" text-anchor="end">{periods[-1][0]}</text>')
        self.write(f'<svg role="img" aria-label="{html.escape(words)}" viewBox="0 -10 1000 190">{"".join(columns)}</svg>',
                   "<details><summary>The chart as a table</summary>")
        self.table("Certificate expiry", ["When", *COLUMNS],
                   [(name, self.cells(counts, most)) for name, counts, _ in periods if counts["answers"]])
        self.write("</details>")
        self.missing(self.summary["expiry"]["none"])
        self.write("</section>")

    def page(self):
        self.write('<!DOCTYPE html>', '<html lang="en"><head><meta charset="utf-8">',
                   '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
                   '<meta name="viewport" content="width=device-width, initial-scale=1">',
                   f"<title>{html.escape(self.headline())} · audit</title><style>{STYLE}</style></head><body><main>")
        self.banner()
        contents = len(self.out)
        if self.all["answers"]:
            self.reasons()
            self.section("issuers", "Issuers", "Issuer of the leaf")
            self.section("roots", "Roots", "Trust anchor")
            self.section("keys", "Keys", "Key of the leaf")
            self.section("signatureAlgorithms", "Signature algorithms", "Signature of the leaf")
            self.validity()
            self.expiry()
            self.section("transparency", "Certificate Transparency", "Finding",
                         "No answer has a result: this run didn’t check Certificate Transparency.")
            self.section("revocation", "Revocation", "Status of the leaf",
                         "No answer has a status: this run didn’t check revocation.")
        titles = re.findall(r'<section id="([\w-]+)"><h2>([^<]*)</h2>', "".join(self.out[contents:]))
        links = "".join(f'<li><a href="#{key}">{title}</a></li>' for key, title in titles)
        self.out.insert(contents, f'<nav aria-label="Sections"><ul>{links}</ul></nav>' if titles else "")
        self.write("</main></body></html>")
        return "".join(self.out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("summary", help="the file that --summary wrote")
    parser.add_argument("--tool", default="servertrust", help="the command that explains the codes")
    options = parser.parse_args()
    with open(options.summary, encoding="utf-8") as file:
        summary = json.load(file)
    if summary["schemaVersion"] != 1:
        sys.exit(f"page: {options.summary} has schemaVersion {summary['schemaVersion']}, expected 1")
    try:
        listed = subprocess.run([options.tool, "explain", "--list", "--format", "json"], capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"page: {error}; name the command with --tool")
    guides = {guide["code"]: guide for guide in json.loads(listed)}
    sys.stdout.write(Page(summary, guides).page())


if __name__ == "__main__":
    main()
