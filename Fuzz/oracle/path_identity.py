# SPDX-License-Identifier: Apache-2.0
"""The identity check: RFC 9525 § 6 against the subjectAltName extension."""
import functools
import ipaddress
import os

import path_constraints as constraints
import path_extensions as extensions

PUBLIC_SUFFIX_LIST = os.environ.get("PUBLIC_SUFFIX_LIST", "/usr/share/publicsuffix/public_suffix_list.dat")


@functools.lru_cache(maxsize=1)
def suffix_rules():
    """The rules of the public suffix list, of both of its parts. Without the list every top-level domain is a suffix."""
    if not os.path.exists(PUBLIC_SUFFIX_LIST):
        return frozenset()
    with open(PUBLIC_SUFFIX_LIST, encoding="utf-8") as file:
        rules = {line.split()[0] for line in file if line.strip() and not line.startswith("//")}
    return frozenset(rule if rule.isascii() else ascii_form(rule) for rule in rules)


def ascii_form(host):
    """The A-labels of a name (RFC 9525 § 6.3)."""
    try:
        return ".".join(label if label in ("*", "") else label.encode("idna").decode("ascii") for label in host.split("."))
    except UnicodeError:
        return host


def is_public_suffix(labels):
    """Whether the labels are a public suffix. An exception rule ("!") prevails, then the longest rule, then "*"."""
    rules, name = suffix_rules(), ".".join(labels)
    if "!" + name in rules:
        return False
    return len(labels) == 1 or name in rules or ".".join(["*"] + labels[1:]) in rules


def address(host):
    """The octets of an IP literal, or None."""
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    try:
        return None if "%" in host else ipaddress.ip_address(host).packed
    except ValueError:
        return None


def dns_matches(presented, reference):
    """§ 6.3: label by label regardless of case, or a whole leftmost label "*" that isn't directly above a public suffix."""
    if presented.lower().split(".") == reference:
        return True
    if not presented.startswith("*."):
        return False
    rest = presented[2:].lower().split(".")
    return rest == reference[1:] and not is_public_suffix(rest)


def identity_matches(certificate, host):
    """RFC 9525 § 6: the common name never counts, an IP literal matches an iPAddress only."""
    presented = certificate.get(extensions.SUBJECT_ALT_NAME) or ()
    packed = address(host)
    if packed is not None:
        return ("iPAddress", packed) in presented
    try:
        reference = constraints.labels(ascii_form(host.removesuffix(".")))
    except constraints.Unprocessable:
        return False
    if reference[-1].isdigit():
        return False
    return any(form == "dNSName" and dns_matches(name, reference) for form, name in presented)
