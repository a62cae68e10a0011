# SPDX-License-Identifier: Apache-2.0
"""Reads an OCSP response (RFC 6960 § 4.2.1)."""
import functools
import hashlib
from dataclasses import dataclass

from asn1crypto import core, ocsp as ocsps

from revocation_certificates import read_certificate
from revocation_names import moment_in, same_name
from strict_der import is_strict

KNOWN = {"1.3.6.1.5.5.7.48.1." + one for one in ("2", "3", "6", "9")}
ENTRY_OF_CRL = {"2.5.29.21", "2.5.29.24", "2.5.29.29"}
DIGESTS = {"sha1": 20, "sha224": 28, "sha256": 32, "sha384": 48, "sha512": 64}


@dataclass(frozen=True)
class Single:
    """A SingleResponse."""
    digest: str
    name_hash: bytes
    key_hash: bytes
    serial: int
    status: str              # "good", "revoked", "unknown"
    reason: str | None
    date: object             # the revocation time, if revoked
    this: object
    next: object
    unknown_critical: bool

    def is_about(self, certificate, issuer, reading):
        """§ 4.1.1 and § 3.2 (1): the hashes of the issuer's name and key, and the serial number."""
        if self.serial != certificate.serial or self.digest not in DIGESTS:
            return False
        if hashlib.new(self.digest, issuer.key_bits).digest() != self.key_hash:
            return False
        if self.digest not in ("sha1", "sha256", "sha384", "sha512"):
            news = "bad" if self.status == "revoked" else "good"
            if not reading.ask("%s news under a CertID with another digest than SHA-1 and SHA-256 to SHA-512 counts" % news):
                return False
        if hashlib.new(self.digest, certificate.issuer.dump()).digest() == self.name_hash:
            return True
        return (hashlib.new(self.digest, issuer.subject.dump()).digest() == self.name_hash
                and reading.ask("a CertID with the issuer's own encoding of its name counts"))


class Response:
    """A successful basic response."""

    def __init__(self, der):
        value = ocsps.OCSPResponse.load(der, strict=True)
        if value["response_status"].native != "successful":
            raise ValueError("not successful")
        if value["response_bytes"]["response_type"].native != "basic_ocsp_response":
            raise ValueError("not a basic response")
        basic = value["response_bytes"]["response"].parsed
        body = basic["tbs_response_data"]
        self.der = der
        self.irregular = {"an OCSP response isn't strict DER"} if not (is_strict(der) and is_strict(basic.dump())) else set()
        self.produced = moment_in(body["produced_at"])
        self.responder = body["responder_id"]
        self.signed, self.signature = body.dump(), basic["signature"].native
        self.algorithm = basic["signature_algorithm"].dump()
        self.unknown_critical, self.known_critical = self.critical(body["response_extensions"], KNOWN)
        certificates = () if isinstance(basic["certs"], core.Void) else basic["certs"]
        self.certificates = [one for one in (read_certificate(item.dump()) for item in certificates) if one is not None]
        self.singles = [self.read_single(one) for one in body["responses"]]

    @staticmethod
    def critical(listed, known):
        """Whether unknown and known critical extensions exist (§ 4.4)."""
        oids = set() if isinstance(listed, core.Void) else {one["extn_id"].dotted for one in listed if one["critical"].native}
        return bool(oids - known), bool(oids & known)

    def read_single(self, value):
        """One SingleResponse; `revoked` without a reason is "unspecified"."""
        identifier, status = value["cert_id"], value["cert_status"]
        reason = date = None
        if status.name == "revoked":
            reason = status.chosen["revocation_reason"].native or "unspecified"
            date = moment_in(status.chosen["revocation_time"])
        following = moment_in(value["next_update"])
        unknown, _ = self.critical(value["single_extensions"], KNOWN | ENTRY_OF_CRL)
        return Single(identifier["hash_algorithm"]["algorithm"].native, identifier["issuer_name_hash"].native,
                      identifier["issuer_key_hash"].native, identifier["serial_number"].native, status.name, reason, date,
                      moment_in(value["this_update"]), following, unknown)

    def names(self, certificate):
        """§ 4.2.2.3: whether the responder ID is the certificate's subject or the SHA-1 of its key."""
        if self.responder.name == "by_name":
            return same_name(self.responder.chosen, certificate.subject)
        return self.responder.chosen.native == hashlib.sha1(certificate.key_bits).digest()


@functools.lru_cache(4096)
def read_response(der):
    """The response, or None if it isn't a successful basic response that can be read."""
    try:
        return Response(der)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
