# SPDX-License-Identifier: Apache-2.0
"""Name constraints: RFC 5280 § 4.2.1.10, and the state variables of § 6.1.2 (b) and (c)."""
import functools
import re

import path_extensions as extensions
import path_names as names

LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?\Z")
ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
LOCAL_PART = re.compile(rf"""({ATOM}(\.{ATOM})*|"([^"\\\r\n]|\\.)*")\Z""")
AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#@:\[\]]*)(?::[0-9]*)?(?:[/?#].*)?\Z", re.S)


class Unprocessable(ValueError):
    """The application can't process the constraint for this name, so that it must reject the certificate."""


@functools.lru_cache(maxsize=16384)
def labels(host):
    """The labels of a DNS name in the preferred name syntax, lowercased (§ 7.2)."""
    found = host.lower().split(".")
    if len(host) > 253 or any(len(label) > 63 or not LABEL.match(label) for label in found):
        raise Unprocessable(f"not a DNS name: {host!r}")
    return found


def dns_base(base):
    return [] if base == "" else labels(base)


def dns_permitted(name, base):
    """Zero or more labels are added on the left. Each name that a wildcard can match must be inside."""
    suffix = dns_base(base)
    own = labels(name[2:]) if name.startswith("*.") else labels(name)
    return own[len(own) - len(suffix):] == suffix if len(own) >= len(suffix) else False


def dns_excluded(name, base):
    """A wildcard is excluded as soon as a name that it can match is inside (RFC 9525 § 6.3: exactly one label)."""
    if dns_permitted(name, base):
        return True
    if not name.startswith("*."):
        return False
    suffix, own = dns_base(base), labels(name[2:])
    return len(suffix) == len(own) + 1 and suffix[1:] == own


def host_within(host, base):
    """The host part of a URI or a mail address: with a period in front one or more labels more, otherwise that host."""
    if base.startswith("."):
        suffix, own = labels(base[1:]), labels(host)
        return len(own) > len(suffix) and own[len(own) - len(suffix):] == suffix
    return labels(host) == labels(base)


def mail_parts(address):
    """Mailbox = Local-part "@" Domain (RFC 2821 § 4.1.2)."""
    local, at, host = address.rpartition("@")
    if not at or not LOCAL_PART.match(local) or not host:
        raise Unprocessable(f"not a mailbox: {address!r}")
    return local, host


def mail_within(name, base):
    """A mailbox, a host, or the hosts of a domain. § 7.5: the local part is an exact match, the host regardless of case."""
    local, host = mail_parts(name)
    if "@" in base:
        base_local, base_host = mail_parts(base)
        return local == base_local and host.lower() == base_host.lower()
    if host.startswith("["):
        labels(base.removeprefix("."))
        return False
    return host_within(host, base)


def uri_host(uri):
    """The fully qualified domain name of the URI's authority. Without one the application must reject the certificate."""
    match = AUTHORITY.match(uri)
    if not match or not match[1]:
        raise Unprocessable(f"no host name: {uri!r}")
    if labels(match[1])[-1].isdigit():
        raise Unprocessable(f"IP address: {uri!r}")
    return match[1]


def uri_within(name, base):
    return host_within(uri_host(name), base)


def address_within(name, base):
    """An address and a mask in the style of RFC 4632: the ones come first."""
    if len(base) not in (8, 32) or len(name) not in (4, 16):
        raise Unprocessable("octets of an iPAddress")
    half = len(base) // 2
    network, mask = int.from_bytes(base[:half], "big"), int.from_bytes(base[half:], "big")
    hosts = (1 << 8 * half) - 1 ^ mask
    if hosts & hosts + 1:
        raise Unprocessable("mask isn't a prefix")
    return len(name) == half and int.from_bytes(name, "big") & mask == network & mask


def unsupported(name, base):
    raise Unprocessable("name form")


PERMITTED = {"dNSName": dns_permitted, "rfc822Name": mail_within, "uniformResourceIdentifier": uri_within,
             "iPAddress": address_within, "directoryName": names.within}
EXCLUDED = {**PERMITTED, "dNSName": dns_excluded}


def constrained_names(certificate):
    """The subject if it isn't empty, the alternative names, and without that extension the subject's emailAddress attributes."""
    found = [("directoryName", certificate.subject)] if certificate.subject else []
    if certificate.has(extensions.SUBJECT_ALT_NAME):
        return found + list(certificate.get(extensions.SUBJECT_ALT_NAME))
    return found + [("rfc822Name", address) for address in certificate.subject_addresses]


class Subtrees:
    """permitted_subtrees as a list of sets to intersect, and excluded_subtrees as one set; both by name form."""

    def __init__(self):
        self.permitted, self.excluded = {}, {}

    def add(self, constraints):
        """§ 6.1.4 (g): the intersection of the permitted subtrees, the union of the excluded ones."""
        permitted, excluded = constraints
        for form in {form for form, _ in permitted or ()}:
            self.permitted.setdefault(form, []).append([base for other, base in permitted if other == form])
        for form, base in excluded or ():
            self.excluded.setdefault(form, []).append(base)

    def outside_permitted(self, certificate):
        """§ 6.1.3 (b): the reason why a name isn't within one of the permitted subtrees, or None."""
        for form, name in constrained_names(certificate) if self.permitted else ():
            for bases in self.permitted.get(form, ()):
                try:
                    if not any([PERMITTED.get(form, unsupported)(name, base) for base in bases]):
                        return f"{form} not permitted"
                except Unprocessable as error:
                    return f"{form} can't be compared: {error}"
        return None

    def inside_excluded(self, certificate):
        """§ 6.1.3 (c): the reason why a name is within an excluded subtree, or None."""
        for form, name in constrained_names(certificate) if self.excluded else ():
            for base in self.excluded.get(form, ()):
                try:
                    if EXCLUDED.get(form, unsupported)(name, base):
                        return f"{form} excluded"
                except Unprocessable as error:
                    return f"{form} can't be compared: {error}"
        return None
