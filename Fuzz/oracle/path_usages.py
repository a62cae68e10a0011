# SPDX-License-Identifier: Apache-2.0
"""What a certificate may be used for: RFC 5280 § 4.2.1.3, § 4.2.1.12, § 6.1.4 (k), (n), (o), § 6.1.5 (f)."""
import functools

import path_extensions as extensions

ANY_PURPOSE = "2.5.29.37.0"
PURPOSES = {"serverAuth": "1.3.6.1.5.5.7.3.1", "clientAuth": "1.3.6.1.5.5.7.3.2"}
DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, KEY_AGREEMENT, KEY_CERT_SIGN = 0, 2, 4, 5

# § 4.2: the extensions that this profile defines.
RECOGNIZED = frozenset(extensions.PARSERS)


def is_authority(certificate):
    """§ 6.1.4 (k): basicConstraints is present and cA is TRUE."""
    return bool((certificate.get(extensions.BASIC_CONSTRAINTS) or (False, None))[0])


def path_length(certificate):
    """§ 6.1.4 (m): pathLenConstraint, or None."""
    return (certificate.get(extensions.BASIC_CONSTRAINTS) or (False, None))[1]


def may_sign_certificates(certificate):
    """§ 6.1.4 (n): without a key usage extension, or with the bit keyCertSign."""
    usage = certificate.get(extensions.KEY_USAGE)
    return usage is None or KEY_CERT_SIGN in usage


def may_serve_tls(certificate):
    """§ 4.2.1.12: the key usages that are consistent with TLS authentication."""
    usage = certificate.get(extensions.KEY_USAGE)
    return usage is None or bool(usage & {DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, KEY_AGREEMENT})


@functools.lru_cache(maxsize=8192)
def allows_purpose(certificate, purpose):
    """§ 4.2.1.12: without the extension, or with the purpose or anyExtendedKeyUsage."""
    usages = certificate.get(extensions.EXTENDED_KEY_USAGE)
    return purpose == "any" or usages is None or PURPOSES[purpose] in usages or ANY_PURPOSE in usages


@functools.lru_cache(maxsize=8192)
def critical_problem(certificate, is_anchor=False):
    """§ 4.2: a critical extension that isn't recognized, or that has information that can't be processed; or None.

    The policies of an anchor don't count, so neither do their qualifiers.
    """
    unknown = certificate.critical - RECOGNIZED
    if unknown:
        return f"critical extension {sorted(unknown)[0]}"
    if is_anchor or extensions.POLICIES not in certificate.critical:
        return None
    if not all(known for _, _, known in certificate.get(extensions.POLICIES)):
        return "qualifier in a critical certificatePolicies extension"
    return None
