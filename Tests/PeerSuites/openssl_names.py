# SPDX-License-Identifier: Apache-2.0
"""Converts OpenSSL's test/v3nametest.c: compares each of its names in a certificate with each of its names as a host.

The test requires that a name only matches itself, regardless of case. A list of exceptions contains pairs that may match. So a case with
the same name must be accepted, a case with another name must be refused, and an exception has no expectation.
Texts that aren't host names don't become hosts, because every answer would be the same refusal of the request.
The names are in a dNSName, a common name, an rfc822Name or an emailAddress. OpenSSL only treats the first two as hosts.
"""
import re

import debian
import openssl
import suite
from go import HOUR, NOW, stamp
from gocertificates import CERT_SIGN, DIGITAL_SIGNATURE, Template, create, der, key
from suite import Case, NotAsked

DESCRIPTION = "OpenSSL: test/v3nametest.c, hosts and names in certificates"
HOST = re.compile(r"(?!-)[\w-]+(\.[\w-]+)*\.?", re.ASCII)
IS_HOST = {"set CN": True, "set dnsName": True, "set emailAddress": False, "set rfc822Name": False}


def listed(text, name):
    body = re.search(rf"{name}\[\] = \{{(.*?)NULL\s*\}};", text, re.DOTALL)[1]
    return re.findall(r'"([^"]*)"', body)


def template(way, name):
    subject, names = [], []
    match way:
        case "set CN":
            subject = [(der.CN, name)]
        case "set emailAddress":
            subject = [(der.EMAIL, der.string(name, "ia5"))]
        case "set dnsName":
            names = [f"dns:{name}"]
        case "set rfc822Name":
            names = [f"email:{name}"]
    return Template(subject, NOW - HOUR, NOW + HOUR, key_usage=[DIGITAL_SIGNATURE], names=names)


def cases():
    folder = debian.source("openssl", *openssl.WANTED)
    text = (folder / "test" / "v3nametest.c").read_text()
    # One name occurs twice.
    names, exceptions = list(dict.fromkeys(listed(text, "names"))), set(listed(text, "exceptions"))
    root = create(Template([(der.CN, "Root")], NOW - HOUR, NOW + HOUR, 1, True, True, [CERT_SIGN]), key("names root"))
    items = []
    for way, is_host in IS_HOST.items():
        for name in names:
            leaf = create(template(way, name), key("names"), root, key("names root"))
            for host in names:
                if not HOST.fullmatch(host):
                    items.append(NotAsked(f"{way} {name} host {host}", "the host isn't a host name"))
                    continue
                is_same = is_host and name.lower() == host.lower()
                expected = None if f"{way}: host: [{name}] matches [{host}]" in exceptions else is_same
                request = {"profile": "rfc5280", "time": stamp(NOW), "host": host, "chain": [suite.text(leaf.der)], "anchors": [suite.text(root.der)]}
                items.append(Case(f"{way} {name} host {host}", request, expected))
    for op, reason in (("host-no-wildcards", "X509_CHECK_FLAG_NO_WILDCARDS"), ("email", "identity of mailboxes"), ("set_cn2 and others", "several attributes in the subject")):
        items.append(NotAsked(op, f"{reason} (the same names)"))
    return items
