#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes seeds for the fuzz targets from x509-limbo's cases into Corpus/, which git ignores.

    Fuzz/make-seeds.py [limbo.json]     default: ../shared/corpora/limbo.json
"""
import base64
import hashlib
import json
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
default = os.path.join(here, "..", "..", "shared", "corpora", "limbo.json")
source = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SERVERTRUST_CORPORA", os.path.dirname(default)) + "/limbo.json"
if not os.path.exists(source):
    print(f"make-seeds: {source} is missing, so the targets start without seeds", file=sys.stderr)
    sys.exit(0)


def der(pem):
    return base64.b64decode("".join(re.findall(r"-----BEGIN [^-]+-----([^-]+)-----END", pem)[0].split()))


def write(target, data):
    folder = os.path.join(here, "Corpus", target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, hashlib.sha1(data).hexdigest()), "wb") as file:
        file.write(data)


def element(tag, *contents):
    data = b"".join(contents)
    if len(data) < 0x80:
        return bytes([tag, len(data)]) + data
    count = (len(data).bit_length() + 7) // 8
    return bytes([tag, 0x80 | count]) + len(data).to_bytes(count, "big") + data


def certs_only(certificates):
    """Encodes a CMS message that only contains certificates (RFC 5652 § 5.1 and 5.2)."""
    signed_data = element(
        0x30, element(2, b"\1"), element(0x31), element(0x30, element(6, bytes.fromhex("2a864886f70d010701"))),
        element(0xA0, *certificates), element(0x31))
    return element(0x30, element(6, bytes.fromhex("2a864886f70d010702")), element(0xA0, signed_data))


def length(data, index):
    first = data[index]
    if first < 0x80:
        return first, index + 1
    count = first & 0x7F
    return int.from_bytes(data[index + 1 : index + 1 + count], "big"), index + 1 + count


def extension(data, oid):
    """Returns the value of the first extension whose encoded OID is `oid`."""
    index = data.find(bytes([6, len(oid)]) + oid)
    if index < 0:
        return None
    index += 2 + len(oid)
    if data[index : index + 3] == b"\x01\x01\xff":
        index += 3
    if data[index] != 4:
        return None
    count, start = length(data, index + 1)
    return data[start : start + count]


with open(source) as file:
    cases = json.load(file)["testcases"]
constraints, names = set(), set()
for case in cases:
    pems = [case["peer_certificate"], *case["untrusted_intermediates"], *case["trusted_certs"]]
    chain = [der(pem) for pem in pems]
    for pem, certificate in zip(pems, chain):
        if len(certificate) > 6000:
            continue
        write("FuzzCertificate", certificate)
        write("FuzzCertificateCollection", certificate)
        write("FuzzDER", certificate)
        timestamps = extension(certificate, bytes.fromhex("2b06010401d679020402"))
        if timestamps:
            write("FuzzTransparency", b"\1" + certificate)
            write("FuzzTransparency", b"\0" + timestamps[length(timestamps, 1)[1]:])
        write("FuzzPEM", pem.encode())
        write("FuzzPinSource", certificate)
        write("FuzzPinSource", pem.encode())
        value = extension(certificate, bytes([0x55, 0x1D, 0x1E]))
        if value and len(value) < 1000:
            constraints.add(value)
        value = extension(certificate, bytes([0x55, 0x1D, 0x11]))
        if value and len(value) < 500:
            names.add(value)
    if sum(map(len, chain)) < 12000:
        write("FuzzCertificateCollection", certs_only(chain))
        packed = b"".join(len(c).to_bytes(2, "big") + c for c in chain)
        for options in (0, 4, 1 + 8):
            write("FuzzChain", bytes([options]) + packed)
for constraint in sorted(constraints)[:60]:
    for name in sorted(names)[:60]:
        header = len(constraint).to_bytes(2, "big") + len(name).to_bytes(2, "big")
        write("FuzzNameConstraints", header + constraint + name)
write("FuzzDER", b"2026-11-21T09:30:00Z")
write("FuzzDER", b"2.5.29.17")
write("FuzzDER", b"www.example.com")
write("FuzzDER", b"2001:db8::1")
print("make-seeds: " + ", ".join(f"{t} {len(os.listdir(os.path.join(here, 'Corpus', t)))}" for t in sorted(os.listdir(os.path.join(here, 'Corpus')))))
