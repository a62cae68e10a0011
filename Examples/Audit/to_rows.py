#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts other formats to rows for `servertrust audit --input ndjson` and `servertrust verify --batch --input ndjson`.

    to_rows.py zgrab2 [FILE ...]         output lines of zgrab2: a row for each handshake with certificates
    to_rows.py zcertificate [FILE ...]   output lines of zcertificate: a row for each certificate
    to_rows.py pem [FILE ...]            chains one after the other, leaf first
    to_rows.py folder FOLDER ...         each file is a chain in PEM or DER, leaf first

Reads standard input without FILE. Nothing disappears: an entry that can't be read becomes a row with an empty chain, which
servertrust answers as unreadable, and its key `problem` says why. For PKCS #7 and PKCS #12, run `servertrust inspect --format pem` first.

zgrab2: a row is called DOMAIN IP PORT, and the handshake's place follows if the line has several. Its host is that of the HTTP request's
url, or else the request's host, the line's domain, the server name in the ClientHello, or the ip. A redirected request that names no host
has none, because the line's domain belongs to another host.

pem: a CA's certificate belongs to the chain before it if its subject is the issuer of that chain's last certificate.
"""

import base64
import binascii
import json
import os
import re
import sys

MARKER = re.compile(rb"-----(BEGIN|END) ([^\r\n-]{1,64})-----")
# The labels of objects with certificates. Only the first three can be read.
LABELS = (
    b"CERTIFICATE", b"X509 CERTIFICATE", b"X.509 CERTIFICATE", b"TRUSTED CERTIFICATE", b"PKCS7", b"CMS", b"PKCS #7 SIGNED DATA",
)


class Problem(Exception):
    """The reason why an entry can't be read."""


def row(name, chain=(), host=None, problem=None):
    return {"id": name, **({"host": host} if host else {}), "chain": list(chain), **({"problem": problem} if problem else {})}


# Lines of JSON


def parsed(line):
    """Returns the object of a line. A key that occurs twice is an error, because other programs may read the other value."""

    def unique(members):
        if len({key for key, _ in members}) < len(members):
            raise Problem("a key occurs twice in its object")
        return dict(members)

    try:
        found = json.loads(line, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise Problem(f"not JSON: {error}") from None
    if not isinstance(found, dict):
        raise Problem("not a JSON object")
    return found


def member(value, *path, kind=dict):
    """Returns the member at a path, or None if it is missing, null, empty or of another type."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, kind) and value else None


def raw(certificate):
    if not isinstance(certificate, dict) or not isinstance(certificate.get("raw"), str):
        raise Problem("a certificate has no raw")
    return certificate["raw"]


def handshakes(module, result):
    """Yields the place of each handshake of a module, its log, the request's host, and whether its request was redirected."""
    for log in (result, member(result, "tls")):
        yield module, log, None, False
    redirects = member(result, "redirect_response_chain", kind=list) or []
    for number, response in enumerate([*redirects, result.get("response")]):
        request = member(response, "request")
        host = member(request, "url", "host", kind=str) or member(request, "host", kind=str)
        place = f"{module}.redirect[{number}]" if number < len(redirects) else f"{module}.response"
        yield place, member(request, "tls_log"), host, number > 0


def without_port(host):
    if host.startswith("["):
        return host[1:].split("]")[0]
    return host.split(":")[0] if host.count(":") == 1 else host


def zgrab2(line):
    scan = parsed(line)
    domain, ip = member(scan, "domain", kind=str), member(scan, "ip", kind=str)
    port = scan.get("port")
    name = " ".join(str(part) for part in (domain, ip, port) if part is not None) or None
    found, states = [], []
    for module, results in sorted((member(scan, "data") or {}).items()):
        count = len(found)
        for place, log, host, is_redirected in handshakes(module, member(results, "result") or {}):
            handshake = member(log, "handshake_log")
            certificates = member(handshake, "server_certificates")
            if not member(certificates, "certificate"):
                continue
            chain = [raw(certificate) for certificate in [certificates["certificate"], *(certificates.get("chain") or [])]]
            server_name = member(handshake, "client_hello", "server_name", kind=str)
            host = without_port(host) if host else None if is_redirected else domain or server_name or ip
            if not any((chain, host) == (other["chain"], other.get("host")) for _, other in found):
                found.append((place, row(name, chain, host)))
        if len(found) == count:
            states.append(f"{module} is {member(results, 'status', kind=str)}: {member(results, 'error', kind=str)}")
    if not found:
        return [row(name, problem=f"no server_certificates ({', '.join(states)})")]
    return [{**one, "id": " ".join(filter(None, (name, place)))} if len(found) > 1 else one for place, one in found]


def zcertificate(line):
    found = parsed(line)
    return [row(member(found, "parsed", "fingerprint_sha256", kind=str), [raw(found)])]


def lines(convert, file, name):
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            found = convert(line)
        except Problem as problem:
            found = [row(None, problem=str(problem))]
        for one in found:
            yield {**one, "id": one["id"] or f"{name}:{number}"}


# Certificates


def elements(der):
    """Returns the tag, the contents and the whole of each element of DER."""
    found = []
    while der:
        size, start = der[1], 2
        if size & 0x80:
            start += size & 0x7F
            size = int.from_bytes(der[2:start], "big")
        if start + size > len(der):
            raise IndexError
        found.append((der[0], der[start : start + size], der[: start + size]))
        der = der[start + size :]
    return found


def described(der):
    """Returns issuer, subject, and whether the certificate may be a CA's. Version 1 doesn't say, and may be."""
    try:
        fields = elements(elements(elements(der)[0][1])[0][1])
        has_version = fields[0][0] == 0xA0
        _, _, issuer, _, subject = fields[has_version : has_version + 5]
        for _, extensions, _ in [field for field in fields if field[0] == 0xA3]:
            for _, extension, _ in elements(elements(extensions)[0][1]):
                identifier, *_, value = elements(extension)
                if identifier[1] == b"\x55\x1d\x13":
                    return issuer[2], subject[2], elements(value[1])[0][1][:3] == b"\x01\x01\xff"
        return issuer[2], subject[2], not has_version
    except (IndexError, ValueError):
        return None, None, False


def objects(data):
    """Yields the line of each certificate in PEM with its DER, or with the reason why it can't be read."""
    begin, line, counted = None, 1, 0
    for found in [*MARKER.finditer(data), None]:
        start = line
        word, label = found.groups() if found else (None, None)
        if found:
            line += data.count(b"\n", counted, found.start())
            counted = found.start()
        if begin and word == b"END" and label == begin.group(2):
            if label in LABELS[:3]:
                try:
                    der = base64.b64decode(b"".join(data[begin.end() : found.start()].split()), validate=True)
                    yield start, der or None, None if der else "an empty object"
                except binascii.Error as error:
                    yield start, None, str(error)
            elif label in LABELS:
                yield start, None, f"an object labeled {label.decode()}, expected CERTIFICATE"
        elif begin and begin.group(2) in LABELS:
            yield start, None, "a BEGIN line without its END line"
        elif word == b"END" and label in LABELS:
            yield line, None, "an END line without its BEGIN line"
        begin = found if word == b"BEGIN" else None


def pem(file, name):
    chain, last, start = [], None, 0
    for number, der, problem in objects(file.read()):
        issuer, subject, may_issue = described(der) if der else (None, None, False)
        if chain and subject and last and last[0] != last[1] and last[0] == subject and may_issue:
            chain.append(der)
        else:
            if chain:
                yield row(f"{name}:{start}", map(text, chain))
            chain, start = [der] if der else [], number
            if problem:
                yield row(f"{name}:{number}", problem=problem)
        last = (issuer, subject) if der else None
    if chain:
        yield row(f"{name}:{start}", map(text, chain))


def text(der):
    return base64.b64encode(der).decode()


def folder(path):
    for parent, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            file = os.path.join(parent, name)
            try:
                # A pipe would wait for its writer.
                if not os.path.isfile(file):
                    raise Problem("isn't a regular file")
                with open(file, "rb") as opened:
                    data = opened.read()
                found = list(objects(data)) if b"-----" in data else [(1, data, None)]
                problems = [problem for _, _, problem in found if problem]
                yield row(file, [] if problems else [text(der) for _, der, _ in found], problem="; ".join(problems))
            except (OSError, Problem) as problem:
                yield row(file, problem=str(problem))


def main():
    formats = {"zgrab2": zgrab2, "zcertificate": zcertificate, "pem": pem, "folder": folder}
    if len(sys.argv) < 2 or sys.argv[1] not in formats or sys.argv[1:] == ["folder"]:
        sys.exit(__doc__)
    convert = formats[sys.argv[1]]
    for name in sys.argv[2:] or ["-"]:
        if convert is folder:
            rows = folder(name)
        else:
            file = sys.stdin.buffer if name == "-" else open(name, "rb")
            rows = pem(file, name) if convert is pem else lines(convert, file, name)
        for one in rows:
            print(json.dumps(one))


if __name__ == "__main__":
    try:
        main()
    except (OSError, KeyboardInterrupt) as error:
        sys.exit(f"to_rows: {error!r}")
