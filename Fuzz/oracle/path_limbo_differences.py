# SPDX-License-Identifier: Apache-2.0
"""The cases of x509-limbo where the oracle's answer differs from the expected one, by reason.

RFC 5280 § 6.1 recommends against checks of the profile in § 4, so that the oracle accepts what only § 4 forbids a CA.
"""
CRL = "the case needs its CRL, which another oracle reads"
CA_PROFILE = "RFC 5280 § 4 forbids it a CA; § 6.1 recommends that validators don't check it"
BROWSER_FORUM = "the CA/Browser Forum forbids it a CA; RFC 5280 allows it"
COMMON_NAME = "RFC 9525 § 6 and the contract never look at the common name"
RESOURCES = "the case expects a budget of work; the answer by the text is an acceptable path"
KEY_USAGE = "the leaf's key usage has only keyCertSign, which webPKI refuses"
LEAF_KEY = "the contract accepts any key algorithm in a leaf under rfc5280"

# name: (reason, the profiles in which the outcomes differ)
BOTH = ("webPKI", "rfc5280")


def both(reason, *names):
    return {name: (reason, BOTH) for name in names}


DIFFERENCES = {
    **both(CRL, "crl::revoked-certificate-with-crl", "crl::crlnumber-missing", "crl::crlnumber-critical", "crl::issuer-missing-crlsign"),
    **both(RESOURCES, "pathological::nc-dos-1", "pathological::nc-dos-2"),
    **both(CA_PROFILE, "rfc5280::aki::critical-aki", "rfc5280::aki::leaf-missing-aki", "rfc5280::aki::intermediate-missing-aki",
           "rfc5280::aki::cross-signed-root-missing-aki", "rfc5280::nc::permitted-dns-match-noncritical",
           "rfc5280::nc::not-allowed-in-ee-noncritical", "rfc5280::nc::not-allowed-in-ee-critical", "rfc5280::pc::ica-noncritical-pc",
           "rfc5280::san::noncritical-with-empty-subject", "rfc5280::san::underscore-dns", "rfc5280::serial::too-long",
           "rfc5280::serial::zero", "rfc5280::serial::negative", "rfc5280::ski::critical-ski", "rfc5280::ski::root-missing-ski",
           "rfc5280::ski::intermediate-missing-ski", "rfc5280::ca-empty-subject", "rfc5280::root-non-critical-basic-constraints",
           "rfc5280::leaf-ku-keycertsign", "rfc5280::ee-critical-aia-invalid",
           "webpki::nc::intermediate-permitted-excluded-subtrees-both-null"),
    **both(BROWSER_FORUM, "webpki::aki::root-with-aki-missing-keyidentifier", "webpki::aki::root-with-aki-authoritycertissuer",
           "webpki::aki::root-with-aki-authoritycertserialnumber", "webpki::aki::root-with-aki-all-fields",
           "webpki::aki::root-with-aki-ski-mismatch", "webpki::eku::ee-anyeku", "webpki::eku::ee-critical-eku",
           "webpki::eku::ee-without-eku", "webpki::eku::root-has-eku", "webpki::san::san-critical-with-nonempty-subject",
           "webpki::forbidden-rsa-not-divisible-by-8-in-root", "webpki::forbidden-rsa-key-not-divisible-by-8-in-leaf",
           "webpki::ee-basicconstraints-ca"),
    **both(COMMON_NAME, "webpki::cn::ipv4-hex-mismatch", "webpki::cn::ipv4-leading-zeros-mismatch", "webpki::cn::ipv6-uppercase-mismatch",
           "webpki::cn::ipv6-uncompressed-mismatch", "webpki::cn::ipv6-non-rfc5952-mismatch", "webpki::cn::punycode-not-in-san",
           "webpki::cn::utf8-vs-punycode-mismatch", "webpki::cn::not-in-san", "webpki::cn::case-mismatch"),
    "pathlen::validation-ignores-pathlen-in-leaf": (KEY_USAGE, ("webPKI",)),
    "rfc5280::ca-as-leaf": (KEY_USAGE, ("webPKI",)),
    "webpki::forbidden-dsa-leaf": (LEAF_KEY, ("rfc5280",)),
    "webpki::ca-as-leaf": (BROWSER_FORUM, ("rfc5280",)),
}
