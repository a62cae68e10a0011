# SPDX-License-Identifier: Apache-2.0
"""Evaluates request lines from standard input with one `openssl verify` process each, for `measure`. Prints the ID and verdict per line.

The certificates go through files, because the program requires them. Most of the time is its start.
"""

import ipaddress
import json
import pathlib
import subprocess
import sys
import tempfile
from datetime import datetime


def pem(texts: list[str]) -> str:
    return "".join(f"-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n" for text in texts)


def verdict(request: dict, folder: pathlib.Path) -> str:
    names = {"leaf": request["chain"][:1], "above": request["chain"][1:], "anchors": request["anchors"]}
    for name, texts in names.items():
        (folder / name).write_text(pem(texts))
    seconds = int(datetime.fromisoformat(request["time"]).timestamp())
    command = ["openssl", "verify", "-purpose", "sslserver", "-attime", str(seconds), "-no-CApath", "-no-CAstore", "-CAfile", folder / "anchors"]
    if request["chain"][1:]:
        command += ["-untrusted", folder / "above"]
    if host := request.get("host"):
        command += ["-verify_ip" if is_address(host) else "-verify_hostname", host]
    result = subprocess.run([*command, folder / "leaf"], capture_output=True)
    return "trusted" if result.returncode == 0 else "rejected"


def is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


with tempfile.TemporaryDirectory() as work:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        sys.stdout.write(f"{request['id']}\t{verdict(request, pathlib.Path(work))}\n")
