# SPDX-License-Identifier: Apache-2.0
"""Distinguished names and general names: their syntax (RFC 5280 § 4.1.2.4, § 4.2.1.6) and their comparison (§ 7.1).

A parsed distinguished name is a tuple of relative names. Two names match (§ 7.1) if and only if their tuples are equal.
"""
import functools
import stringprep
import unicodedata

import path_der as der

EMAIL_ADDRESS = "1.2.840.113549.1.9.1"
DOMAIN_COMPONENT = "0.9.2342.19200300.100.1.25"

MAPPED_TO_SPACE = frozenset([0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029,
                             0x202F, 0x205F, 0x3000])
MAPPED_TO_NOTHING = frozenset([
    0xAD, 0x1806, 0x34F, 0x180B, 0x180C, 0x180D, *range(0xFE00, 0xFE10), 0xFFFC, *range(0x00, 0x09), *range(0x0E, 0x20),
    *range(0x7F, 0x85), *range(0x86, 0xA0), 0x6DD, 0x70F, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F),
    *range(0x2060, 0x2064), *range(0x206A, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC), *range(0x1D173, 0x1D17B), 0xE0001,
    *range(0xE0020, 0xE0080)])


def transcoded(tag, value):
    """RFC 4518 § 2.1, step 1. None means a type without a transcoding, which needs a binary comparison."""
    return der.text(tag, value) if tag in (der.PRINTABLE, der.UTF8, der.BMP, der.UNIVERSAL) else None


def mapped(text):
    """RFC 4518 § 2.2, step 2, with the case folding of RFC 3454 § B.2 (RFC 5280 § 7.1)."""
    out = []
    for character in text:
        code = ord(character)
        if code in MAPPED_TO_SPACE:
            out.append(" ")
        elif code not in MAPPED_TO_NOTHING:
            out.append(stringprep.map_table_b2(character))
    return "".join(out)


def normalized(text):
    """RFC 4518 § 2.3, step 3: form KC of Unicode 3.2."""
    return unicodedata.ucd_3_2_0.normalize("NFKC", text)


def prohibited(text):
    """RFC 4518 § 2.4, step 4."""
    return any(stringprep.in_table_a1(c) or stringprep.in_table_c8(c) or stringprep.in_table_c3(c) or stringprep.in_table_c4(c)
               or stringprep.in_table_c5(c) or c == "\ufffd" for c in text)


def compressed(text):
    """RFC 4518 § 2.6.1, step 6. A space followed by a combining mark isn't a space."""
    held = "".join("\0" if c == " " and text[i + 1:i + 2] and unicodedata.ucd_3_2_0.category(text[i + 1])[0] == "M" else c
                   for i, c in enumerate(text))
    return "  ".join(word for word in held.split(" ") if word).replace("\0", " ")


@functools.lru_cache(maxsize=8192)
def prepared(text):
    """The six steps of RFC 4518 for caseIgnoreMatch, or None if step 4 fails. Step 5 has no effect (§ 2.5)."""
    if text.isascii() and text.isprintable():
        return "  ".join(word for word in text.lower().split(" ") if word)
    text = normalized(mapped(text))
    return None if prohibited(text) else compressed(text)


def attribute(kind, tag, value):
    """The value of an attribute in a form whose equality is the match of § 7.1 (domainComponent: § 7.3; emailAddress: § 4.1.2.6)."""
    if kind in (DOMAIN_COMPONENT, EMAIL_ADDRESS):
        text = der.text(tag, value)
        if text is not None and text.isascii():
            return text.lower()
    text = transcoded(tag, value)
    if text is not None:
        text = prepared(text)
        if text is not None:
            return text
    return tag, value


def parse_relative(data, one):
    """RelativeDistinguishedName ::= SET SIZE (1..MAX) OF AttributeTypeAndValue (§ 4.1.2.4)."""
    members = der.sequence_of(data, one, der.SET)
    if len(members) > 1:
        der.ascending(data, members)
    found = []
    for member in members:
        fields = der.children(data, member)
        if len(fields) != 2:
            raise der.Malformed("AttributeTypeAndValue")
        kind, value = der.oid(data, fields[0]), fields[1]
        der.any_value(data, value)
        found.append((kind, value[0], data[value[2]:value[3]]))
    return found


@functools.lru_cache(maxsize=8192)
def parse_name_bytes(data):
    """(the name as a tuple to compare, the values of its emailAddress attributes)."""
    names, addresses = [], []
    for one in der.children(data, der.whole(data, der.SEQUENCE)):
        relative = parse_relative(data, one)
        addresses += [value.decode("ascii", "replace") for kind, _, value in relative if kind == EMAIL_ADDRESS]
        names.append(tuple(sorted(((kind, attribute(kind, tag, value)) for kind, tag, value in relative), key=repr)))
    return tuple(names), tuple(addresses)


def parse_name(data, one):
    return parse_name_bytes(der.encoding(data, der.expect(one, der.SEQUENCE)))


def within(name, base):
    """§ 7.1: `name` is within the subtree of `base` if they match when trailing RDNs of `name` are ignored."""
    return name[:len(base)] == base


def general_name(data, one):
    """GeneralName (§ 4.2.1.6) as (form, value). The value of a form that nothing here compares is None."""
    tag = one[0]
    if tag == 0x82:
        return "dNSName", der.ia5(data, one, tag)
    if tag == 0x81:
        return "rfc822Name", der.ia5(data, one, tag)
    if tag == 0x86:
        return "uniformResourceIdentifier", der.ia5(data, one, tag)
    if tag == 0x87:
        return "iPAddress", data[one[2]:one[3]]
    if tag == 0x88:
        return "registeredID", der.oid(data, one, tag) and None
    inner = der.elements(data, one[2], one[3])
    if tag == 0xA4 and len(inner) == 1:
        return "directoryName", parse_name(data, inner[0])[0]
    for child in inner:
        der.any_value(data, child)
    if tag == 0xA0 and [c[0] for c in inner] == [der.OID, 0xA0] and len(der.elements(data, inner[1][2], inner[1][3])) == 1:
        return "otherName", None
    if tag == 0xA3 and inner:
        return "x400Address", None
    if tag == 0xA5 and [c[0] for c in inner] in ([0xA1], [0xA0, 0xA1]):
        return "ediPartyName", None
    raise der.Malformed("GeneralName")


def general_names(data, one, tag=der.SEQUENCE):
    """GeneralNames ::= SEQUENCE SIZE (1..MAX) OF GeneralName."""
    return tuple(general_name(data, member) for member in der.sequence_of(data, one, tag))
