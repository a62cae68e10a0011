# SPDX-License-Identifier: Apache-2.0
"""The syntax of the certificate extensions of RFC 5280 § 4.2. `PARSERS` maps an extension's identifier to its parser."""
import path_der as der
import path_names as names

ANY_POLICY = "2.5.29.32.0"
QUALIFIER_CPS, QUALIFIER_NOTICE = "1.3.6.1.5.5.7.2.1", "1.3.6.1.5.5.7.2.2"

SUBJECT_DIRECTORY_ATTRIBUTES, SUBJECT_KEY, KEY_USAGE = "2.5.29.9", "2.5.29.14", "2.5.29.15"
SUBJECT_ALT_NAME, ISSUER_ALT_NAME, BASIC_CONSTRAINTS, NAME_CONSTRAINTS = "2.5.29.17", "2.5.29.18", "2.5.29.19", "2.5.29.30"
CRL_POINTS, POLICIES, MAPPINGS, AUTHORITY_KEY = "2.5.29.31", "2.5.29.32", "2.5.29.33", "2.5.29.35"
POLICY_CONSTRAINTS, EXTENDED_KEY_USAGE, FRESHEST_CRL, INHIBIT_ANY = "2.5.29.36", "2.5.29.37", "2.5.29.46", "2.5.29.54"
AUTHORITY_ACCESS, SUBJECT_ACCESS = "1.3.6.1.5.5.7.1.1", "1.3.6.1.5.5.7.1.11"


def optional_fields(data, one, tags, tag=der.SEQUENCE):
    """The members of a SEQUENCE of OPTIONAL fields, by tag, in the order of `tags`."""
    found, at = {}, 0
    for member in der.children(data, one, tag):
        while at < len(tags) and tags[at] != member[0]:
            at += 1
        if at == len(tags):
            raise der.Malformed("SEQUENCE")
        found[member[0]] = member
        at += 1
    return found


def authority_key(data):
    """§ 4.2.1.1."""
    fields = optional_fields(data, der.whole(data, der.SEQUENCE), (0x80, 0xA1, 0x82))
    if 0xA1 in fields:
        names.general_names(data, fields[0xA1], 0xA1)
    if 0x82 in fields:
        der.integer(data, fields[0x82], 0x82)


def subject_key(data):
    """§ 4.2.1.2."""
    der.whole(data, der.OCTET_STRING)


def key_usage(data):
    """§ 4.2.1.3: the set of the asserted bits."""
    return der.named_bits(data, der.whole(data, der.BIT_STRING))


def display_text(data, one):
    if one[0] not in (der.IA5, der.VISIBLE, der.BMP, der.UTF8):
        raise der.Malformed("DisplayText")
    if der.text(one[0], data[one[2]:one[3]]) == "":
        raise der.Malformed("empty DisplayText")


def user_notice(data, one):
    fields = der.children(data, one)
    if fields and fields[0][0] == der.SEQUENCE:
        reference = der.children(data, fields.pop(0))
        if len(reference) != 2:
            raise der.Malformed("NoticeReference")
        display_text(data, reference[0])
        for number in der.children(data, reference[1]):
            der.integer(data, number)
    if fields:
        display_text(data, fields.pop(0))
    if fields:
        raise der.Malformed("UserNotice")


def policies(data):
    """§ 4.2.1.4: a tuple of (policy, its qualifier set as bytes, whether every qualifier is known)."""
    found = []
    for one in der.sequence_of(data, der.whole(data, der.SEQUENCE)):
        fields = der.children(data, one)
        if not 1 <= len(fields) <= 2:
            raise der.Malformed("PolicyInformation")
        policy, qualifiers, known = der.oid(data, fields[0]), b"", True
        if len(fields) == 2:
            qualifiers = der.encoding(data, fields[1])
            for qualifier in der.sequence_of(data, fields[1]):
                parts = der.children(data, qualifier)
                if len(parts) != 2:
                    raise der.Malformed("PolicyQualifierInfo")
                kind = der.oid(data, parts[0])
                if kind == QUALIFIER_CPS:
                    der.ia5(data, parts[1])
                elif kind == QUALIFIER_NOTICE:
                    user_notice(data, parts[1])
                else:
                    der.any_value(data, parts[1])
                    known = False
        found.append((policy, qualifiers, known))
    return tuple(found)


def mappings(data):
    """§ 4.2.1.5: a tuple of (issuerDomainPolicy, subjectDomainPolicy)."""
    found = []
    for one in der.sequence_of(data, der.whole(data, der.SEQUENCE)):
        fields = der.children(data, one)
        if len(fields) != 2:
            raise der.Malformed("PolicyMappings")
        found.append((der.oid(data, fields[0]), der.oid(data, fields[1])))
    return tuple(found)


def alternative_names(data):
    """§ 4.2.1.6 and § 4.2.1.7."""
    return names.general_names(data, der.whole(data, der.SEQUENCE))


def directory_attributes(data):
    """§ 4.2.1.8."""
    for one in der.sequence_of(data, der.whole(data, der.SEQUENCE)):
        fields = der.children(data, one)
        if len(fields) != 2:
            raise der.Malformed("Attribute")
        der.oid(data, fields[0])
        values = der.sequence_of(data, fields[1], der.SET)
        der.ascending(data, values)
        for value in values:
            der.any_value(data, value)


def basic_constraints(data):
    """§ 4.2.1.9: (cA, pathLenConstraint or None)."""
    fields = optional_fields(data, der.whole(data, der.SEQUENCE), (der.BOOLEAN, der.INTEGER))
    authority = der.BOOLEAN in fields
    if authority and not der.boolean(data, fields[der.BOOLEAN]):
        raise der.Malformed("encoded default")
    return authority, der.natural(data, fields[der.INTEGER]) if der.INTEGER in fields else None


def name_constraints(data):
    """§ 4.2.1.10: (permitted, excluded), each a tuple of bases or None. Minimum and maximum must be absent."""
    fields = optional_fields(data, der.whole(data, der.SEQUENCE), (0xA0, 0xA1))
    found = []
    for tag in (0xA0, 0xA1):
        bases = None
        if tag in fields:
            bases = []
            for one in der.sequence_of(data, fields[tag], tag):
                parts = der.children(data, one)
                if len(parts) != 1:
                    raise der.Malformed("GeneralSubtree")
                bases.append(names.general_name(data, parts[0]))
            bases = tuple(bases)
        found.append(bases)
    return tuple(found)


def policy_constraints(data):
    """§ 4.2.1.11: (requireExplicitPolicy or None, inhibitPolicyMapping or None)."""
    fields = optional_fields(data, der.whole(data, der.SEQUENCE), (0x80, 0x81))
    return tuple(der.natural(data, fields[tag], tag) if tag in fields else None for tag in (0x80, 0x81))


def extended_key_usage(data):
    """§ 4.2.1.12."""
    return frozenset(der.oid(data, one) for one in der.sequence_of(data, der.whole(data, der.SEQUENCE)))


def crl_points(data):
    """§ 4.2.1.13 and § 4.2.1.15."""
    for point in der.sequence_of(data, der.whole(data, der.SEQUENCE)):
        fields = optional_fields(data, point, (0xA0, 0x81, 0xA2))
        if 0xA0 in fields:
            inner = der.elements(data, fields[0xA0][2], fields[0xA0][3])
            if len(inner) != 1 or inner[0][0] not in (0xA0, 0xA1):
                raise der.Malformed("DistributionPointName")
            if inner[0][0] == 0xA0:
                names.general_names(data, inner[0], 0xA0)
            else:
                names.parse_relative(data, (der.SET, *inner[0][1:]))
        if 0x81 in fields:
            der.named_bits(data, fields[0x81], 0x81)
        if 0xA2 in fields:
            names.general_names(data, fields[0xA2], 0xA2)


def inhibit_any(data):
    """§ 4.2.1.14."""
    return der.natural(data, der.whole(data, der.INTEGER))


def access(data):
    """§ 4.2.2.1 and § 4.2.2.2."""
    for one in der.sequence_of(data, der.whole(data, der.SEQUENCE)):
        fields = der.children(data, one)
        if len(fields) != 2:
            raise der.Malformed("AccessDescription")
        der.oid(data, fields[0])
        names.general_name(data, fields[1])


PARSERS = {
    SUBJECT_DIRECTORY_ATTRIBUTES: directory_attributes, SUBJECT_KEY: subject_key, KEY_USAGE: key_usage,
    SUBJECT_ALT_NAME: alternative_names, ISSUER_ALT_NAME: alternative_names, BASIC_CONSTRAINTS: basic_constraints,
    NAME_CONSTRAINTS: name_constraints, CRL_POINTS: crl_points, POLICIES: policies, MAPPINGS: mappings,
    AUTHORITY_KEY: authority_key, POLICY_CONSTRAINTS: policy_constraints, EXTENDED_KEY_USAGE: extended_key_usage,
    FRESHEST_CRL: crl_points, INHIBIT_ANY: inhibit_any, AUTHORITY_ACCESS: access, SUBJECT_ACCESS: access,
}
