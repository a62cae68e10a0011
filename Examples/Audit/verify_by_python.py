# SPDX-License-Identifier: Apache-2.0
"""Evaluates request lines from standard input with Python's cryptography, for `measure`. Prints the ID and verdict per line.

Creates one store for each set of anchors. Uses each request's own time, chain and host, like servertrust.
"""

import base64
import functools
import ipaddress
import json
import sys
from datetime import datetime

from cryptography.x509 import DNSName, IPAddress, load_der_x509_certificate
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError


@functools.lru_cache(maxsize=64)
def store(anchors: tuple[str, ...]) -> Store:
    return Store([load_der_x509_certificate(base64.b64decode(anchor)) for anchor in anchors])


@functools.lru_cache(maxsize=64)
def builder(anchors: tuple[str, ...], time: str) -> PolicyBuilder:
    return PolicyBuilder().store(store(anchors)).time(datetime.fromisoformat(time).replace(tzinfo=None))


def subject(host: str):
    try:
        return IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return DNSName(host)


def verdict(request: dict) -> str:
    if "host" not in request:
        return "left out"  # The library can't verify a server without a name.
    try:
        chain = [load_der_x509_certificate(base64.b64decode(text)) for text in request["chain"]]
        verifier = builder(tuple(request["anchors"]), request["time"]).build_server_verifier(subject(request["host"]))
        verifier.verify(chain[0], chain[1:])
    except VerificationError:
        return "rejected"
    except ValueError:
        return "unreadable"
    return "trusted"


for line in sys.stdin.buffer:
    request = json.loads(line)
    sys.stdout.write(f"{request['id']}\t{verdict(request)}\n")
