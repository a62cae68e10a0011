# SPDX-License-Identifier: Apache-2.0
"""Mbed TLS's suite x509parse: test lines (a name, the build options that it needs, a function with its arguments), and data files.

The functions that verify a path become requests. The tests run at the time of the release, which is in the ChangeLog. Mbed TLS doesn't
check the extended key usage, so the purpose is `any`. A CRL file without a CRL of a certificate's issuer isn't a failure in Mbed TLS, so
a request only requires revocation data if the file has a CRL for each certificate of the chain. Otherwise it uses `bestEffort`.

If Mbed TLS can't parse a certificate, the request makes it its own anchor: a verifier that can parse it would trust it.
"""
import re

from cryptography import x509

import debian
import own_anchor
import renew
from suite import ACCEPT, REFUSE, Case, NotAsked, pem_blocks, text

DESCRIPTION = "Mbed TLS: tests/suites/test_suite_x509parse.data (Debian's mbedtls)"
SUITE = "tests/suites/test_suite_x509parse.data"
WANTED = (SUITE, "tests/data_files/", "framework/data_files/", "ChangeLog")

# Mbed TLS's limit for intermediates, MBEDTLS_X509_MAX_INTERMEDIATE_CA.
MAX_INTERMEDIATES = 8
# Flags that only mean that the caller's list of algorithms lacks one.
LISTS = {"BADCERT_BAD_MD", "BADCERT_BAD_PK", "BADCERT_BAD_KEY", "BADCRL_BAD_MD", "BADCRL_BAD_PK", "BADCRL_BAD_KEY"}
CHOSEN = {"next", "suite_b", "suiteb", "rsa3072", "sha512"}

CALLBACK = "a callback of the test decides"
CHOSEN_LIST = "refused by a list of algorithms that the test's caller chose"
NOT_A_PATH = {
    "x509_verify_ca_cb_failure": CALLBACK,
    "x509_verify_info": "the text of a result",
    "x509parse_crl": "parses a CRL, with no path", "mbedtls_x509_crl_parse": "parses a CRL, with no path",
    "x509parse_crt_cb": "parses with a callback for extensions",
    "x509parse_crt_file": "parses a PEM file", "mbedtls_x509_crt_parse_path": "parses a PEM file",
    "mbedtls_x509_csr_parse": "requests for certificates", "mbedtls_x509_csr_info": "requests for certificates",
    "x509_check_key_usage": "a function for a leaf's key usage, without a path",
    "x509_check_extended_key_usage": "a function for a leaf's extended key usage, without a path",
}
OTHER = "prints or reads a part of a certificate, without a path"


def lines(data):
    """Yields each test: name, build requirements, function, arguments. A string argument keeps its quotes."""
    for block in re.split(r"\n\s*\n", data):
        rows = [row for row in block.splitlines() if row.strip() and not row.startswith("#")]
        if len(rows) < 2:
            continue
        needs = [row.partition(":")[2].split(":") for row in rows if row.startswith("depends_on:")]
        parts = re.findall(r'((?:"(?:[^"\\]|\\.)*"|[^":])*)(?::|$)', rows[-1])
        parts = [re.sub(r"\\([:\"\\])", r"\1", part) for part in parts]
        yield rows[0], needs[0] if needs else [], parts[0], parts[1:-1] if parts[-1] == "" else parts[1:]


class Files:
    def __init__(self, folder):
        self.folder = folder

    def read(self, argument):
        return (self.folder / "tests" / argument.strip('"')).resolve().read_bytes()

    def der(self, argument, *labels):
        """Loads the certificates or CRLs of some files like the function would: DER, or each PEM block."""
        found = []
        for name in argument.strip('"').split(" "):
            data = self.read(name)
            found += pem_blocks(data, *labels) if b"-----BEGIN" in data else [data]
        return found

    def certificates(self, argument):
        return self.der(argument, "CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE")

    def crls(self, argument):
        return self.der(argument, "X509 CRL")


def name(issuer):
    """Returns a name to compare without string types and case, as Mbed TLS does for the strings of its tests."""
    return [[(attribute.oid, attribute.value.casefold()) for attribute in rdn] for rdn in issuer.rdns]


def has_all_crls(chain, anchors, crls):
    """Whether each certificate that needs a CRL has one from its issuer."""
    try:
        issuers = [name(x509.load_der_x509_crl(crl).issuer) for crl in crls]
        return all(name(x509.load_der_x509_certificate(der).issuer) in issuers for der in chain if der not in anchors)
    except ValueError:
        return False


def flags(argument):
    return set(re.findall(r"MBEDTLS_X509_(\w+)", argument))


def request(chain, anchors, time, host="NULL", crls=(), maximum=MAX_INTERMEDIATES):
    asked = {"chain": [text(der) for der in chain], "anchors": [text(der) for der in anchors], "time": time, "purpose": "any",
             "profile": "rfc5280", "maximumIntermediates": maximum}
    if host.strip('"') != "NULL":
        asked["host"] = host.strip('"')
    if crls:
        asked["crls"] = [text(der) for der in crls]
        asked["revocation"] = "required" if has_all_crls(chain, anchors, crls) else "bestEffort"
    return asked


def verdict(result):
    return ACCEPT if result == "0" else REFUSE


def item(title, needs, function, arguments, files, time):
    """Returns the Case of a test line, or the reason to skip it."""
    if "!MBEDTLS_HAVE_TIME_DATE" in needs:
        return NotAsked(title, "a build that has no dates")
    if function == "x509_verify":
        leaf, anchors, crls, host, result, found, profile, callback = arguments
        if callback != '"NULL"':
            return NotAsked(title, CALLBACK)
        if profile.strip('"') in CHOSEN and verdict(result) == REFUSE and flags(found) <= LISTS:
            return NotAsked(title, CHOSEN_LIST)
        asked = request(files.certificates(leaf), files.certificates(anchors), time, host, files.crls(crls) if crls != '""' else ())
        return Case(title, asked, verdict(result), found)
    if function == "mbedtls_x509_crt_verify_chain":
        leaf, anchors, found, result, profile, fatal = arguments
        if fatal != "0":
            return NotAsked(title, CALLBACK)
        if profile == '"nonesuch"':
            return NotAsked(title, "a list of algorithms that doesn't exist")
        if profile.strip('"') in CHOSEN and verdict(result) == REFUSE and flags(found) <= LISTS:
            return NotAsked(title, CHOSEN_LIST)
        return Case(title, request(files.certificates(leaf), files.certificates(anchors), time), verdict(result), found)
    if function == "x509_verify_restart":
        leaf, anchors, result, found = arguments[:4]
        return Case(title, request(files.certificates(leaf), files.certificates(anchors), time), verdict(result), found)
    if function == "x509_verify_callback":
        leaf, anchors, host, result, printed = arguments
        return Case(title, request(files.certificates(leaf), files.certificates(anchors), time, host), verdict(result), printed)
    if function == "mbedtls_x509_crt_verify_max":
        anchors, folder, count, result, found = arguments
        count = sum(int(part.replace("MBEDTLS_X509_MAX_INTERMEDIATE_CA", str(MAX_INTERMEDIATES)))
                    for part in count.replace("-", "+-").split("+"))
        chain = files.certificates(f"{folder.strip(chr(34))}/c{count + 1:02}.pem")
        return Case(title, request(chain, files.certificates(anchors), time), verdict(result), found)
    if function == "x509parse_crt":
        # If Mbed TLS can parse it, its test has no result for a path.
        der = bytes.fromhex(arguments[0].strip('"'))
        return own_anchor.case(title, der, arguments[2], None if arguments[2] == "0" else REFUSE)
    return NotAsked(title, NOT_A_PATH.get(function, OTHER))


def cases():
    folder = debian.source("mbedtls", *WANTED)
    year, month, day = re.search(r"released (\d+)-(\d+)-(\d+)", (folder / "ChangeLog").read_text()).groups()
    files, seen, items = Files(folder), {}, []
    for title, needs, function, arguments in lines((folder / SUITE).read_text()):
        seen[title] = seen.get(title, 0) + 1
        unique = title if seen[title] == 1 else f"{title} ({seen[title]})"
        items.append(item(unique, needs, function, arguments, files, f"{year}-{month}-{day}T12:00:00Z"))
    # Skips tests of weak algorithms and of algorithm parameters, which are already included.
    again = [renew.renewed(case) for case in items if isinstance(case, Case) and case.expected is not None
             and not flags(case.why) & LISTS and "RSASSA-PSS, wrong" not in case.name]
    return items + [case for case in again if case]
