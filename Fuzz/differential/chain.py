# SPDX-License-Identifier: Apache-2.0
"""Valid certificates in parts that a mutation may change, and whole chains of them."""
import base64
import datetime
import hashlib

import der

NOW = datetime.datetime(2026, 11, 21, 12, 0, 0)
PROFILES = ("webPKI", "rfc5280")


def moment(text):
    return datetime.datetime.fromisoformat(text)


BASIC, USAGE, SKI, AKI, SAN, EKU = "2.5.29.19", "2.5.29.15", "2.5.29.14", "2.5.29.35", "2.5.29.17", "2.5.29.37"
NAMES, POLICIES, MAPPINGS = "2.5.29.30", "2.5.29.32", "2.5.29.33"
POLICY_CONSTRAINTS, INHIBIT_ANY = "2.5.29.36", "2.5.29.54"
SERVER, CLIENT, ANY_PURPOSE = "1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2", "2.5.29.37.0"
signatures = {}


def dns(text):
    return der.tlv(0x82, text.encode() if isinstance(text, str) else text)


def address(octets):
    return der.tlv(0x87, octets)


def purposes(*oids):
    return der.sequence(*(der.oid(text) for text in oids))


def policies(*oids):
    return der.sequence(*(der.sequence(der.oid(text)) for text in oids))


class Certificate:
    """One certificate. `parent` signs it. Without a parent, it is self-signed."""

    def __init__(self, role, key, subject, parent=None):
        self.role, self.key, self.subject, self.parent = role, key, subject, parent
        self.version = der.tlv(0xA0, der.integer(2))
        self.serial = None
        self.issuer = None
        self.not_before = der.time(moment({"anchor": "2020-01-01", "intermediate": "2022-01-01", "leaf": "2026-10-01"}[role]))
        self.not_after = der.time(moment({"anchor": "2040-01-01", "intermediate": "2038-01-01", "leaf": "2027-01-15"}[role]))
        self.spki = key.spki
        self.scheme = None
        self.signer = None
        self.inner_algorithm = None
        self.outer_algorithm = None
        self.after_key = b""
        # Tuples of type, criticality (None to omit it) and value. None omits the extension list.
        self.extensions = {}
        self.repeated = []
        self.alter_tbs = self.alter_signature = self.alter_whole = None
        self._der = None
        if role == "leaf":
            self.set(USAGE, der.named_bits(0), True)
            self.set(EKU, purposes(SERVER))
        else:
            self.set(BASIC, der.sequence(der.boolean(True)), True)
            self.set(USAGE, der.named_bits(5, 6), True)
        self.set(SKI, der.octets(key.identifier))
        if parent:
            self.set(AKI, der.sequence(der.tlv(0x80, parent.key.identifier)))

    def set(self, kind, value, critical=None):
        self.extensions[kind] = (critical, value)

    def drop(self, kind):
        if self.extensions is not None:
            self.extensions.pop(kind, None)

    def value(self, kind):
        return self.extensions[kind][1]

    def _extension(self, kind, critical, value):
        mark = b"" if critical is None else critical if isinstance(critical, bytes) else der.boolean(critical)
        return der.sequence(der.oid(kind), mark, der.octets(value))

    def der(self):
        if self._der is not None:
            return self._der
        parent = self.parent or self
        signer = self.signer or parent.key
        # A second mutation may have changed the signer's key.
        scheme = self.scheme if self.scheme and signer.fits(self.scheme) else signer.default_scheme()
        algorithm = signer.algorithm(scheme)
        inner = self.inner_algorithm or algorithm
        extensions = b""
        if self.extensions is not None:
            members = [self._extension(kind, *value) for kind, value in self.extensions.items()] + self.repeated
            extensions = der.tlv(0xA3, der.sequence(*members))
        body = b"".join(
            (inner, self.issuer or parent.subject, der.sequence(self.not_before, self.not_after), self.subject, self.spki, self.after_key, extensions)
        )
        self._serial = self.serial or der.tlv(2, b"\x40" + hashlib.sha256(body).digest()[:15])
        tbs = der.sequence(self.version, self._serial, body)
        if self.alter_tbs:
            tbs = self.alter_tbs(tbs)
        known = (id(signer), scheme, tbs)
        signature = signatures.get(known)
        if signature is None:
            if len(signatures) > 20_000:
                signatures.clear()
            signature = signatures[known] = signer.sign(tbs, scheme)
        if self.alter_signature:
            signature = self.alter_signature(signature)
        value = signature if self.alter_signature and signature[:1] == b"\x03" else der.bits(signature)
        whole = der.sequence(tbs, self.outer_algorithm or algorithm, value)
        self._der = self.alter_whole(whole) if self.alter_whole else whole
        return self._der

    def serial_number(self):
        """Returns the encoded serial number, a hash of the rest unless a mutation wrote another. Change nothing after this."""
        self.der()
        return self._serial


class Chain:
    """The contents of one request: certificates, host, purpose, and the tags of all changes."""

    def __init__(self, index):
        self.index = index
        self.tags = []
        self.expected = dict.fromkeys(PROFILES, "trusted")
        self.host, self.purpose = "www.example.com", "serverAuth"
        self.inputs = None
        self.path = []  # leaf first, root last
        self.sent = None  # above the leaf: certificates or bytes, or None for the path's intermediates
        self.extra = []  # sent in addition to the path, before it if `extra_first`
        self.extra_first = False
        self.intermediates = []
        self.anchors = None
        # Evidence: the mode of the request, CRLs and OCSP responses, or None.
        self.revocation = self.crls = self.responses = None

    @property
    def leaf(self):
        return self.path[0]

    @property
    def root(self):
        return self.path[-1]

    def tag(self, name, expected=None, web=None, plain=None):
        """Records a change and the expected result: True trusted, False rejected, None either."""
        self.tags.append(name)
        for profile, one in (("webPKI", web), ("rfc5280", plain)):
            one = expected if one is None else one
            if one == "either":
                one = None
            if one is None and self.expected[profile] == "trusted":
                self.expected[profile] = None
            elif one is False:
                self.expected[profile] = "rejected"

    def request(self):
        """Returns the batch line as a dictionary without a profile."""
        encode = lambda one: base64.b64encode(one if isinstance(one, bytes) else one.der()).decode()
        sent = self.path[1:-1] if self.sent is None else self.sent
        sent = self.extra + sent if self.extra_first else sent + self.extra
        request = {"id": str(self.index), "chain": [encode(one) for one in [self.leaf, *sent]]}
        if self.host is not None:
            request["host"] = self.host
        if self.intermediates:
            request["intermediates"] = [encode(one) for one in self.intermediates]
        request["anchors"] = [encode(one) for one in ([self.root] if self.anchors is None else self.anchors)]
        request["time"] = NOW.isoformat() + "Z"
        request["purpose"] = self.purpose
        if self.inputs:
            request["policies"] = self.inputs
        if self.revocation:
            request["revocation"] = self.revocation
            for key, evidence in (("crls", self.crls), ("ocspResponses", self.responses)):
                if evidence:
                    request[key] = [base64.b64encode(one).decode() for one in evidence]
        request["tags"] = self.tags
        return request
