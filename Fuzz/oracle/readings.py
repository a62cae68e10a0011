# SPDX-License-Identifier: Apache-2.0
"""Readings of the standard that differ from the oracle's. Each changes one rule during one query.

If the engine accepts a path that the oracle lacks, the oracle searches again under wider readings. If it then has the path,
it has also checked every other rule. If the engine refuses what the oracle accepts, stricter readings must leave no path.
reasons.toml explains why each reading may differ.
"""
import base64
import contextlib
import hashlib

import path_certificates
import path_constraints
import path_der
import path_extensions
import path_names

NAMES = (path_extensions.SUBJECT_ALT_NAME, path_extensions.ISSUER_ALT_NAME)
EMPTY = b"\x30\x00"


@contextlib.contextmanager
def replaced(table, changes):
    """Replaces members of a table, and clears the cache of certificates parsed by the old ones."""
    before = {key: table[key] for key in changes}
    table.update(changes)
    forget()
    try:
        yield
    finally:
        table.update(before)
        forget()


def forget():
    path_certificates.read.cache_clear()
    path_names.parse_name_bytes.cache_clear()


def empty_alternative_names(request, path):
    """Alternative names may be without a name."""
    parsers = {key: path_extensions.PARSERS[key] for key in NAMES}
    empty = lambda parser: lambda data: () if data == EMPTY else parser(data)
    return request, replaced(path_extensions.PARSERS, {key: empty(parser) for key, parser in parsers.items()})


def dot_in_front(request, path):
    """A dNSName constraint may have a dot in front: only the names below it, and the name itself if it is excluded."""
    permitted, excluded = path_constraints.dns_permitted, path_constraints.dns_excluded

    def below(name, base):
        if not base.startswith("."):
            return permitted(name, base)
        plain = name.removeprefix("*.")
        return permitted(name, base[1:]) and (plain != name or plain.lower() != base[1:].lower())

    return request, together(
        replaced(path_constraints.PERMITTED, {"dNSName": below}),
        replaced(path_constraints.EXCLUDED, {"dNSName": lambda name, base: excluded(name, base.removeprefix("."))}),
    )


@contextlib.contextmanager
def together(*managers):
    with contextlib.ExitStack() as stack:
        for one in managers:
            stack.enter_context(one)
        yield


def above_anchor(request, path):
    """An anchor that isn't the last certificate of the path is an intermediate of it."""
    passed = set(path[:-1])
    stepped = [one for one in request["anchors"] if hashlib.sha256(base64.b64decode(one)).hexdigest() in passed]
    rest = [one for one in request["anchors"] if one not in stepped]
    return {**request, "anchors": rest, "intermediates": [*request.get("intermediates", []), *stepped]}, contextlib.nullcontext()


def ascii_in_teletex(request, path):
    """A TeletexString of ASCII characters is the text that they are. RFC 4518 § 2.1: "the mapping is left a local matter"."""
    transcoded = path_names.transcoded

    def with_teletex(tag, value):
        return value.decode("ascii") if tag == path_der.TELETEX and value.isascii() else transcoded(tag, value)

    return request, replaced(vars(path_names), {"transcoded": with_teletex})


WIDER = {
    "ASCII in TeletexString": ascii_in_teletex, "empty alternative names": empty_alternative_names,
    "dot in front of a constraint": dot_in_front, "above an anchor": above_anchor,
}  # fmt: skip


def paths_under(table, names, request, path, oracle):
    """The oracle's paths under some readings."""
    with contextlib.ExitStack() as stack:
        for name in names:
            request, manager = table[name](request, path)
            stack.enter_context(manager)
        return oracle(request)["paths"]


def fewest(names, is_enough):
    """The names that are enough together, without each that can be left out; nothing if all aren't enough."""
    names = list(names)
    if not is_enough(names):
        return []
    for name in list(names):
        rest = [one for one in names if one != name]
        if is_enough(rest):
            names = rest
    return names


def accepting(request, path, oracle):
    """The readings under which the oracle has a path. It gets the certificates of the path only: others don't matter to it."""
    on_path = lambda texts: [one for one in texts if hashlib.sha256(base64.b64decode(one)).hexdigest() in path]
    leaf, *others = request["chain"]
    further = on_path(request.get("intermediates", []))
    small = {**request, "chain": [leaf, *on_path(others)], "intermediates": further, "anchors": on_path(request["anchors"])}
    return fewest(WIDER, lambda names: list(path) in paths_under(WIDER, names, small, path, oracle))


def reading_leaf(request, oracle):
    """The readings under which the oracle can read the leaf."""
    request, manager = empty_alternative_names(request, None)
    with manager:
        return ["reading: empty alternative names"] if oracle(request)["readable"] else []


# Stricter readings: under these the oracle has fewer paths.


def letters_of_local_parts(request, path):
    """An excluded mailbox excludes those whose local part differs in case."""
    within = path_constraints.mail_within
    return request, replaced(path_constraints.EXCLUDED, {"rfc822Name": lambda name, base: within(name.lower(), base.lower())})


def policy_twice(request, path):
    """An extension that has a policy twice asserts no policy."""
    parser = path_extensions.PARSERS[path_extensions.POLICIES]

    def without_repeated(data):
        found = parser(data)
        return found if len({policy for policy, _, _ in found}) == len(found) else ()

    return request, replaced(path_extensions.PARSERS, {path_extensions.POLICIES: without_repeated})


def unchanged(request, path):
    return request, contextlib.nullcontext()


def repeats(path):
    """Whether two certificates above the leaf have the same name and key."""
    pairs = [(one.subject, one.spki_hash) for one in path[1:]]
    return len(set(pairs)) < len(pairs)


def empty_issuer(path):
    """Whether a certificate below the anchor names no issuer."""
    return any(not one.issuer for one in path[:-1])


def directory_attributes(path):
    """Whether a certificate has a critical subjectDirectoryAttributes extension, which nothing here or there processes."""
    return any(path_extensions.SUBJECT_DIRECTORY_ATTRIBUTES in one.critical for one in path)


REFUSED = {
    "a name and key twice": repeats, "an issuer without a name": empty_issuer, "critical subjectDirectoryAttributes": directory_attributes,
}  # fmt: skip
STRICTER = {
    "case of local parts": letters_of_local_parts, "ASCII in TeletexString": ascii_in_teletex, "a policy twice": policy_twice,
    **dict.fromkeys(REFUSED, unchanged),
}  # fmt: skip


def refusing(request, known, oracle, is_allowed):
    """The readings under which the oracle has no path, but for those that lists deny."""

    def is_empty(names):
        try:
            paths = [path for path in paths_under(STRICTER, names, request, None, oracle) if is_allowed(path)]
        except RuntimeError:
            # More paths than the oracle tries.
            return False
        parsed = [[path_certificates.read(known[digest]) for digest in path] for path in paths]
        return all(any(REFUSED[name](path) for name in names if name in REFUSED) for path in parsed)

    return fewest(STRICTER, is_empty)
