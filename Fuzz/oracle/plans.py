# SPDX-License-Identifier: Apache-2.0
"""Properties of a whole graph that usually fit together: identities and name constraints, policies, path lengths, purposes."""
import ipaddress

import der
import fields
from chain import *

FIRST, OTHERS, ANY_POLICY = "2.999.5.1", ("2.999.5.2", "2.999.5.3"), "2.5.29.32.0"


def mail(text):
    return der.tlv(0x81, text.encode())


def uri(text):
    return der.tlv(0x86, text.encode())


def network(text):
    one = ipaddress.ip_network(text)
    return address(one.network_address.packed + one.netmask.packed)


def directory(name):
    return der.tlv(0xA4, name)


OTHER_NAME = der.tlv(0xA0, der.oid("1.3.6.1.4.1.311.20.2.3"), der.tlv(0xA0, der.string("user@example.com")))
REGISTERED = der.tlv(0x88, b"\x2a\x03\x04")
HOSTS = ("www.example.com", "a.b.example.com", "www.example.org", "192.0.2.7", "2001:db8::7", "WWW.Example.COM", "example.com")
# Subtrees that contain the names below, and subtrees that contain none of them.
WIDE = {
    "dns": [dns(""), dns("com"), dns("example.com"), dns("Example.COM"), dns("www.example.com"), dns("org")],
    "ip": [network("0.0.0.0/0"), network("192.0.2.0/24"), network("192.0.2.7/32"), network("2001:db8::/32")],
    "mail": [mail("example.com"), mail("EXAMPLE.com"), mail("a@example.com"), mail(".com")],
    "uri": [uri("www.example.com"), uri(".example.com"), uri(".com"), uri("WWW.example.com")],
}
AWAY = {
    "dns": [dns("ample.com"), dns("example.net"), dns("ww.example.com"), dns("x.www.example.com"), dns(".example.com")],
    "ip": [network("192.0.3.0/24"), network("192.0.2.8/32"), network("2001:db9::/32"), address(bytes(8))],
    "mail": [mail("b@example.com"), mail("example.net"), mail(".example.com"), mail("A@example.com")],
    "uri": [uri("example.com"), uri(".www.example.com"), uri("example.net")],
}


def identity(graph, leaf, r):
    """Chooses the leaf's names and the requested host."""
    host = r.choices(HOSTS, [24, 6, 6, 4, 2, 2, 1])[0]
    names = [address(ipaddress.ip_address(host).packed)] if host[0].isdigit() else [dns(host.lower())]
    wildcard = not host[0].isdigit() and r.random() < 0.2
    if wildcard:
        names = [dns("*." + host.lower().split(".", 1)[1])]
    for chance, name in ((0.15, mail("a@example.com")), (0.15, uri("https://www.example.com/path")), (0.1, dns("a.example.com")),
                         (0.06, directory(r.choice(graph.entities).name)), (0.03, OTHER_NAME), (0.03, REGISTERED),
                         (0.05, address(bytes([192, 0, 2, 9])))):  # fmt: skip
        if r.random() < chance:
            names.append(name)
    r.shuffle(names)
    leaf.set(SAN, der.sequence(*names), r.choice([None, None, True]))
    graph.host = None if r.random() < 0.1 else host
    if r.random() < 0.05:
        graph.host = r.choice(["www.example.net", "example.com", "ww.example.com", "x.www.example.com", "192.0.2.8", "a.example.com"])
    if r.random() < 0.03:
        leaf.drop(SAN)


def constraints(graph, r):
    """Name constraints of a few authorities."""
    leaf_bases = [der.sequence(*parts) for parts in prefixes(graph.leaf.subject)]
    for one in r.sample(graph.authorities, min(len(graph.authorities), r.choice([1, 1, 2]))):
        subtrees = {0xA0: [], 0xA1: []}
        for form in r.sample(["dns", "dns2", "ip", "mail", "uri", "directory", "unsupported"], r.choice([1, 1, 2, 3])):
            excluded = r.random() < 0.35
            fits = r.random() < 0.85
            if form == "directory":
                base = directory(r.choice(leaf_bases) if fits != excluded else r.choice(r.choice(graph.entities).same))
                bases = [base]
            elif form == "unsupported":
                bases = [r.choice([OTHER_NAME, REGISTERED])]
            else:
                bases = r.sample((AWAY if fits == excluded else WIDE)[form[:3] if form == "dns2" else form], r.choice([1, 2]))
            subtrees[0xA1 if excluded else 0xA0] += [der.sequence(base) for base in bases]
        members = [der.tlv(tag, *some) for tag, some in subtrees.items() if some]
        if one.extensions is not None:
            one.set(NAMES, der.sequence(*members), r.choice([True, True, None]))


def prefixes(name):
    """The relative names of a name, from none to all."""
    (position, end), parts = fields.element(name, 0), []
    while position < end:
        _, after = fields.element(name, position)
        parts.append(name[position:after])
        position = after
    return [parts[:count] for count in range(len(parts) + 1)]


def policy_plan(graph, r):
    """Chooses policies, mappings and constraints of all certificates, and the request's policies."""
    for one in graph.certificates:
        if one.extensions is None or r.random() < 0.08:
            continue
        asserted = {FIRST} if r.random() < 0.85 else set()
        asserted.update(policy for policy in OTHERS if r.random() < 0.3)
        if r.random() < (0.3 if one.role != "leaf" else 0.05) or not asserted:
            asserted.add(ANY_POLICY)
        one.set(POLICIES, policies(*r.sample(sorted(asserted), len(asserted))), r.choice([True, None]))
        if one.role == "leaf":
            if r.random() < 0.1:
                one.set(POLICY_CONSTRAINTS, der.sequence(der.tlv(0x80, b"\x00")), True)
            continue
        if r.random() < 0.25:
            pairs = [(FIRST, r.choice(OTHERS))] if r.random() < 0.4 else [(r.choice(OTHERS), FIRST)]
            if r.random() < 0.4:
                pairs.append((r.choice([*OTHERS, FIRST]), r.choice([FIRST, *OTHERS])))
            if r.random() < 0.03:
                pairs.append((ANY_POLICY, FIRST))
            one.set(MAPPINGS, der.sequence(*(der.sequence(der.oid(a), der.oid(b)) for a, b in pairs)), r.choice([True, None]))
        if r.random() < 0.25:
            skip = lambda tag: der.tlv(tag, bytes((r.choice([0, 0, 1, 2, 5]),)))
            members = r.choice([[0x80], [0x81], [0x80, 0x81]])
            one.set(POLICY_CONSTRAINTS, der.sequence(*map(skip, members)), True)
        if r.random() < 0.15:
            one.set(INHIBIT_ANY, der.integer(r.choice([0, 0, 1, 2])), True)
    inputs = {}
    if r.random() < 0.5:
        inputs["acceptable"] = r.choice([[FIRST], [FIRST, OTHERS[0]], [OTHERS[0]], [ANY_POLICY], [FIRST, OTHERS[1]]])
    for key, chance in (("requireExplicit", 0.6), ("inhibitMapping", 0.15), ("inhibitAny", 0.15)):
        if r.random() < chance:
            inputs[key] = True
    graph.inputs = inputs or None


def lengths(graph, r):
    """Adds path length constraints close to the number of authorities below each authority."""
    below = {}
    for one in reversed(graph.authorities):
        if one.extensions is None:
            continue
        depth = below.get(id(one), 0)
        if one.parent is not None:
            step = 0 if one.parent.entity is one.entity else 1
            below[id(one.parent)] = max(below.get(id(one.parent), 0), depth + step)
        if r.random() < 0.6:
            length = max(0, depth + r.choice([-1, 0, 0, 0, 0, 0, 0, 1]))
            one.set(BASIC, der.sequence(der.boolean(True), der.integer(length)), True)
    if r.random() < 0.2:
        graph.maximum = r.choice([1, 2, 2, 3, 3, 4])


def purpose_plan(graph, r):
    """Extended key usage of many certificates, mostly with the purpose."""
    if graph.purpose == "serverAuth":
        graph.purpose = r.choice(["serverAuth", "serverAuth", "clientAuth", "any"])
    wanted = CLIENT if graph.purpose == "clientAuth" else SERVER
    for one in graph.certificates:
        if one.extensions is None or r.random() < (0.5 if one.role != "leaf" else 0.1):
            continue
        some = r.choice([[wanted], [wanted], [SERVER, CLIENT], [ANY_PURPOSE], ["1.3.6.1.5.5.7.3.4", wanted], [CLIENT]])
        one.set(EKU, purposes(*some), r.choice([True, None, None]))
