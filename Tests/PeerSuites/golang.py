# SPDX-License-Identifier: Apache-2.0
"""Parses Go's composite literals, which its tests use for tables."""
import ast
import re
from dataclasses import dataclass

from reading import balanced

QUOTES = "'\"`"
IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
# The types that may precede a literal's brace: []string, [][]constraintsSpec, leafSpec, asn1.ObjectIdentifier.
TYPE = re.compile(r"(?:\[\])*[A-Za-z_]\w*(?:\.\w+)*(?=\{)")


@dataclass(frozen=True)
class Source:
    """An expression that the parser keeps as text: an identifier, a call, a function."""

    text: str


def without_comments(text):
    """Removes comments from Go text, but not from strings."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|`[^`]*`|\'(?:\\.|[^\'\\])+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return pattern.sub(lambda match: " " if match[0].startswith("/") else match[0], text)


class Reader:
    """Reads the value at an index. Structures become dictionaries, slices become lists."""

    def __init__(self, text, index=0):
        self.text, self.index = text, index

    def skip(self):
        while self.index < len(self.text) and self.text[self.index] in " \t\r\n,":
            self.index += 1
        return self.text[self.index:self.index + 1]

    def value(self):
        char = self.skip()
        text, start = self.text, self.index
        if char == "{":
            return self.composite()
        if char == '"':
            match = re.compile(r'"(?:\\.|[^"\\\n])*"').match(text, start)
            self.index = match.end()
            return ast.literal_eval(match[0])
        if char == "`":
            self.index = text.index("`", start + 1) + 1
            return text[start + 1:self.index - 1]
        if match := re.compile(r"-?(?:0x[0-9a-fA-F]+|\d+)").match(text, start):
            self.index = match.end()
            return int(match[0], 0)
        if match := re.compile(r"make\(\[\]\w+, (\d+)\)").match(text, start):
            self.index = match.end()
            return [{} for _ in range(int(match[1]))]
        if text.startswith("func(", start):
            self.index = balanced(text, text.index("{", balanced(text, start + 4, QUOTES)), QUOTES)
            return Source(text[start:self.index])
        if match := TYPE.match(text, start):
            self.index = match.end()
            return self.composite()
        match = IDENTIFIER.match(text, start)
        if not match:
            raise SystemExit(f"Go: can't be read: {text[start:start + 60]!r}")
        self.index = match.end()
        if text[self.index] == "(":
            self.index = balanced(text, self.index, QUOTES)
        return {"true": True, "false": False, "nil": None}.get(match[0], Source(text[start:self.index]))

    def composite(self):
        self.index += 1
        listed, named = [], {}
        while self.skip() != "}":
            key = re.compile(r"([A-Za-z_]\w*)\s*:").match(self.text, self.index)
            if key:
                self.index = key.end()
                named[key[1]] = self.value()
            else:
                listed.append(self.value())
        self.index += 1
        if listed and named:
            raise SystemExit("Go: a literal with and without names of fields")
        # An empty literal may be a structure or a slice. Both are falsy, and callers use `.get` for structures.
        return listed or named


def table(text, opening):
    """Returns the rows of the literal after `opening`, a regular expression that ends before the brace."""
    found = re.search(opening, text)
    if not found:
        raise SystemExit(f"Go: no table {opening}")
    return Reader(text, text.index("{", found.end())).composite()


def constants(text):
    """Returns the backquoted strings of `const NAME = ...` and `var NAME = ...`."""
    return {name: value for name, value in re.findall(r"(?:const|var) (\w+) = `([^`]*)`", text)}


def function(text, name):
    """Returns the text of a function's body."""
    start = re.search(rf"func {name}\(", text).end() - 1
    brace = text.index("{", balanced(text, start, QUOTES))
    return text[brace:balanced(text, brace, QUOTES)]
