# SPDX-License-Identifier: Apache-2.0
"""OpenSSL's tests of the verifier in C: test/crltest.c and test/verify_extra_test.c, read as text.

The profile is rfc5280, as in openssl.py. If a test checks a CRL, revocation is `required`. An anchor issued the leaf, so that
the leaf's status is the only one.
"""
import re

import debian
import openssl
import suite
from suite import Case, NotAsked

DESCRIPTION = "OpenSSL: test/crltest.c and test/verify_extra_test.c"
TIME = "2016-09-27T00:00:00Z"
NO_COUNTERPART = {
    "test_reuse_crl": "how OpenSSL reuses objects",
    "test_distinguishing_id": "SM2",
    "test_req_distinguishing_id": "SM2",
    "test_self_signed_error": "a file that doesn't exist",
}


def cases():
    folder = debian.source("openssl", *openssl.WANTED)
    items = []
    for name, converter in (("crltest.c", crl_cases), ("verify_extra_test.c", extra_cases)):
        text = re.sub(r"/\*.*?\*/", "", (folder / "test" / name).read_text(), flags=re.DOTALL)
        found = list(converter(text, folder / "test" / "certs"))
        tests = set(re.findall(r"ADD_(?:ALL_)?TEST[S]?\((\w+)", text))
        # Every test is converted, or has a reason why not.
        for test in sorted(tests - {item.name.split()[0] for item in found}):
            if test not in NO_COUNTERPART:
                raise SystemExit(f"{name}: a test that isn't converted: {test}")
            found.append(NotAsked(test, NO_COUNTERPART[test]))
        items += found
    return items


def strings(text):
    """Returns the DER of `static const char *NAME[] = { "…", … };`."""
    found = {}
    for name, body in re.findall(r"static const char \*(\w+)\[\] = \{(.*?)\};", text, re.DOTALL):
        pem = "".join(re.findall(r'"(.*?)"', body)).replace("\\n", "\n").encode()
        found[name] = suite.pem_blocks(pem, "CERTIFICATE", "X509 CRL")[:1]
    return found


def crl_cases(text, _):
    data = strings(text)

    def case(name, crls, expected, why):
        return Case(name, {"profile": "rfc5280", "purpose": "any", "time": TIME, "revocation": "required", "chain": [suite.text(data["kCRLTestLeaf"][0])],
                           "anchors": [suite.text(data["kCRLTestRoot"][0])], "crls": [suite.text(der) for crl in crls for der in data[crl]]},
                    expected, why)

    for test, body in re.findall(r"static int (test_\w+)\([^)]*\)\n\{(.*?)\n\}", text, re.DOTALL):
        variables = dict(re.findall(r"\*?(\w+) = CRL_from_strings\((\w+)", body))
        calls = re.findall(r"verify\(test_leaf, test_root,\s*(NULL|make_CRL_stack\((\w+), (\w+)\)),\s*X509_V_FLAG_CRL_CHECK\),\s*(X509_V_\w+)", body)
        for number, (_, first, second, result) in enumerate(calls, 1):
            crls = [variables[each] for each in (first, second) if each in variables]
            # An index into an array of names.
            rows = re.search(rf"\*\*{crls[0]}\[\] = \{{([^}}]*)\}}", text) if crls else None
            for each in [[name.strip()] for name in rows[1].split(",") if name.strip()] if rows else [crls]:
                yield case(f"{test} {number} {' '.join(each)}".strip(), each, result == "X509_V_OK", result)
    # Its callback returns kBasicCRL.
    yield case("test_get_crl_fn_score", ["kBasicCRL"], True, "X509_V_OK")


def extra_cases(text, certs):
    files = dict(re.findall(r'(\w+) = test_mk_file_path\(certs_dir, "([^"]+)"\)', text))

    def read(variable):
        return [each.der for each in openssl.certificates(certs / files[variable])]

    def case(name, leaf, anchors, intermediates, purpose, expected, why=""):
        return Case(name, {"profile": "rfc5280", "purpose": purpose, "chain": [suite.text(leaf)], "anchors": [suite.text(der) for der in anchors],
                           "intermediates": [suite.text(der) for der in intermediates]}, expected, why)

    # Like without -partial_chain: only self-signed certificates are anchors.
    roots = read("roots_f")
    yield case("test_alt_chains_cert_forgery", read("bad_f")[0], [der for der in roots if openssl.is_self_signed(der)],
               read("untrusted_f") + [der for der in roots if not openssl.is_self_signed(der)], "any", False, "X509_V_ERR_INVALID_CA")
    for test, file, is_trusted, expected in re.findall(r"static int (\w+)\(void\)\n\{\s*return test_self_signed\((\w+), (\d), (\d)\);", text):
        certificate = read(file)[0]
        anchors = [certificate] if is_trusted == "1" and openssl.is_self_signed(certificate) else []
        yield case(test, certificate, anchors, [], "any", expected == "1")
    purposes = {"SSL_CLIENT": "clientAuth", "SSL_SERVER": "serverAuth", "ANY": "any"}
    for test, purpose, expected in re.findall(r"static int (\w+)\(void\)\n\{\s*return do_test_purpose\(X509_PURPOSE_(\w+), (\d)\);", text):
        yield case(test, read("ee_cert")[0], read("sroot_cert"), read("ca_cert"), purposes[purpose], expected == "1")
