# SPDX-License-Identifier: Apache-2.0
"""Botan's tests of paths: folders of certificates with a file of expected results, and tests written in C++.

The folders `nist` (NIST's first suite, of 2001), `bsi` (the suite of the German BSI), `x509test`, `extended` and `pss_certs` have a file
`expected.txt`. BY_NAME lists the tests in C++ with a line that must still be in the source, so that the script notices a changed test.
Dates, purposes and the tests that check revocation data come from src/tests/test_x509_path.cpp.
"""
import re

import debian
import renew
from suite import ACCEPT, REFUSE, Case, NotAsked, pem_blocks, text

DESCRIPTION = "Botan: src/tests/data/x509 with the tests of paths (Debian's botan)"
DATA = "src/tests/data/x509"
SOURCES = ("src/tests/test_x509_path.cpp", "src/tests/test_name_constraint.cpp", "src/tests/test_ocsp.cpp")
VERIFIED = "Verified"
OCSP_CODES = {"OK": ACCEPT}
ABOUT_ALGORITHMS = ("Hash function used is considered too weak for security", "Certificate signed with unknown/unavailable algorithm")

# Tests in C++ by name: certificates of the path, anchors, date, purpose or host, the expected result, a piece of the source.
BY_NAME = [
    ("v1ca", ["misc/v1ca/ee.pem", "misc/v1ca/int.pem"], ["misc/v1ca/root.pem"], "2019-04-19T23:00:00Z", ACCEPT,
     'validation_result.result_string(), "Verified"'),
    ("v2-in-v1", ["v2-in-v1/leaf.pem", "v2-in-v1/int.pem"], ["v2-in-v1/root.pem"], "2020-01-01T01:00:00Z", REFUSE,
     '"Encountered v2 identifiers in v1 certificate"'),
    ("name_constraint_san", ["name_constraint_san/leaf.pem", "name_constraint_san/int.pem"], ["name_constraint_san/root.pem"],
     "2020-01-01T01:00:00Z", REFUSE, '"Certificate does not pass name constraint"'),
    ("name_constraint_ci", ["misc/name_constraint_ci/leaf.pem", "misc/name_constraint_ci/int.pem"], ["misc/name_constraint_ci/root.pem"],
     "2021-05-08T01:00:00Z", ACCEPT, 'result("DNS name constraints are case insensitive")'),
    ("nc_skip_self", ["misc/nc_skip_self/leaf.pem", "misc/nc_skip_self/int.pem"], ["misc/nc_skip_self/root.pem"], "2021-05-08T01:00:00Z",
     ACCEPT, "Name constraints do not apply to the certificate which includes them"),
    ("cve-2020-0601 with the forged CA", ["cve-2020-0601/ee.pem", "cve-2020-0601/fake_ca.pem"], ["cve-2020-0601/ca.pem"],
     "2020-01-20T00:00:00Z", REFUSE, "path_result1.result() == Botan::Certificate_Status_Code::CANNOT_ESTABLISH_TRUST"),
    ("cve-2020-0601 without an issuer", ["cve-2020-0601/ee.pem"], ["cve-2020-0601/ca.pem"], "2020-01-20T00:00:00Z", REFUSE,
     "path_result2.result() == Botan::Certificate_Status_Code::CERT_ISSUER_NOT_FOUND"),
    ("cve-2020-0601 with the forged CA as anchor", ["cve-2020-0601/ee.pem"], ["cve-2020-0601/fake_ca.pem"], "2020-01-20T00:00:00Z", ACCEPT,
     '"Validation succeeded", path_result3.successful_validation()'),
    ("xmss isara", ["xmss/xmss_isara_root.pem"], ["xmss/xmss_isara_root.pem"], "2019-10-08T04:45:00Z", ACCEPT, "xmss_isara_root.pem"),
    ("xmss bouncycastle", ["xmss/xmss_bouncycastle_sha256_10_root.pem"], ["xmss/xmss_bouncycastle_sha256_10_root.pem"],
     "2019-10-08T04:45:00Z", ACCEPT, "xmss_bouncycastle_sha256_10_root.pem"),
]

# If Botan only requires the leaf's response, the leaf's issuer is the anchor.
RANDOMBIT = ["ocsp/randombit.pem"], "ocsp/letsencrypt.pem"
SCHMIDT = ["ocsp/patrickschmidt.pem"], "ocsp/bdrive_encryption.pem"
BDR = ["ocsp/bdr.pem", "ocsp/bdr-int.pem"], "ocsp/bdr-root.pem"
MYCHAIN = ["ocsp/mychain_ee.pem", "ocsp/mychain_int.pem"], "ocsp/mychain_root.pem"
# Paths with OCSP responses: test function, path, responses. Dates and statuses are in the source. Botan refuses a path because of a
# response that it can't use.
OCSP = [
    ("validate_with_ocsp_with_next_update_without_max_age", RANDOMBIT, ["ocsp/randombit_ocsp.der"]),
    ("validate_with_ocsp_without_next_update_without_max_age", SCHMIDT, ["ocsp/patrickschmidt_ocsp.der"]),
    ("validate_with_ocsp_with_authorized_responder", BDR, ["ocsp/bdr-ocsp-resp.der", "ocsp/bdr-int-ocsp-resp.der"]),
]
MAX_AGE = "an age limit for OCSP responses"


class Data:
    def __init__(self, folder):
        self.folder = folder / DATA

    def certificates(self, path):
        data = (self.folder / path).read_bytes()
        return pem_blocks(data, "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE") if b"-----BEGIN" in data else [data]

    def crls(self, path):
        data = (self.folder / path).read_bytes()
        return pem_blocks(data, "X509 CRL") if b"-----BEGIN" in data else [data]

    def files(self, folder):
        return sorted(str(path.relative_to(self.folder)) for path in (self.folder / folder).rglob("*") if path.is_file())

    def results(self, path, delimiter=":"):
        """Reads the expected results. A comment line is a test that Botan skips."""
        for line in (self.folder / path).read_text().splitlines():
            found = re.fullmatch(rf"(#?)([\w.]+){re.escape(delimiter)}(.*)", line)
            if found:
                yield found[2], found[3], bool(found[1])


def request(chain, anchors, time, purpose="any", **more):
    return {"chain": [text(der) for der in chain], "anchors": [text(der) for der in anchors], "time": time, "purpose": purpose,
            "profile": "rfc5280", **more}


def verdict(expected):
    return ACCEPT if expected == VERIFIED or expected.startswith("Warning: ") else REFUSE


def x509test(data):
    root = data.certificates("x509test/root.pem")
    for name, expected, is_left_out in data.results("x509test/expected.txt"):
        if is_left_out:
            yield NotAsked(f"x509test/{name}", "left out by Botan: dates of the file don't fit")
            continue
        chain = data.certificates(f"x509test/{name}")
        yield Case(f"x509test/{name}", request(chain, root, "2016-10-21T04:20:00Z", "serverAuth", host="www.tls.test"),
                   verdict(expected), expected)
    yield NotAsked("x509test softfail", "fetches revocation data")


def nist(data):
    root, root_crl = data.certificates("nist/root.crt"), data.crls("nist/root.crl")
    for name, expected, is_left_out in data.results("nist/expected.txt"):
        # Botan doesn't support policies. A result in the comment is the suite's.
        if is_left_out and not expected:
            yield NotAsked(f"nist/{name}", "left out by Botan: no result in the suite")
            continue
        leaf, others, crls = data.certificates(f"nist/{name}/end.crt"), [], list(root_crl)
        anchors = list(root)
        for path in data.files(f"nist/{name}"):
            if path.endswith(".crt") and not path.endswith("/end.crt"):
                others += data.certificates(path)
            elif path.endswith(".crl"):
                crls += data.crls(path)
        yield Case(f"nist/{name}", request(leaf + others, anchors, "2018-04-01T09:30:33Z", revocation="required",
                                           crls=[text(crl) for crl in crls]), verdict(expected), expected)


def extended(data):
    for name, expected, _ in data.results("extended/expected.txt"):
        files = data.files(f"extended/{name}")
        roots = [der for path in files if path.endswith("/root.crt") for der in data.certificates(path)]
        others = [der for path in files if path.endswith(".crt") and not path.endswith(("/root.crt", "/end.crt"))
                  for der in data.certificates(path)]
        yield Case(f"extended/{name}", request(data.certificates(f"extended/{name}/end.crt") + others, roots, "2017-09-01T09:30:33Z"),
                   verdict(expected), expected)


def pss(data):
    times = {name: year for name, year, _ in data.results("pss_certs/validation_times.txt")}
    for name, expected, _ in data.results("pss_certs/expected.txt"):
        files = data.files(f"pss_certs/{name}")
        found = {path.rpartition("/")[2]: path for path in files}
        crls = [text(crl) for path in files if path.endswith(".crl") for crl in data.crls(path)]
        if any(path.endswith(".csr") for path in files):
            yield NotAsked(f"pss_certs/{name}", "requests for certificates")
            continue
        leaf = data.certificates(found["end.crt"])
        time = f"{times[name]}-01-01T00:00:00Z"
        if "root.crt" not in found:
            yield NotAsked(f"pss_certs/{name}", "a signature by a certificate's own key, which is never checked in an anchor")
            continue
        more = {"crls": crls, "revocation": "required"} if crls else {}
        yield Case(f"pss_certs/{name}", request(leaf, data.certificates(found["root.crt"]), time, **more), verdict(expected), expected)


def bsi(data):
    for name, expected, is_left_out in data.results("bsi/expected.txt", "$"):
        if is_left_out:
            yield NotAsked(f"bsi/{name}", "left out by Botan: no result in the suite")
            continue
        leaf, others, anchors, crls = [], [], [], []
        for path in data.files(f"bsi/{name}"):
            # Like Botan's test: TA is the trust anchor, TC the target.
            if "TA" in path:
                anchors += data.certificates(path)
            elif "TC" in path:
                leaf += data.certificates(path)
            elif path.endswith(".crt"):
                others += data.certificates(path)
            elif path.endswith(".crl"):
                crls += data.crls(path)
        more = {"crls": [text(crl) for crl in crls], "revocation": "required"} if "CRL" in name else {}
        for way, order in (("", others), (" reversed", others[::-1])):
            if not way or len(others) > 1:
                yield Case(f"bsi/{name}{way}", request(leaf + order, anchors, "2017-08-19T12:00:00Z", **more), verdict(expected), expected)


def name_constraints(data, source):
    """Reads the table of test_name_constraint.cpp. Botan also compares a host name with the common name, so its titles are the hosts."""
    for root, leaf, host, expected in re.findall(r'make_tuple\(\s*"(.*?)",\s*"(.*?)",\s*"(.*?)",\s*"(.*?)"\)', source):
        chain, anchors = data.certificates(f"name_constraint/{leaf}"), data.certificates(f"name_constraint/{root}")
        yield Case(f"name_constraint/{leaf}", request(chain, anchors, "2016-10-21T04:20:00Z", "serverAuth"), verdict(expected),
                   f"{expected}, host {host}")


def by_name(data, source):
    for name, chain, anchors, time, expected, piece in BY_NAME:
        if piece not in source:
            raise SystemExit(f"botan: the test {name} has changed: {piece}")
        yield Case(name, request([der for path in chain for der in data.certificates(path)],
                                 [der for path in anchors for der in data.certificates(path)], time), expected)
    yield NotAsked("v1ca without an anchor", "a test without anchors, which the contract reads as the system's")


def stamp(arguments):
    year, month, day, hour, minute, second = (int(part) for part in arguments.split(","))
    return f"{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"


def ocsp(data, source):
    def case(name, path, responses, time, expected, why):
        chain = [der for file in path[0] for der in data.certificates(file)]
        return Case(name, request(chain, data.certificates(path[1]), time, revocation="required",
                                  ocspResponses=[text((data.folder / file).read_bytes()) for file in responses]), expected, why)

    for function, path, responses in OCSP:
        body = source.split(f"Test::Result {function}()")[1].split("Test::Result validate_")[0]
        for time, status in re.findall(r"calendar_point\((.*?)\)\.to_std_timepoint\(\),\s*Botan::Certificate_Status_Code::(\w+)", body):
            yield case(f"{function} {stamp(time)}", path, responses, stamp(time), OCSP_CODES.get(status, REFUSE), status)
    for file in ("randombit_ocsp_forged_valid.der", "randombit_ocsp_forged_revoked.der"):
        yield case(f"validate_with_forged_ocsp_using_self_signed_cert {file}", RANDOMBIT, [f"ocsp/{file}"], "2016-11-18T12:30:00Z", REFUSE,
                   "OCSP_ISSUER_NOT_FOUND")
    yield case("validate_with_ocsp_self_signed_by_intermediate_cert", MYCHAIN,
               ["ocsp/mychain_ocsp_for_ee.der", "ocsp/mychain_ocsp_for_int_self_signed.der"], "2022-09-22T22:30:00Z", REFUSE,
               "OCSP_ISSUER_NOT_FOUND")
    for function in set(re.findall(r"Test::Result (validate_with_\w+_with_max_age)\(\)", source)):
        yield NotAsked(function, MAX_AGE)


def cases():
    folder = debian.source("botan", DATA + "/", *SOURCES)
    data = Data(folder)
    paths, constraints, responses = ((folder / source).read_text() for source in SOURCES)
    items = [*x509test(data), *nist(data), *extended(data), *pss(data), *bsi(data), *name_constraints(data, constraints),
             *by_name(data, paths), *ocsp(data, paths)]
    items += [NotAsked(f"test_ocsp.cpp {name}", "a response without a path")
              for name in sorted(set(re.findall(r"Test::Result (test_\w+)\(\)", responses)))]
    # Skips tests of weak algorithms and of algorithm parameters, which are already included.
    again = [renew.renewed(item) for item in items if isinstance(item, Case) and not item.name.startswith("pss_certs/")
             and item.why not in ABOUT_ALGORITHMS]
    return items + [item for item in again if item]
