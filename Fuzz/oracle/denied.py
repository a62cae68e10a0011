# SPDX-License-Identifier: Apache-2.0
"""Denied certificates: the lists that a block of graphs shares, in the command's formats and for the oracle.

A graph is a function of seed and index, so the lists of its block are functions of the seed and the block. They name issuers and small
serial numbers, and keys that graphs use for nothing else.
"""
import base64
import hashlib
import json
import os
import random
import struct

SERIALS = (7001, 7002, 7003)
KEY_NUMBERS = range(700, 708)


def text(data):
    return base64.b64encode(data).decode()


def contents(serial):
    """Returns the contents of the INTEGER."""
    return serial.to_bytes(serial.bit_length() // 8 + 1, "big")


class Denied:
    """The certificates that no path of a block may contain."""

    def __init__(self, seed, block, entities, keys, roots):
        r = random.Random(f"{seed}/denied/{block}")
        names = [r.choice([one.name, *one.same[:1]]) for one in r.sample(entities, 20)]
        self.issuer_serials = [(name, r.choice(SERIALS)) for name in names]
        digest = lambda number: hashlib.sha256(keys.get("p256", number).spki).digest()
        self.keys = [digest(number) for number in r.sample(KEY_NUMBERS, 3)]
        # A subject with a key. The lists don't deny the same key under another subject.
        self.subject_keys = [(one.name, digest(one.number)) for one in r.sample(entities, 1)]
        self.distrusted = [hashlib.sha256(roots[number]).digest() for number in r.sample(sorted(roots), 2)]
        self.issuer_key_serials = [(digest(one.number), r.choice(SERIALS)) for one in r.sample(entities, 15)]

    def one_crl(self):
        records = [{"issuerName": text(name), "serialNumber": text(contents(serial))} for name, serial in self.issuer_serials]
        records += [{"subject": text(name), "pubKeyHash": text(key)} for name, key in self.subject_keys]
        return json.dumps({"data": records}).encode()

    def crl_set(self):
        header = {"Version": 0, "ContentType": "CRLSet", "Sequence": 1, "DeltaFrom": 0, "NumParents": len(self.issuer_key_serials),
                  "BlockedSPKIs": [text(key) for key in self.keys], "NotAfter": 1}  # fmt: skip
        head = json.dumps(header).encode()
        parents = b""
        for key, serial in self.issuer_key_serials:
            number = serial.to_bytes((serial.bit_length() + 7) // 8, "big")
            parents += key + struct.pack("<I", 1) + bytes((len(number),)) + number
        return struct.pack("<H", len(head)) + head + parents

    def overlay(self):
        """Returns a root program's list that distrusts two roots and has no constraints for other roots."""
        distrusted = [one.hex() for one in self.distrusted]
        return json.dumps({"schemaVersion": 1, "program": "Graphs", "complete": False, "distrusted": distrusted}).encode()

    def write(self, folder):
        """Writes the lists and returns the options that name them."""
        options = []
        lists = {
            "denied.json": ("--denied", self.one_crl()),
            "denied.crlset": ("--denied", self.crl_set()),
            "roots.json": ("--roots-overlay", self.overlay()),
        }
        for name, (option, data) in lists.items():
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(data)
            options += [option, path]
        return options

    def entry(self, path, anchors, others):
        """Returns the entry that refuses a path of parsed certificates, leaf first, or None.

        `anchors` are the request's anchors, `others` its other certificates. Any of them may have issued the path's last certificate.
        """
        # A certificate of a distrusted anchor's key is the same authority (RootPrograms.md).
        distrusted = {one.key for one in anchors if one.digest in self.distrusted}
        for position, one in enumerate(path):
            if one.digest in self.distrusted:
                return "distrusted root"
            if one.key in distrusted:
                return "key of a distrusted root"
            if (one.issuer, one.serial) in self.issuer_serials:
                return "issuer and serial number"
            if one.key in self.keys:
                return "key"
            if (one.subject, one.key) in self.subject_keys:
                return "subject and key"
            any_issuer = [one, *others] if one.issuer == one.subject else [*anchors, *others]
            above = path[position + 1 : position + 2] or [other for other in any_issuer if other.subject == one.issuer]
            if any((issuer.key, one.serial) in self.issuer_key_serials for issuer in above):
                return "issuer's key and serial number"
        return None
