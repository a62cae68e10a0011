# SPDX-License-Identifier: Apache-2.0
"""The mutations of a chain, one function per rule. Each tags the chain with the rule, the change and the certificate
(`usage.without-sign@intermediate`), and with the expected result: True if nothing about it may be refused, False if it must be
refused, "either" if specifications leave it open or profiles and roles decide.

The expected result is for this package's two profiles. The run compares peers with our verdict, not with this result.
"""
import datetime
import ipaddress

from cryptography.hazmat.primitives.asymmetric import utils

import der
import keys
import policy_tree
from chain import *

EITHER = "either"
ALL = []


def mutation(weight=1):
    def add(function):
        ALL.extend([function] * weight)
        return function

    return add


def pick(chain, r, *roles):
    """Chooses a certificate with one of these roles, intermediates and leaves more often than anchors."""
    fitting = [one for one in chain.path if one.role in roles]
    return r.choice(fitting or [chain.leaf])


def anyone(chain, r):
    return pick(chain, r, "leaf", "intermediate", *(["anchor"] if r.random() < 0.4 else []))


def authority(chain, r):
    return pick(chain, r, "intermediate", "anchor") if len(chain.path) > 2 else chain.root


# Dates


@mutation(5)
def dates(chain, r):
    one = anyone(chain, r)
    second = datetime.timedelta(seconds=1)
    kind, expected, field, value = r.choice(
        [
            ("expired", False, "not_after", der.time(NOW - datetime.timedelta(days=r.randrange(1, 300)))),
            ("expired-a-second-ago", False, "not_after", der.time(NOW - second)),
            ("last-second", True, "not_after", der.time(NOW)),
            ("not-yet", False, "not_before", der.time(NOW + datetime.timedelta(days=r.randrange(1, 300)))),
            ("not-yet-by-a-second", False, "not_before", der.time(NOW + second)),
            ("first-second", True, "not_before", der.time(NOW)),
            ("no-end", True, "not_after", der.generalized_time(moment("9999-12-31T23:59:59"))),
            ("after-2050", True, "not_after", der.time(moment("2051-05-05"))),
            ("utc-1951", True, "not_before", der.time(moment("1951-01-01"))),
            ("utc-2049", True, "not_after", der.time(moment("2049-12-31"))),
            ("utc-1950-end", False, "not_after", der.tlv(0x17, b"500101000000Z")),
            ("generalized-before-2050", EITHER, "not_after", der.generalized_time(moment("2030-01-01"))),
            ("generalized-1900", EITHER, "not_before", der.generalized_time(moment("1900-01-01"))),
            ("utc-no-seconds", False, "not_after", der.tlv(0x17, b"3001010000Z")),
            ("utc-offset", False, "not_after", der.tlv(0x17, b"300101000000+0000")),
            ("utc-no-zone", False, "not_after", der.tlv(0x17, b"300101000000")),
            ("generalized-fraction", False, "not_after", der.tlv(0x18, b"20500101000000.5Z")),
            ("generalized-offset", False, "not_after", der.tlv(0x18, b"20510101000000+0100")),
            ("no-such-day", False, "not_after", der.tlv(0x17, b"300230000000Z")),
            ("no-such-month", False, "not_after", der.tlv(0x17, b"301301000000Z")),
            ("hour-24", False, "not_after", der.tlv(0x17, b"300101240000Z")),
            ("second-60", False, "not_after", der.tlv(0x17, b"300101235960Z")),
            ("leap-day", True, "not_after", der.tlv(0x17, b"280229000000Z")),
            ("no-leap-day", False, "not_after", der.tlv(0x18, b"21000229000000Z")),
            ("letters", False, "not_after", der.tlv(0x17, b"3001010000O0Z")),
            ("year-zero", EITHER, "not_before", der.tlv(0x18, b"00000101000000Z")),
            ("other-type", False, "not_after", der.string("300101000000Z", "ia5")),
        ]
    )
    setattr(one, field, value)
    chain.tag(f"dates.{kind}@{one.role}", expected)


# Identity


def san(leaf, *names, critical=None):
    leaf.set(SAN, der.sequence(*names), critical)


@mutation(7)
def identity(chain, r):
    leaf, host = chain.leaf, "www.example.com"
    mail, uri = der.tlv(0x81, b"a@example.com"), der.tlv(0x86, b"https://www.example.com/")
    directory = der.tlv(0xA4, der.name((der.CN, host)))
    other = der.tlv(0xA0, der.oid("1.3.6.1.4.1.311.20.2.3"), der.tlv(0xA0, der.string("x")))
    table = [
        # tag, host, names, expected
        ("exact", host, [dns(host)], True),
        ("second-of-two", host, [dns("a.example.org"), dns(host)], True),
        ("upper-case", host, [dns("WWW.Example.COM")], True),
        ("upper-case-host", "WWW.EXAMPLE.com", [dns(host)], True),
        ("other", host, [dns("www.example.org")], False),
        ("parent", host, [dns("example.com")], False),
        ("child", host, [dns("a.www.example.com")], False),
        ("suffix-of-label", host, [dns("ww.example.com")], False),
        ("wildcard", host, [dns("*.example.com")], True),
        ("wildcard-upper-case", host, [dns("*.EXAMPLE.com")], True),
        ("wildcard-two-labels", "a.b.example.com", [dns("*.example.com")], False),
        ("wildcard-no-label", "example.com", [dns("*.example.com")], False),
        ("wildcard-deep", "a.b.example.com", [dns("*.b.example.com")], True),
        ("wildcard-partial-left", host, [dns("w*.example.com")], False),
        ("wildcard-partial-right", host, [dns("*w.example.com")], False),
        ("wildcard-inner", host, [dns("www.*.com")], False),
        ("wildcard-double", "a.b.example.com", [dns("*.*.example.com")], False),
        ("wildcard-public-suffix", "example.com", [dns("*.com")], False),
        ("wildcard-public-suffix-two", "example.co.uk", [dns("*.co.uk")], False),
        ("wildcard-all", "localhost", [dns("*")], False),
        ("wildcard-all-two", host, [dns("*")], False),
        ("wildcard-dot", host, [dns("*.")], False),
        ("wildcard-a-label", "xn--bcher-kva.example.com", [dns("*.example.com")], True),
        ("wildcard-in-a-label", "xn--bcher-kva.example.com", [dns("xn--*.example.com")], False),
        ("a-label", "xn--bcher-kva.example", [dns("xn--bcher-kva.example")], True),
        ("u-label", "xn--bcher-kva.example", [dns("bücher.example")], False),
        ("underscore", "a_b.example.com", [dns("a_b.example.com")], EITHER),
        ("single-label", "server", [dns("server")], EITHER),
        ("trailing-dot", host, [dns("www.example.com.")], False),
        ("trailing-dot-host", "www.example.com.", [dns(host)], EITHER),
        ("nul", host, [dns(b"www.example.com\0.example.org")], False),
        ("nul-at-end", host, [dns(b"www.example.com\0")], False),
        ("space", host, [dns(" www.example.com")], False),
        ("leading-dot", host, [dns(".www.example.com")], False),
        ("empty-name", host, [dns("")], False),
        ("empty-name-beside", host, [dns(""), dns(host)], EITHER),
        ("garbage-beside", host, [dns("a..b"), dns(host)], EITHER),
        ("long-label-beside", host, [dns("a" * 64 + ".example.com"), dns(host)], EITHER),
        ("no-names", host, [], False),
        ("mail-alone", host, [mail], False),
        ("uri-alone", host, [uri], False),
        ("directory-alone", host, [directory], False),
        ("other-alone", host, [other], False),
        ("all-forms", host, [mail, uri, directory, other, der.tlv(0x88, b"\x2a\x03"), dns(host), address(bytes(4))], True),
        ("many", host, [dns(f"h{n}.example.org") for n in range(60)] + [dns(host)], True),
        ("ip4", "192.0.2.7", [address(bytes([192, 0, 2, 7]))], True),
        ("ip4-other", "192.0.2.7", [address(bytes([192, 0, 2, 8]))], False),
        ("ip4-as-dns", "192.0.2.7", [dns("192.0.2.7")], False),
        ("ip4-wildcard", "192.0.2.7", [dns("*.0.2.7")], False),
        ("ip4-mapped", "192.0.2.7", [address(ipaddress.ip_address("::ffff:192.0.2.7").packed)], False),
        ("ip4-five-octets", "192.0.2.7", [address(bytes([192, 0, 2, 7, 0]))], False),
        ("ip4-masked", "192.0.2.7", [address(bytes([192, 0, 2, 7, 255, 255, 255, 255]))], False),
        ("ip4-text-in-ip", "192.0.2.7", [address(b"192.0.2.7")], False),
        ("ip6", "2001:db8::7", [address(ipaddress.ip_address("2001:db8::7").packed)], True),
        ("ip6-other", "2001:db8::7", [address(ipaddress.ip_address("2001:db8::8").packed)], False),
        ("ip-for-dns", host, [address(bytes([192, 0, 2, 7]))], False),
        ("ip4-odd-beside", host, [address(b"\1\2\3"), dns(host)], EITHER),
        ("other-tag", host, [der.tlv(0x89, host.encode())], False),
        ("universal-tag", host, [der.string(host, "ia5")], False),
        ("constructed-dns", host, [der.tlv(0xA2, host.encode())], False),
    ]
    special = r.random()
    if special < 0.75:
        kind, chain.host, names, expected = r.choice(table)
        san(leaf, *names)
        return chain.tag(f"identity.{kind}", expected)
    kind = r.choice(["missing", "missing-no-cn", "cn-other", "critical", "critical-no-subject", "no-subject", "no-host", "ip-in-cn"])
    expected = True
    if kind == "missing":
        leaf.drop(SAN)
        leaf.subject = der.name((der.CN, host))
        expected = False
    elif kind == "missing-no-cn":
        leaf.drop(SAN)
        leaf.subject = der.name((der.O, "Nothing"))
        expected = False
    elif kind == "cn-other":
        san(leaf, dns("www.example.org"))
        leaf.subject = der.name((der.CN, host))
        expected = False
    elif kind == "ip-in-cn":
        chain.host = "192.0.2.7"
        leaf.subject = der.name((der.CN, chain.host))
        san(leaf, dns(host))
        expected = False
    elif kind == "critical":
        san(leaf, dns(host), critical=True)
    elif kind == "critical-no-subject":
        san(leaf, dns(host), critical=True)
        leaf.subject = der.name()
    elif kind == "no-subject":
        leaf.subject = der.name()
    else:
        chain.host = None
    chain.tag(f"identity.{kind}", expected)


# Name constraints


def constraint_cases(chain, r):
    """Chooses the form, the host (None: the usual one), the constraint's base, the leaf's name, and their relation."""
    n = lambda tag, text: der.tlv(tag, text.encode() if isinstance(text, str) else text)
    mask = lambda text: (lambda net: net.network_address.packed + net.netmask.packed)(ipaddress.ip_network(text, strict=False))
    country, organization = (der.C, der.string("XX", "printable")), (der.O, "Differential")
    d = lambda *attributes: der.tlv(0xA4, der.name(*attributes))
    host = "www.example.com"
    dns_cases = [
        ("example.com", host, 1), (host, host, 1), ("com", host, 1), ("", host, 1), ("EXAMPLE.COM", host, 1),
        ("example.org", host, 0), ("xample.com", host, 0), ("www.example.org", host, 0), ("a.www.example.com", host, 0),
        (".example.com", host, EITHER), (".www.example.com", host, EITHER), ("example.com.", host, EITHER),
        ("*.example.com", host, EITHER), ("exam ple.com", host, EITHER),
    ]  # fmt: skip
    table = [("dns", None, n(0x82, base), n(0x82, name), how) for base, name, how in dns_cases]
    table += [
        ("dns-wildcard", None, n(0x82, "example.com"), n(0x82, "*.example.com"), 1),
        ("dns-wildcard-meets", None, n(0x82, host), n(0x82, "*.example.com"), "meets"),
        ("dns-wildcard", None, n(0x82, "example.org"), n(0x82, "*.example.com"), 0),
        ("ip", "192.0.2.7", n(0x87, mask("192.0.2.0/24")), address(bytes([192, 0, 2, 7])), 1),
        ("ip", "192.0.2.7", n(0x87, mask("0.0.0.0/0")), address(bytes([192, 0, 2, 7])), 1),
        ("ip", "192.0.2.7", n(0x87, mask("192.0.3.0/24")), address(bytes([192, 0, 2, 7])), 0),
        ("ip", "192.0.2.7", n(0x87, mask("192.0.2.8/32")), address(bytes([192, 0, 2, 7])), 0),
        ("ip-other-family", "192.0.2.7", n(0x87, mask("2001:db8::/32")), address(bytes([192, 0, 2, 7])), 0),
        ("ip-odd-mask", "192.0.2.7", n(0x87, bytes([192, 0, 2, 0, 255, 0, 255, 0])), address(bytes([192, 0, 2, 7])), EITHER),
        ("ip-odd-length", "192.0.2.7", n(0x87, bytes([192, 0, 2, 0])), address(bytes([192, 0, 2, 7])), EITHER),
        ("ip-bits-below-mask", "192.0.2.7", n(0x87, bytes([192, 0, 2, 1, 255, 255, 255, 0])), address(bytes([192, 0, 2, 7])), EITHER),
        ("ip6", "2001:db8::7", n(0x87, mask("2001:db8::/32")), address(ipaddress.ip_address("2001:db8::7").packed), 1),
        ("ip6", "2001:db8::7", n(0x87, mask("2001:db9::/32")), address(ipaddress.ip_address("2001:db8::7").packed), 0),
    ]
    mail_cases = [
        ("a@example.com", "a@example.com", 1), ("example.com", "a@example.com", 1), (".example.com", "a@b.example.com", 1),
        ("example.com", "a@b.example.com", 0), (".example.com", "a@example.com", 0), ("b@example.com", "a@example.com", 0),
        ("a@EXAMPLE.com", "a@example.com", 1), ("A@example.com", "a@example.com", "undecidable"), ("example.com", "nobody", EITHER),
        ("example.com", '"a b"@example.com', EITHER), ("", "a@example.com", 1), ("example.com", "a@example.com@example.org", EITHER),
        ("@example.com", "a@example.com", EITHER),
    ]  # fmt: skip
    table += [("mail", None, n(0x81, base), n(0x81, name), how) for base, name, how in mail_cases]
    table += [
        ("mail-subject", None, n(0x81, "example.com"), "a@example.com", 1),
        ("mail-subject", None, n(0x81, "example.org"), "a@example.com", 0),
        ("mail-subject-utf8", None, n(0x81, "example.com"), ("utf8", "a@example.com"), "undecidable"),
        ("mail-internationalised", None, n(0x81, "example.com"), der.tlv(0xA0, der.oid("1.3.6.1.5.5.7.8.9"), der.tlv(0xA0, der.string("é@example.org"))), EITHER),
    ]
    uri_cases = [
        ("www.example.com", "https://www.example.com/", 1), (".example.com", "https://www.example.com:443/a", 1),
        ("example.com", "https://www.example.com/", 0), (".example.com", "https://example.com/", 0),
        ("example.org", "https://a@example.org/", 1), ("example.org", "https://example.org@example.com/", 0),
        ("example.com", "urn:a:b", EITHER), ("example.com", "https://192.0.2.7/", EITHER), ("example.com", "https://[2001:db8::1]/", EITHER),
        ("example.com", "/relative", EITHER), (".", "https://example.com/", EITHER),
    ]  # fmt: skip
    table += [("uri", None, n(0x86, base), n(0x86, name), how) for base, name, how in uri_cases]
    directory_cases = [
        ([country], 1), ([country, organization], 1), ([], 1), ([country, (der.O, "Another")], 0), ([(der.C, "YY")], 0),
        ([organization], 0), ([organization, country], 0), ([(der.C, der.string("xx", "printable")), (der.O, der.string("DIFFERENTIAL", "printable"))], "spelling"),
        ([(der.C, "XX"), (der.O, "  Differential ")], "spelling"), ([country, (der.O, der.string("Differential", "bmp"))], "spelling"),
        ([country, organization, (der.CN, "nothing like it"), (der.OU, "x")], 0),
    ]  # fmt: skip
    table += [("directory" + ("-spelling" if how == "spelling" else ""), None, d(*base), "subject", 1 if how == "spelling" else how) for base, how in directory_cases]
    table += [
        ("directory-in-san", None, d((der.C, "YY")), d((der.C, "YY"), (der.CN, "x")), "san-1"),
        ("other-name", None, der.tlv(0xA0, der.oid("1.2.3.4"), der.tlv(0xA0, der.string("x"))), der.tlv(0xA0, der.oid("1.2.3.4"), der.tlv(0xA0, der.string("x"))), EITHER),
        ("registered", None, n(0x88, b"\x2a\x03"), n(0x88, b"\x2a\x03\x04"), EITHER),
        ("x400", None, der.tlv(0xA3), None, "absent"),
        ("other-name-unused", None, der.tlv(0xA0, der.oid("1.2.3.4"), der.tlv(0xA0, der.string("x"))), None, "absent"),
        ("uri-unused", None, n(0x86, "example.org"), None, "absent"),
        ("mail-unused", None, n(0x81, "example.org"), None, "absent"),
        ("ip-unused", None, n(0x87, mask("10.0.0.0/8")), None, "absent"),
    ]
    return r.choice(table)


@mutation(9)
def constraints(chain, r):
    one = authority(chain, r)
    form, host, base, name, how = constraint_cases(chain, r)
    excluded = r.random() < 0.45
    leaf = chain.leaf
    if host:
        chain.host = host
    names = [] if form.startswith(("dns", "ip")) and name is not None else [dns(chain.host)]
    if isinstance(name, bytes):
        names.append(name)
    elif name not in (None, "subject"):
        value = der.string(name, "ia5") if isinstance(name, str) else der.string(name[1], name[0])
        leaf.subject = der.name((der.C, der.string("XX", "printable")), (der.O, "Differential"), (der.EMAIL, value))
    if names:
        san(leaf, *names)
    if how == "meets":
        # The wildcard matches the constraint's name and other names: it isn't fully permitted, but partly excluded.
        how = 1 if excluded else 0
    expected = {1: not excluded, 0: excluded, "absent": True, "san-1": False, "undecidable": False}.get(how, EITHER)
    bases = [base]
    extra = ""
    if r.random() < 0.2:
        bases.append(dns("unrelated.example.net"))
        extra = "+dns"
        expected = EITHER
    if r.random() < 0.06:
        bases = [one + b"\x80\x01\x00" for one in bases]
        extra += "+minimum"
        expected = EITHER
    elif r.random() < 0.06:
        bases = [one + b"\x81\x01\x05" for one in bases]
        extra += "+maximum"
        expected = EITHER
    trees = der.tlv(0xA1 if excluded else 0xA0, *(der.sequence(base) for base in bases))
    if r.random() < 0.15:
        more = der.tlv(0x82, b"forbidden.example.net") if not excluded else base
        other = der.tlv(0xA0 if excluded else 0xA1, der.sequence(more))
        trees = other + trees if excluded else trees + other
        extra += "+both"
        expected = EITHER
    critical = r.choice([True, True, None])
    one.set(NAMES, der.sequence(trees), critical)
    relation = {1: "within", 0: "outside"}.get(how, str(how))
    chain.tag(f"constraints.{form}.{'excluded' if excluded else 'permitted'}.{relation}{extra}@{one.role}", expected)


@mutation()
def constraints_form(chain, r):
    one = authority(chain, r)
    kind, value, expected = r.choice(
        [
            ("empty", der.sequence(), EITHER),
            ("empty-permitted", der.sequence(der.tlv(0xA0)), EITHER),
            ("empty-excluded", der.sequence(der.tlv(0xA1)), EITHER),
            ("no-base", der.sequence(der.tlv(0xA0, der.sequence())), False),
            ("order", der.sequence(der.tlv(0xA1, der.sequence(dns("a.example"))), der.tlv(0xA0, der.sequence(dns("example.com")))), False),
            ("rubbish", der.octets(b"x"), False),
        ]
    )
    if r.random() < 0.2:
        one = chain.leaf
        value = der.sequence(der.tlv(0xA0, der.sequence(dns("example.org"))))
        kind, expected = "in-leaf", EITHER
    one.set(NAMES, value, True)
    chain.tag(f"constraints-form.{kind}@{one.role}", expected)


# Usages


@mutation(4)
def usage(chain, r):
    one = anyone(chain, r)
    if one.role == "leaf":
        kind, value, web, plain = r.choice(
            [
                ("absent", None, True, True),
                ("encipherment", der.named_bits(2), True, True),
                ("agreement", der.named_bits(4), True, True),
                ("signature-and-sign", der.named_bits(0, 5), EITHER, True),
                ("sign-alone", der.named_bits(5), False, True),
                ("non-repudiation", der.named_bits(1), False, True),
                ("decipher-alone", der.named_bits(8), False, True),
                ("all", der.named_bits(*range(9)), EITHER, True),
                ("empty", der.bits(b""), EITHER, EITHER),
                ("trailing-zeros", der.bits(b"\x80", 0), EITHER, EITHER),
                ("zero-byte", der.bits(b"\x00", 0), EITHER, EITHER),
                ("no-unused-count", der.tlv(3), False, False),
                ("rubbish", der.integer(1), False, False),
            ]
        )
    else:
        kind, value, web, plain = r.choice(
            [
                ("absent", None, True, True),
                ("sign-alone", der.named_bits(5), True, True),
                ("without-sign", der.named_bits(6), False, False),
                ("signature-alone", der.named_bits(0), False, False),
                ("second-byte", der.named_bits(8), False, False),
                ("all", der.named_bits(*range(9)), True, True),
                ("empty", der.bits(b""), False, False),
                ("trailing-zeros", der.bits(b"\x06\x00", 0), EITHER, EITHER),
                ("set-unused-bits", der.bits(b"\x07", 1), False, False),
                ("rubbish", der.octets(b"x"), False, False),
            ]
        )
    critical = r.choice([True, True, None])
    if value is None:
        one.drop(USAGE)
    else:
        one.set(USAGE, value, critical)
    chain.tag(f"usage.{kind}{'' if critical else '-uncritical'}@{one.role}", web=web, plain=plain)


@mutation(4)
def extended(chain, r):
    one = anyone(chain, r)
    code = "1.3.6.1.5.5.7.3.3"
    kind, value, expected = r.choice(
        [
            ("absent", None, True),
            ("server", purposes(SERVER), True),
            ("both", purposes(CLIENT, SERVER), True),
            ("client", purposes(CLIENT), False),
            ("any", purposes(ANY_PURPOSE), EITHER),
            ("any-and-server", purposes(SERVER, ANY_PURPOSE), EITHER),
            ("code", purposes(code), False),
            ("server-and-unknown", purposes("1.2.3.4.5", SERVER), True),
            ("server-gated", purposes("2.16.840.1.113730.4.1"), False),
            ("microsoft-gated", purposes("1.3.6.1.4.1.311.10.3.3"), False),
            ("many", purposes(*(f"1.2.3.{n}" for n in range(40)), SERVER), True),
            ("empty", der.sequence(), EITHER),
            ("rubbish", der.octets(b"x"), False),
            ("server-twice", purposes(SERVER, SERVER), EITHER),
        ]
    )
    critical = r.choice([None, None, True])
    if value is None:
        one.drop(EKU)
    else:
        one.set(EKU, value, critical)
    chain.tag(f"extended.{kind}{'-critical' if critical and value else ''}@{one.role}", expected)


@mutation(1)
def purpose(chain, r):
    chain.purpose = r.choice(["clientAuth", "any"])
    kind, value = r.choice([("absent", None), ("server", [SERVER]), ("client", [CLIENT]), ("any", [ANY_PURPOSE]), ("both", [SERVER, CLIENT])])
    if value:
        chain.leaf.set(EKU, purposes(*value))
    else:
        chain.leaf.drop(EKU)
    expected = {"server": chain.purpose == "any", "any": EITHER}.get(kind, True)
    chain.tag(f"purpose.{chain.purpose}.{kind}", expected)


# Basic constraints


@mutation(4)
def basic(chain, r):
    one = anyone(chain, r)
    below = chain.path.index(one) - 1
    if one.role == "leaf":
        kind, value, expected = r.choice(
            [
                ("empty", der.sequence(), True),
                ("authority", der.sequence(der.boolean(True)), EITHER),
                ("authority-length", der.sequence(der.boolean(True), der.integer(0)), EITHER),
                ("explicit-false", der.sequence(der.boolean(False)), EITHER),
                ("length-without-ca", der.sequence(der.integer(0)), EITHER),
                ("rubbish", der.integer(1), False),
            ]
        )
    else:
        kind, value, expected = r.choice(
            [
                ("absent", None, False),
                ("no-authority", der.sequence(), False),
                ("explicit-false", der.sequence(der.boolean(False)), False),
                ("true-as-one", der.sequence(b"\x01\x01\x01"), False),
                ("length-enough", der.sequence(der.boolean(True), der.integer(below)), True),
                ("length-more", der.sequence(der.boolean(True), der.integer(below + 1)), True),
                ("length-short", der.sequence(der.boolean(True), der.integer(below - 1)), False),
                ("length-zero", der.sequence(der.boolean(True), der.integer(0)), below == 0),
                ("length-negative", der.sequence(der.boolean(True), der.integer(-1)), False),
                ("length-huge", der.sequence(der.boolean(True), der.integer(1 << 70)), EITHER),
                ("length-without-ca", der.sequence(der.integer(3)), False),
                ("length-not-minimal", der.sequence(der.boolean(True), der.tlv(2, bytes((0, 9)))), False),
                ("trailing", der.sequence(der.boolean(True), der.integer(9), der.NULL), False),
            ]
        )
    critical = r.choice([True, True, None])
    if value is None:
        one.drop(BASIC)
    else:
        one.set(BASIC, value, critical)
    chain.tag(f"basic.{kind}{'' if critical else '-uncritical'}@{one.role}", expected)


# Policies

P1, P2, P3, ANY_POLICY = "1.3.6.1.4.1.99999.1", "1.3.6.1.4.1.99999.2", "1.3.6.1.4.1.99999.3", "2.5.29.32.0"


@mutation(5)
def policy(chain, r):
    """Adds random policies, mappings and constraints. The tree of RFC 5280 gives the expected result."""
    lists = [[P1], [P1], [P1, P2], [P2], [ANY_POLICY], [P1, ANY_POLICY], [P3], None]
    mostly_critical = r.random() < 0.3
    processed = []
    for one in chain.path:
        chosen = r.choice(lists)
        pairs, numbers, inhibit = None, {}, None
        if chosen:
            one.set(POLICIES, policies(*chosen), True if mostly_critical and r.random() < 0.5 else None)
        if one.role != "leaf":
            if r.random() < 0.3:
                pairs = r.sample([(P1, P2), (P2, P1), (P1, P3), (P2, P3), (P1, P1)], r.choice([1, 1, 2]))
                mapped = der.sequence(*(der.sequence(der.oid(a), der.oid(b)) for a, b in pairs))
                one.set(MAPPINGS, mapped, True if mostly_critical else None)
            if r.random() < 0.4:
                numbers = {tag: r.choice([0, 0, 1, 2]) for tag in r.choice([(0x80,), (0x81,), (0x80, 0x81)])}
                members = (der.tlv(tag, bytes((number,))) for tag, number in numbers.items())
                # Must be critical. When it isn't, the chain tests verifiers that don't support it.
                one.set(POLICY_CONSTRAINTS, der.sequence(*members), True if mostly_critical else None)
            if r.random() < 0.2:
                inhibit = r.choice([0, 1])
                one.set(INHIBIT_ANY, der.integer(inhibit), True if mostly_critical else None)
        if one.role != "anchor":
            processed.insert(0, (chosen, pairs, numbers.get(0x80), numbers.get(0x81), inhibit))
    tag = "policy.tree"
    if r.random() < 0.35:
        chain.inputs = {key: True for key in ("requireExplicit", "inhibitMapping", "inhibitAny") if r.random() < 0.5}
        if r.random() < 0.5:
            chain.inputs["acceptable"] = r.choice([[P1], [P2], [P1, P3], [ANY_POLICY]])
        tag = "policy.inputs" if chain.inputs else tag
    is_valid = policy_tree.is_valid(processed, chain.inputs or {})
    chain.tag(f"{tag}.{'valid' if is_valid else 'invalid'}{'-critical' if mostly_critical else ''}", is_valid)


@mutation(2)
def policy_form(chain, r):
    one = anyone(chain, r)
    qualified = lambda kind, value: der.sequence(der.sequence(der.oid(P1), der.sequence(der.sequence(der.oid(kind), value))))
    notice = der.sequence(der.string("Take care"))
    kind, value, expected, which = r.choice(
        [
            ("empty", der.sequence(), EITHER, POLICIES),
            ("twice", policies(P1, P1), EITHER, POLICIES),
            ("cps", qualified("1.3.6.1.5.5.7.2.1", der.string("https://a.example/", "ia5")), True, POLICIES),
            ("notice", qualified("1.3.6.1.5.5.7.2.2", notice), True, POLICIES),
            ("unknown-qualifier", qualified("1.2.3.4", der.NULL), EITHER, POLICIES),
            ("empty-qualifiers", der.sequence(der.sequence(der.oid(P1), der.sequence())), EITHER, POLICIES),
            ("rubbish", der.octets(b"x"), EITHER, POLICIES),
            ("any-mapped", der.sequence(der.sequence(der.oid(ANY_POLICY), der.oid(P1))), EITHER, MAPPINGS),
            ("mapped-to-any", der.sequence(der.sequence(der.oid(P1), der.oid(ANY_POLICY))), EITHER, MAPPINGS),
            ("no-mapping", der.sequence(), EITHER, MAPPINGS),
            ("no-constraint", der.sequence(), EITHER, POLICY_CONSTRAINTS),
            ("negative-constraint", der.sequence(der.tlv(0x80, b"\xff")), False, POLICY_CONSTRAINTS),
            ("huge-constraint", der.sequence(der.tlv(0x80, b"\x01" + bytes(9))), EITHER, POLICY_CONSTRAINTS),
            ("negative-inhibition", der.integer(-1), False, INHIBIT_ANY),
            ("required-of-leaf", der.sequence(der.tlv(0x80, b"\0")), EITHER, POLICY_CONSTRAINTS),
        ]
    )
    critical = r.choice([None, True])
    if kind in ("unknown-qualifier", "rubbish") and critical:
        # § 4.2.1.4: a verifier must understand a critical extension, including qualifiers.
        expected = False
    one.set(which, value, critical)
    chain.tag(f"policy-form.{kind}{'-critical' if critical else ''}@{one.role}", expected)


# Algorithms and keys


@mutation(3)
def algorithm(chain, r):
    one = pick(chain, r, "leaf", "intermediate") if r.random() < 0.85 else chain.root
    signer = (one.parent or one).key
    ignored = one.role == "anchor"
    kinds = ["altered-bit", "wrong-key", "inner-differs", "unknown", "long", "short", "empty", "unused-bits"]
    if signer.family == "rsa":
        kinds += ["sha1", "md5", "sha384", "sha512", "sha224", "no-null", "pss", "pss", "pss-sha1", "pss-salt", "pss-mask", "pss-empty"]
    if signer.family == "ec":
        kinds += ["sha1", "other-hash", "other-hash", "sha224", "null", "zero", "high-s", "sign-byte"]
    kind = r.choice(kinds)
    expected = False
    if kind == "altered-bit":
        position = r.randrange(12, 40)
        one.alter_signature = lambda s: s[:position] + bytes((s[position] ^ 1 << position % 8,)) + s[position + 1 :]
    elif kind == "wrong-key":
        one.signer = chain.keys.get("p256", 77)
    elif kind == "inner-differs":
        one.inner_algorithm = der.sequence(der.oid("1.2.840.10045.4.3.4"))
    elif kind == "unknown":
        one.inner_algorithm = one.outer_algorithm = der.sequence(der.oid("1.2.3.4.5"))
    elif kind == "long":
        one.alter_signature = lambda s: s + b"\0"
    elif kind == "short":
        one.alter_signature = lambda s: s[:-1]
    elif kind == "empty":
        one.alter_signature = lambda s: b""
    elif kind == "unused-bits":
        one.alter_signature = lambda s: der.bits(s[:-1] + bytes((s[-1] & 0xFE,)), 1)
    elif kind in ("sha1", "md5", "sha224"):
        if kind == "md5" and signer.family != "rsa":
            kind = "sha1"
        one.scheme = kind
    elif kind in ("sha384", "sha512"):
        one.scheme, expected = kind, True
    elif kind == "other-hash":
        one.scheme, expected = r.choice(["sha256", "sha384", "sha512"]), EITHER
    elif kind == "pss":
        one.scheme, expected = "pss-" + r.choice(["sha256", "sha384", "sha512"]), True
    elif kind.startswith("pss-"):
        one.scheme = "pss-sha256"
        one.inner_algorithm = one.outer_algorithm = {
            "pss-sha1": keys.pss_algorithm("sha1"),
            "pss-salt": keys.pss_algorithm("sha256", salt=31),
            "pss-mask": keys.pss_algorithm("sha256", mask_hash="sha1", salt=32),
            "pss-empty": der.sequence(der.oid("1.2.840.113549.1.1.10")),
        }[kind]
    elif kind == "no-null":
        # RFC 4055 § 5 makes readers accept it.
        one.inner_algorithm = one.outer_algorithm = der.sequence(der.oid("1.2.840.113549.1.1.11"))
        expected = EITHER
    elif kind == "null":
        algorithm = signer.algorithm(signer.default_scheme())
        one.inner_algorithm = one.outer_algorithm = der.sequence(algorithm[2:], der.NULL)
        # The plain profile accepts it, and the web profile refuses it.
        expected = EITHER
    elif kind == "zero":
        one.alter_signature = lambda s: der.sequence(der.integer(0), der.integer(0))
    elif kind == "high-s":
        order = {256: 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551}.get(signer.private.curve.key_size)
        if order is None:
            return algorithm_plain(chain)

        def negate(signature):
            try:
                a, b = utils.decode_dss_signature(signature)
            except ValueError:
                # A second mutation has changed the signer's algorithm.
                return signature
            # Or its curve.
            return utils.encode_dss_signature(a, order - b) if b < order else signature

        one.alter_signature, expected = negate, True
    elif kind == "sign-byte":
        # A second leading zero: not DER.
        one.alter_signature = lambda s: der.sequence(der.tlv(2, b"\0\0" + s[4 : 4 + s[3]]), s[4 + s[3] :]) if s[1] < 128 else s[:-1]
    chain.tag(f"algorithm.{kind}@{one.role}", EITHER if ignored else expected)


def algorithm_plain(chain):
    chain.tag("algorithm.usual", True)


def replace_key(spki, bits):
    """The same algorithm with other bits."""
    header = 2 if spki[1] < 128 else 2 + (spki[1] & 0x7F)
    algorithm = spki[header : header + 2 + spki[header + 1]]
    return der.sequence(algorithm, der.bits(bits))


@mutation(4)
def key(chain, r):
    one = anyone(chain, r)
    if one.role != "leaf" and r.random() < 0.6:
        # A good key of another type, which signs the certificates below.
        kind = r.choice(["p384", "p521", "ed25519", "rsa2048", "p224", "k256", "rsa1024", "rsa2047"])
        one.key = chain.keys.get(kind, 0)
        one.spki = one.key.spki
        one.set(SKI, der.octets(one.key.identifier))
        for child in chain.path:
            if child.parent is one:
                child.set(AKI, der.sequence(der.tlv(0x80, one.key.identifier)))
        weak = kind in ("p224", "k256", "rsa1024", "rsa2047")
        return chain.tag(f"key.{kind}@{one.role}", False if weak else True)
    ec, rsa = chain.keys.get("p256", 205).spki, chain.keys.get("rsa2048", 2).spki
    point = ec[-65:]
    modulus = chain.keys.get("rsa2048", 2).private.public_key().public_numbers().n
    number = lambda n, e: replace_key(rsa, der.sequence(der.integer(n), der.integer(e)))
    kind, spki, expected = r.choice(
        [
            ("p384", chain.keys.get("p384", 201).spki, True),
            ("p521", chain.keys.get("p521", 201).spki, True),
            ("rsa2048", rsa, True),
            ("ed25519", chain.keys.get("ed25519", 201).spki, True),
            ("p224", chain.keys.get("p224", 201).spki, False),
            ("k256", chain.keys.get("k256", 201).spki, False),
            ("rsa1024", chain.keys.get("rsa1024", 1).spki, False),
            ("rsa2047", chain.keys.get("rsa2047", 1).spki, False),
            ("ec-empty", replace_key(ec, b""), None),
            ("ec-infinity", replace_key(ec, b"\0"), None),
            ("ec-off-curve", replace_key(ec, point[:-1] + bytes((point[-1] ^ 1,))), None),
            ("ec-short", replace_key(ec, point[:-1]), None),
            ("ec-long", replace_key(ec, point + b"\0"), None),
            ("ec-compressed", replace_key(ec, bytes((2 + (point[-1] & 1),)) + point[1:33]), EITHER),
            ("ec-hybrid", replace_key(ec, bytes((6 + (point[-1] & 1),)) + point[1:]), None),
            ("ec-other-length", replace_key(ec, chain.keys.get("p384", 201).spki[-97:]), None),
            ("ec-no-curve", der.sequence(der.sequence(der.oid("1.2.840.10045.2.1")), der.bits(point)), False),
            ("ec-explicit", der.sequence(der.sequence(der.oid("1.2.840.10045.2.1"), explicit_p256()), der.bits(point)), False),
            ("ed-short", der.sequence(der.sequence(der.oid("1.3.101.112")), der.bits(bytes(31))), False),
            ("rsa-e1", number(modulus, 1), None),
            ("rsa-even-e", number(modulus, 65536), None),
            ("rsa-e3", number(modulus, 3), EITHER),
            ("rsa-even-n", number(modulus + 1, 65537), None),
            ("rsa-e-large", number(modulus, modulus + 2), None),
            ("rsa-negative-n", number(-modulus, 65537), False),
            ("rsa-zero-n", number(0, 65537), False),
            ("rsa-trailing", replace_key(rsa, der.sequence(der.integer(modulus), der.integer(65537)) + b"\0"), EITHER),
            ("rsa-no-null", der.sequence(der.sequence(der.oid("1.2.840.113549.1.1.1")), rsa[-271:]), EITHER),
            ("unknown", der.sequence(der.sequence(der.oid("1.2.3.4.5")), der.bits(bytes(32))), None),
            ("dsa", der.sequence(der.sequence(der.oid("1.2.840.10040.4.1")), der.bits(der.integer(5))), False),
            ("no-bits", der.sequence(ec[2 : 2 + 2 + ec[3]], der.tlv(3)), False),
            ("unused-bits", der.sequence(ec[2 : 2 + 2 + ec[3]], der.bits(point[:-1] + b"\x80", 7)), False),
        ]
    )
    one.spki = spki
    if one.role != "leaf":
        expected = False
    # The web profile refuses a leaf's malformed key. The plain profile doesn't use a leaf's key.
    chain.tag(f"public-key.{kind}@{one.role}", web=False if expected is None else expected, plain=EITHER if expected in (None, False) else expected)


def explicit_p256():
    p = 2**256 - 2**224 + 2**192 + 2**96 - 1
    a, b = (p - 3).to_bytes(32, "big"), bytes.fromhex("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b")
    g = bytes.fromhex("046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
    n = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    field = der.sequence(der.oid("1.2.840.10045.1.1"), der.integer(p))
    return der.sequence(der.integer(1), field, der.sequence(der.octets(a), der.octets(b)), der.octets(g), der.integer(n), der.integer(1))


# Encodings


@mutation(5)
def spelling(chain, r):
    """Writes a name differently in the issuer's certificate and below it."""
    child = pick(chain, r, "leaf", "intermediate")
    parent = child.parent
    text = chain.names[id(parent)]
    country, organization = der.string("XX", "printable"), "Differential"
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    kind, name, expected = r.choice(
        [
            ("printable", [(der.C, country), (der.O, organization), (der.CN, der.string(text, "printable"))], True),
            ("bmp", [(der.C, country), (der.O, organization), (der.CN, der.string(text, "bmp"))], EITHER),
            ("universal", [(der.C, country), (der.O, organization), (der.CN, der.string(text, "universal"))], EITHER),
            ("teletex", [(der.C, country), (der.O, organization), (der.CN, der.string(text, "teletex"))], EITHER),
            ("upper-case", [(der.C, country), (der.O, organization), (der.CN, text.upper())], True),
            ("spaces", [(der.C, country), (der.O, organization), (der.CN, "  " + text.replace(" ", "   ") + " ")], True),
            ("full-width", [(der.C, country), (der.O, organization), (der.CN, wide)], EITHER),
            ("soft-hyphen", [(der.C, country), (der.O, organization), (der.CN, text[:3] + "\u00ad" + text[3:])], EITHER),
            ("accent", [(der.C, country), (der.O, organization), (der.CN, text + "é")], False),
            ("other", [(der.C, country), (der.O, organization), (der.CN, text + " 2")], False),
            ("order", [(der.O, organization), (der.C, country), (der.CN, text)], False),
            ("prefix", [(der.C, country), (der.O, organization)], False),
            ("extra", [(der.C, country), (der.O, organization), (der.CN, text), (der.OU, "x")], False),
            ("other-type", [(der.C, country), (der.O, organization), (der.OU, text)], False),
            ("nul", [(der.C, country), (der.O, organization), (der.CN, text + "\0x")], False),
            ("empty", [], False),
        ]
    )
    child.issuer = der.name(*name)
    chain.tag(f"spelling.{kind}@{child.role}", expected)


@mutation(5)
def encoding(chain, r):
    one = anyone(chain, r)
    table = {
        "version-explicit-1": lambda: setattr(one, "version", der.tlv(0xA0, der.integer(0))),
        "version-4": lambda: setattr(one, "version", der.tlv(0xA0, der.integer(3))),
        "version-negative": lambda: setattr(one, "version", der.tlv(0xA0, der.integer(-1))),
        "serial-negative": lambda: setattr(one, "serial", der.integer(-5)),
        "serial-zero": lambda: setattr(one, "serial", der.integer(0)),
        "serial-20": lambda: setattr(one, "serial", der.tlv(2, b"\x7f" * 20)),
        "serial-21": lambda: setattr(one, "serial", der.tlv(2, b"\0" + b"\xff" * 20)),
        "serial-40": lambda: setattr(one, "serial", der.tlv(2, b"\x11" * 40)),
        "serial-not-minimal": lambda: setattr(one, "serial", der.tlv(2, b"\0\x11")),
        "serial-empty": lambda: setattr(one, "serial", der.tlv(2)),
        "long-form-tbs": lambda: setattr(one, "alter_tbs", der.long_form),
        "long-form-serial": lambda: setattr(one, "serial", der.long_form(der.integer(77))),
        "long-form-whole": lambda: setattr(one, "alter_whole", der.long_form),
        "long-form-name": lambda: setattr(one, "subject", der.long_form(one.subject)),
        "indefinite-whole": lambda: setattr(one, "alter_whole", der.indefinite),
        "indefinite-tbs": lambda: setattr(one, "alter_tbs", der.indefinite),
        "trailing": lambda: setattr(one, "alter_whole", lambda whole: whole + b"\0"),
        "truncated": lambda: setattr(one, "alter_whole", lambda whole: whole[:-1]),
        "tag": lambda: setattr(one, "alter_whole", lambda whole: b"\x31" + whole[1:]),
        "unique-identifier": lambda: setattr(one, "after_key", der.tlv(0x81, b"\0\x05")),
        "unknown-field": lambda: setattr(one, "after_key", der.tlv(0x84, b"\0\x05")),
        "set-order": lambda: setattr(one, "subject", der.sequence(der.tlv(0x31, der.attribute(der.O, der.string("Zebra")), der.attribute(der.CN, der.string("Ape"))))),
        "set-of-two": lambda: setattr(one, "subject", der.sequence(der.set_of(der.attribute(der.O, der.string("Zebra")), der.attribute(der.CN, der.string("Ape"))))),
        "empty-set": lambda: setattr(one, "subject", der.sequence(der.tlv(0x31))),
        "bad-utf8": lambda: setattr(one, "subject", der.name((der.CN, der.tlv(0x0C, b"\xff\xfe")))),
        "bad-printable": lambda: setattr(one, "subject", der.name((der.CN, der.string("a*b@c", "printable")))),
        "odd-bmp": lambda: setattr(one, "subject", der.name((der.CN, der.tlv(0x1E, b"\0a\0")))),
        "no-string": lambda: setattr(one, "subject", der.name((der.CN, der.integer(5)))),
        "oid-not-minimal": lambda: setattr(one, "subject", der.sequence(der.set_of(der.sequence(der.tlv(6, b"\x55\x80\x04\x03"), der.string("x"))))),
        "critical-false": lambda: one.set(SKI, one.value(SKI), False),
        "critical-as-one": lambda: one.set(SKI, one.value(SKI), b"\x01\x01\x01"),
        "critical-long": lambda: one.set(SKI, one.value(SKI), b"\x01\x02\xff\xff"),
        "extension-twice": lambda: one.repeated.append(one._extension(SKI, *one.extensions[SKI])),
        "unknown-twice": lambda: one.repeated.extend([one._extension("1.2.3.4", None, b"\x05\0")] * 2),
        "extension-trailing": lambda: one.set(SKI, one.value(SKI) + b"\0"),
        "san-trailing": lambda: one.set(SAN, der.sequence(dns("www.example.com")) + b"\0"),
        "no-extensions": lambda: setattr(one, "extensions", {}),
        "large": lambda: one.set("1.2.3.4.5", der.octets(bytes(20_000))),
    }
    accepted = {"serial-20", "set-of-two", "large", "critical-false"}
    refused = {
        "version-explicit-1", "version-4", "version-negative", "serial-not-minimal", "serial-empty", "long-form-tbs", "long-form-serial",
        "long-form-whole", "long-form-name", "indefinite-whole", "indefinite-tbs", "trailing", "truncated", "tag", "unknown-field", "empty-set",
        "oid-not-minimal", "critical-as-one", "critical-long", "extension-twice", "unknown-twice", "san-trailing",
    }  # fmt: skip
    kind = r.choice(list(table))
    table[kind]()
    chain.tag(f"encoding.{kind}@{one.role}", kind in accepted or (False if kind in refused else EITHER))


@mutation(3)
def unknown_extension(chain, r):
    one = anyone(chain, r)
    critical = r.random() < 0.5
    kind, oid, value, known = r.choice(
        [
            ("private", "1.3.6.1.4.1.99999.9", der.NULL, False),
            ("empty", "1.3.6.1.4.1.99999.9", b"", False),
            ("standard-arc", "2.5.29.99", der.NULL, False),
            ("access", "1.3.6.1.5.5.7.1.1", der.sequence(der.sequence(der.oid("1.3.6.1.5.5.7.48.1"), der.tlv(0x86, b"http://o.example/"))), True),
            ("distribution", "2.5.29.31", der.sequence(der.sequence(der.tlv(0xA0, der.tlv(0xA0, der.tlv(0x86, b"http://c.example/"))))), True),
            ("access-rubbish", "1.3.6.1.5.5.7.1.1", der.octets(b"x"), True),
            ("distribution-rubbish", "2.5.29.31", der.octets(b"x"), True),
            ("issuer-alternative", "2.5.29.18", der.sequence(dns("ca.example.com")), True),
            ("must-staple", "1.3.6.1.5.5.7.1.24", der.sequence(der.integer(5)), True),
            ("poison", "1.3.6.1.4.1.11129.2.4.3", der.NULL, False),
            ("netscape", "2.16.840.1.113730.1.1", der.named_bits(1), False),
            ("subject-directory", "2.5.29.9", der.sequence(der.sequence(der.oid("1.2.3"), der.set_of(der.NULL))), True),
            ("no-alternative-names", SAN, der.sequence(), True),
            ("usage-period", "2.5.29.16", der.sequence(der.tlv(0x80, b"20200101000000Z")), False),
        ]
    )
    if oid == SAN:
        # Of a CA. A leaf's alternative names belong to the identity mutations.
        one = authority(chain, r)
        critical = False
    one.set(oid, value, critical or None)
    expected = oid == SAN or EITHER if known or kind in ("poison", "netscape", "usage-period") else not critical
    chain.tag(f"extension.{kind}{'-critical' if critical else ''}@{one.role}", expected)


# Key identifiers


@mutation(4)
def identifiers(chain, r):
    child = pick(chain, r, "leaf", "intermediate")
    issuer = child.parent
    right = der.tlv(0x80, issuer.key.identifier)
    name = der.tlv(0xA1, der.tlv(0xA4, (issuer.parent or issuer).subject))
    number = lambda value: der.tlv(0x82, value)
    kind = r.choice(
        [
            "aki-absent", "aki-other", "aki-empty", "aki-critical", "aki-long", "aki-with-issuer", "aki-with-other-serial", "aki-with-other-issuer",
            "aki-issuer-alone", "aki-serial-alone", "aki-zero-length", "aki-rubbish", "ski-absent", "ski-other", "ski-empty", "ski-critical", "ski-long",
            "ski-leaf-absent", "root-aki-other", "root-aki",
        ]
    )  # fmt: skip
    expected = True
    where = child.role
    if kind == "aki-absent":
        child.drop(AKI)
    elif kind == "aki-other":
        child.set(AKI, der.sequence(der.tlv(0x80, bytes(20))))
    elif kind == "aki-empty":
        child.set(AKI, der.sequence())
    elif kind == "aki-critical":
        child.set(AKI, der.sequence(right), True)
    elif kind == "aki-long":
        child.set(AKI, der.sequence(der.tlv(0x80, bytes(3000))))
    elif kind == "aki-with-issuer":
        # The issuer's own serial number is a hash of it, so it is set here before it is written below.
        issuer.serial = issuer.serial or der.tlv(2, b"\x22" * 12)
        child.set(AKI, der.sequence(right, name, number(issuer.serial[2:])))
    elif kind == "aki-with-other-serial":
        child.set(AKI, der.sequence(right, name, number(b"\x66" * 9)))
    elif kind == "aki-with-other-issuer":
        child.set(AKI, der.sequence(right, der.tlv(0xA1, der.tlv(0xA4, der.name((der.CN, "Another")))), number(b"\x01")))
    elif kind == "aki-issuer-alone":
        child.set(AKI, der.sequence(name))
        expected = EITHER
    elif kind == "aki-serial-alone":
        child.set(AKI, der.sequence(number(b"\x01")))
        expected = EITHER
    elif kind == "aki-zero-length":
        child.set(AKI, der.sequence(der.tlv(0x80)))
    elif kind == "aki-rubbish":
        # It isn't critical and restricts nothing.
        child.set(AKI, der.octets(b"x"))
        expected = EITHER
    elif kind == "ski-absent":
        issuer.drop(SKI)
        where = issuer.role
    elif kind == "ski-other":
        issuer.set(SKI, der.octets(b"other"))
        where = issuer.role
    elif kind == "ski-empty":
        issuer.set(SKI, der.octets(b""))
        where, expected = issuer.role, EITHER
    elif kind == "ski-critical":
        issuer.set(SKI, issuer.value(SKI), True)
        where = issuer.role
    elif kind == "ski-long":
        issuer.set(SKI, der.octets(bytes(3000)))
        where = issuer.role
    elif kind == "ski-leaf-absent":
        chain.leaf.drop(SKI)
        where = "leaf"
    elif kind == "root-aki-other":
        chain.root.set(AKI, der.sequence(der.tlv(0x80, bytes(20))))
        where = "anchor"
    elif kind == "root-aki":
        chain.root.set(AKI, der.sequence(der.tlv(0x80, chain.root.key.identifier)))
        where = "anchor"
    chain.tag(f"identifiers.{kind}@{where}", expected)


@mutation(2)
def version(chain, r):
    one = anyone(chain, r)
    number = r.choice([1, 1, 2])
    one.version = b"" if number == 1 else der.tlv(0xA0, der.integer(1))
    kept = r.random() < 0.2
    if not kept:
        one.extensions = None
    web = plain = False
    if one.role == "anchor" and not kept:
        plain = True
    if one.role == "leaf" and not kept:
        chain.host = None if r.random() < 0.5 else chain.host
        plain = chain.host is None
    chain.tag(f"version.{number}{'-with-extensions' if kept else ''}@{one.role}", web=web, plain=plain)
