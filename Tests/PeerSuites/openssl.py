# SPDX-License-Identifier: Apache-2.0
"""Converts OpenSSL's test/recipes/25-test_verify.t with the certificates of test/certs.

Parses each `ok(…)` of the recipe as text. The profile is rfc5280, because the recipe checks no identity, and OpenSSL doesn't have the Web
PKI's rules. The date is today, as in the recipe, unless -attime sets one.
"""
import datetime
import re
from collections import namedtuple

import debian
import suite
from reading import ANY_USAGE, CLIENT_AUTH, SERVER_AUTH, balanced, element, fields, members, oid
from suite import Case, NotAsked

DESCRIPTION = "OpenSSL: test/recipes/25-test_verify.t and test/certs"
RECIPE = "test/recipes/25-test_verify.t"
# The files of the source package that OpenSSL's suites read.
WANTED = [RECIPE, "test/certs/", "test/crltest.c", "test/verify_extra_test.c", "test/v3nametest.c"]
PURPOSES = {"": "any", "sslserver": "serverAuth", "sslclient": "clientAuth"}
USAGES = {"serverAuth": SERVER_AUTH, "clientAuth": CLIENT_AUTH}
Trusted = namedtuple("Trusted", "der trust reject")


class Unmapped(Exception):
    """A test without a counterpart, with the reason."""


def without_comments(text):
    """Removes comments from Perl text. The recipe only has # at the start of a line, after a semicolon or after a comma."""
    return re.sub(r"(?m)(^|;|,)[ \t]*#.*$", r"\1", text)


def tokens(text):
    """Returns the members of a Perl list: strings, variables with their sigil, and lists."""
    found, index = [], 0
    while index < len(text):
        char = text[index]
        if char in " \t\n,":
            index += 1
        elif char in "\"'":
            end = text.index(char, index + 1)
            found.append(text[index + 1:end])
            index = end + 1
        elif match := re.compile(r"qw\(([^)]*)\)").match(text, index):
            found += match[1].split()
            index = match.end()
        elif char == "[":
            end = balanced(text, index)
            found.append(tokens(text[index + 1:end - 1]))
            index = end
        elif match := re.compile(r'srctop_file\(@certspath, "([^"]+)"\)').match(text, index):
            found.append(match[1])
            index = match.end()
        elif match := re.compile(r"[$@]\w+").match(text, index):
            found.append(match[0])
            index = match.end()
        elif match := re.compile(r"stderr\s*=>\s*").match(text, index):
            index = match.end()
        else:
            raise SystemExit(f"{RECIPE}: can't be read: {text[index:index + 60]!r}")
    return found


def tests(text):
    """Yields each ok(…): its condition, the title and the text before it."""
    text = without_comments(text)
    for match in re.finditer(r"\bok(?:_nofips)?\(", text):
        end = balanced(text, match.end() - 1)
        body = text[match.end():end - 1].strip()
        title = re.search(r""",\s*(["'])([^"']*)\1$""", body)
        yield body[:title.start()].strip(), title[2], text[:match.start()]


def cases():
    folder = debian.source("openssl", *WANTED)
    recipe = (folder / RECIPE).read_text()
    certs = folder / "test" / "certs"
    items, seen = [], {}
    for condition, title, before in tests(recipe):
        # A title may occur twice.
        seen[title] = seen.get(title, 0) + 1
        name = title if seen[title] == 1 else f"{title} ({seen[title]})"
        try:
            request, expected = converted(condition, before, certs)
            items.append(Case(name, request, expected, " ".join(condition.split())))
        except Unmapped as reason:
            items.append(NotAsked(name, str(reason)))
    planned = int(re.search(r"plan tests => (\d+);", recipe)[1])
    if len(items) != planned:
        raise SystemExit(f"{RECIPE}: {planned} tests planned, {len(items)} found")
    return items


def converted(condition, before, certs):
    """Returns the request and OpenSSL's expected result."""
    expected = not condition.startswith("!")
    call = re.match(r"!?\s*(\w+)\(", condition)
    inside = condition[call.end():-1]
    if call[1] == "verify":
        cert, purpose, trusted, untrusted, *options = tokens(inside)
        # `with({ exit_checker => sub { return shift == 2; } }, …)`: the test expects status 2, a failure.
        if re.search(r"exit_checker => sub \{ return shift == 2; \} \},\s*sub \{\s*$", before):
            expected = False
        return request(certs, f"{cert}.pem", purpose, names(trusted), names(untrusted), options), expected
    if call[1] == "vfy_root":
        if inside != '"-CAfile", $rootcert':
            raise Unmapped("-CAstore: how OpenSSL opens a store of certificates")
        return request(certs, "root-cert.pem", "", ["root-cert.pem"], [], []), expected
    if call[1] == "run":
        raise Unmapped("a file with a private key beside the certificate: how OpenSSL reads PEM")
    if call[1] == "grep" and "CRL is not yet valid" in inside:
        # The test checks the output of the previous command call, which is an error.
        start = before.rindex("run(app(") + len("run(app(")
        arguments = tokens(before[start:balanced(before, start)])[0][2:]
        cert = arguments.pop()
        anchors = [arguments.pop(index) for index in [arguments.index("-CAfile") + 1]]
        arguments.remove("-CAfile")
        return request(certs, cert, "", anchors, [], arguments), False
    raise SystemExit(f"{RECIPE}: a condition of an unknown form: {condition}")


def names(files):
    return [f"{name}.pem" for name in files]


def request(certs, cert, purpose, trusted, untrusted, options):
    line = {"profile": "rfc5280", "purpose": PURPOSES[purpose]}
    is_partial = apply(options, line, certs)
    chain = suite.pem_blocks((certs / cert).read_bytes(), "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE")
    line["chain"] = [suite.text(trimmed(chain[0]))]
    anchors, intermediates = [], [read.der for name in untrusted for read in certificates(certs / name)]
    for name in trusted:
        for read in certificates(certs / name):
            trust = trust_of(read, line["purpose"])
            # Without -partial_chain and trust settings, only a self-signed certificate ends a path.
            (anchors if is_partial or trust or is_self_signed(read.der) else intermediates).append(read.der)
    line["intermediates"] = [suite.text(der) for der in intermediates]
    line["anchors"] = [suite.text(der) for der in anchors]
    return line


def apply(options, line, certs):
    """Adds the options to a request. Returns whether -partial_chain is one of them."""
    is_partial = False
    options = iter(options)
    for option in options:
        match option:
            case "-partial_chain":
                is_partial = True
            case "-x509_strict":
                line["strict"] = True
            case "-verify_depth":
                line["maximumIntermediates"] = int(next(options))
            case "-attime":
                line["time"] = datetime.datetime.fromtimestamp(int(next(options)), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            case "-policy":
                line.setdefault("policies", {}).setdefault("acceptable", []).append(next(options))
            case "-explicit_policy":
                line.setdefault("policies", {})["requireExplicit"] = True
            case "-policy_check":
                pass  # servertrust always processes policies.
            case "-CRLfile":
                line["crls"] = [suite.text(der) for der in suite.pem_blocks((certs / next(options)).read_bytes(), "X509 CRL")]
            case "-crl_check":
                # The leaf's status. In all such tests, an anchor is the leaf's issuer, so that only this status is checked.
                line["revocation"] = "required"
            case "-use_deltas":
                pass  # servertrust always uses delta CRLs.
            case "-auth_level":
                if int(next(options)) > 2:
                    raise Unmapped("-auth_level above 2: the smallest key isn't an input here")
            case "-check_ss_sig":
                pass  # Adds a check of a signature that trust doesn't depend on. The test expects acceptance.
            case "-allow_proxy_certs":
                raise Unmapped("-allow_proxy_certs: proxy certificates (RFC 3820)")
            case "-vfyopt":
                raise Unmapped("-vfyopt distid: SM2")
            case "@prov":
                raise Unmapped("-provider-path: the same test with OpenSSL's FIPS provider")
            case _:
                raise SystemExit(f"{RECIPE}: unknown option {option}")
    return is_partial


def trimmed(der):
    return der[:element(der, 0)[2]]


def certificates(path):
    """Returns the certificates of a file with their trust settings as lists of usages."""
    found = []
    for der in suite.pem_blocks(path.read_bytes(), "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"):
        end = element(der, 0)[2]
        trust, reject = [], []
        # CertAux: SEQUENCE { trust SEQUENCE OF OID OPTIONAL, reject [0] SEQUENCE OF OID OPTIONAL, … }
        if end < len(der):
            _, content, stop = element(der, end)
            for tag, _, first, last in members(der, content, stop):
                into = {0x30: trust, 0xA0: reject}.get(tag)
                if into is not None:
                    into += [oid(der[begin:finish]) for _, _, begin, finish in members(der, first, last)]
        found.append(Trusted(der[:end], trust, reject))
    return found


def trust_of(read, purpose):
    """Whether trust settings make a certificate an anchor for the purpose. There is no counterpart of settings that refuse it."""
    wanted = {USAGES.get(purpose), ANY_USAGE}
    if wanted & set(read.reject) or read.trust and not wanted & set(read.trust):
        raise Unmapped("BEGIN TRUSTED CERTIFICATE: settings that refuse an anchor for the purpose")
    return bool(read.trust)


def is_self_signed(der):
    """Whether OpenSSL treats a certificate as self-signed: subject and issuer are equal, and the key has the signature's type."""
    read = fields(der)
    kinds = [("1.2.840.113549.1.1.", "1.2.840.113549.1.1."), ("1.2.840.10045.2.", "1.2.840.10045.4."), ("1.3.101.112", "1.3.101.112"),
             ("2.5.8.1.1", "1.2.840.113549.1.1.")]
    return read.issuer == read.subject and any(read.key_algorithm.startswith(key) and read.signature_algorithm.startswith(signature)
                                               for key, signature in kinds)
