# SPDX-License-Identifier: Apache-2.0
"""Reads a request of the batch contract into the inputs of RFC 5280 § 6.1.1."""
import base64
import binascii
import datetime
import re

import path_certificates as certificates
from path_extensions import ANY_POLICY

TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))\Z")
OID = re.compile(r"[0-2](\.(0|[1-9][0-9]*))+\Z")


class Unreadable(ValueError):
    """The request can't be read: the contract's verdict is `unreadable`."""


def need(condition, why):
    if not condition:
        raise Unreadable(why)


def decoded(value, key):
    """A list of base64 DER."""
    need(isinstance(value, list) and all(isinstance(one, str) for one in value), key)
    try:
        return [base64.b64decode(one, validate=True) for one in value]
    except (binascii.Error, ValueError) as error:
        raise Unreadable(key) from error


def second(value):
    """The verify date as an integer YYYYMMDDHHMMSS in UTC. Fractions of a second are cut off."""
    if value is None:
        return int(datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d%H%M%S"))
    match = TIME.match(value) if isinstance(value, str) else None
    need(match, "time")
    try:
        moment = datetime.datetime(*(int(match[i]) for i in range(1, 7)))
        if match[7]:
            need(int(match[9]) < 60, "time")
            offset = datetime.timedelta(hours=int(match[8]), minutes=int(match[9]))
            moment = moment - offset if match[7] == "+" else moment + offset
    except (ValueError, OverflowError) as error:
        raise Unreadable("time") from error
    return int(f"{moment.year:04}{moment:%m%d%H%M%S}")


class Inputs:
    """The inputs of § 6.1.1 and the product's own. `acceptable` is None for the special value any-policy."""

    def __init__(self, request):
        need(isinstance(request, dict), "request")
        chain = decoded(request.get("chain"), "chain")
        need(chain, "chain")
        others = decoded(self.value(request, "intermediates", []), "intermediates")
        anchors = decoded(request.get("anchors"), "anchors")
        self.leaf = certificates.read(chain[0])
        need(self.leaf, "leaf")
        self.anchors = self.distinct(anchors)
        ends = {anchor.digest for anchor in self.anchors} | {self.leaf.digest}
        self.candidates = [one for one in self.distinct(chain[1:] + others) if one.digest not in ends]
        self.time = second(request.get("time"))
        self.host = self.text(request, "host", None)
        self.purpose = self.text(request, "purpose", "serverAuth", ("serverAuth", "clientAuth", "any"))
        self.profile = self.text(request, "profile", "webPKI", ("webPKI", "rfc5280"))
        self.maximum = request.get("maximumIntermediates")
        need(self.maximum is None or type(self.maximum) is int, "maximumIntermediates")
        self.read_policies(self.value(request, "policies", {}))
        self.pins = request.get("pins")
        if self.pins is not None:
            self.pins = self.read_pins(self.pins)

    @staticmethod
    def value(request, key, absent):
        found = request.get(key)
        return absent if found is None else found

    def text(self, request, key, absent, allowed=None):
        found = self.value(request, key, absent)
        need(found is None or isinstance(found, str) and (allowed is None or found in allowed), key)
        return found

    @staticmethod
    def distinct(encodings):
        """The certificates that can be read, each once. The others are left out."""
        return [one for one in map(certificates.read, dict.fromkeys(encodings)) if one]

    def read_policies(self, policies):
        need(isinstance(policies, dict), "policies")
        for key in ("requireExplicit", "inhibitMapping", "inhibitAny"):
            need(isinstance(self.value(policies, key, False), bool), key)
        self.require_explicit = policies.get("requireExplicit") or False
        self.inhibit_mapping = policies.get("inhibitMapping") or False
        self.inhibit_any = policies.get("inhibitAny") or False
        acceptable = policies.get("acceptable")
        need(acceptable is None or isinstance(acceptable, list), "acceptable")
        need(all(isinstance(one, str) and OID.match(one) for one in acceptable or ()), "acceptable")
        self.acceptable = None if acceptable is None or ANY_POLICY in acceptable else set(acceptable)

    @staticmethod
    def read_pins(pins):
        need(isinstance(pins, list) and all(isinstance(one, str) and one.startswith("sha256/") for one in pins), "pins")
        hashes = decoded([one.removeprefix("sha256/") for one in pins], "pins")
        need(all(len(one) == 32 for one in hashes), "pins")
        return frozenset(hashes)
