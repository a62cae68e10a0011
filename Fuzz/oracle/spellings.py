# SPDX-License-Identifier: Apache-2.0
"""Names of authorities in several spellings: some are the same name by RFC 5280 § 7.1, and some only look the same."""
import unicodedata

import der

FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
LOOKALIKES = str.maketrans({"A": "А", "o": "о", "e": "е", "i": "ı", "0": "O", "1": "l", "ä": "a", "é": "e"})
ASCII_FORMS = ("utf8", "printable")
WIDE_FORMS = ("bmp", "universal", "teletex")


def fits(text, form):
    """Whether a string type has all characters of a text."""
    if form == "printable":
        return all(one.isascii() and (one.isalnum() or one in " '()+,-./:=?") for one in text)
    return form in ("utf8", "bmp", "universal") or text.isascii()


def encode(relative_names):
    """A name of relative names, each a list of (type, text, string type)."""
    sets = (der.set_of(*(der.attribute(kind, der.string(text, form)) for kind, text, form in one)) for one in relative_names)
    return der.sequence(*sets)


def same_text(text, form, r):
    """Returns an equal text and its string type. The cases come from RFC 4518 §§ 2.1 to 2.6."""
    way = r.randrange(9)
    if way == 0:
        return text.swapcase() if text.isascii() else text.upper(), form
    if way == 1:
        return text.lower(), form
    if way == 2:
        return text.replace(" ", "   "), form
    if way == 3:
        return f"  {text} ", form
    if way == 4 and form in ASCII_FORMS:
        other = "printable" if form == "utf8" else "utf8"
        return text, other if fits(text, other) else form
    if way == 5 and form == "utf8":
        return unicodedata.normalize("NFD", text), form
    if way == 6 and form == "utf8":
        # Mapped to nothing: a soft hyphen, a zero-width space, a word joiner.
        place = r.randrange(len(text) + 1)
        return text[:place] + r.choice("\u00ad\u200b\u2060") + text[place:], form
    if way == 7 and form == "utf8":
        return text.translate(FULL_WIDTH), form
    if way == 8 and r.random() < 0.3:
        other = r.choice(WIDE_FORMS)
        return text, other if fits(text, other) else form
    return text.upper() if text.isascii() else text, form


def same(relative_names, r):
    """Another spelling of the same name: texts in other forms, and the attributes of a set in another order."""
    spell = lambda kind, text, form: (text.lower(), form) if form == "ia5" or kind == der.C else same_text(text, form, r)
    return [[(kind, *spell(kind, text, form)) for kind, text, form in one] for one in relative_names]


def other(relative_names, r):
    """A name that looks the same and isn't."""
    names = [list(one) for one in relative_names]
    kind, text, form = names[-1][0]
    way = r.randrange(7)
    if way == 0:
        names[-1][0] = (kind, text.replace(" ", ""), form)
    elif way == 1:
        names[-1][0] = (kind, text.translate(LOOKALIKES), "utf8")
    elif way == 2 and len(names) > 1:
        names[-1], names[-2] = names[-2], names[-1]
    elif way == 3 and len(names) > 1:
        names[-2:] = [names[-2] + names[-1]]
    elif way == 4:
        names[-1][0] = (der.OU, text, form)
    elif way == 5 and len(names) > 2:
        names.pop(1)
    else:
        names[-1][0] = (kind, text + ".", form)
    return names if encode(names) != encode(relative_names) else [*names, [(der.OU, "Unit", "utf8")]]


class Entity:
    """An authority: a name with its spellings, and numbers of keys. Graphs of one seed share them."""

    def __init__(self, number, relative_names, r):
        self.number, self.relative_names = number, relative_names
        self.name = encode(relative_names)
        self.same = [encode(same(relative_names, r)) for _ in range(6)]
        self.others = [encode(other(relative_names, r)) for _ in range(5)]

    def spelled(self, r, chance=0.15):
        """The name in its first spelling, or sometimes in another one."""
        return r.choice(self.same) if r.random() < chance else self.name


WORDS = ("Authority", "Trust Services", "Zertifizierungsstelle für Straßen", "Autorité de Séoul", "Root CA", "Issuing CA")


def entity(number, r):
    """The authority of a number, with one to four relative names."""
    text = f"{WORDS[number % len(WORDS)]} {number}"
    form = "printable" if fits(text, "printable") and r.random() < 0.5 else "utf8"
    names = [[(der.C, "XX", "printable")], [(der.O, "Graph Works", r.choice(ASCII_FORMS))], [(der.CN, text, form)]]
    style = number % 8
    if style == 1:
        names[1].append((der.OU, "Unit A", "utf8"))
    elif style == 2:
        names = [[("0.9.2342.19200300.100.1.25", "com", "ia5")], [("0.9.2342.19200300.100.1.25", "example", "ia5")], *names[2:]]
    elif style == 3:
        names = names[2:]
    elif style == 4:
        names.append([(der.EMAIL, "ca@example.com", "ia5")])
    return Entity(number, names, r)
