# SPDX-License-Identifier: Apache-2.0
"""Builds the programs behind which the peers answer: each is one file, built once for each version of it."""
import hashlib
import os
import shutil
import subprocess
import sys

import peers

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build", "differential")


def built(name, command, environment=None):
    """The program of a source file, compiled by `command(program, source)` unless there is one of this version."""
    source = os.path.join(HERE, name)
    with open(source, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:16]
    program = os.path.join(FOLDER, f"{name.replace('.', '-')}-{digest}")
    if not os.path.exists(program):
        os.makedirs(FOLDER, exist_ok=True)
        fresh = f"{program}.{os.getpid()}"
        subprocess.run(command(fresh, source), check=True, env={**os.environ, **(environment or {})})
        os.replace(fresh, program)
    return program


def c_peers():
    """OpenSSL and GnuTLS."""
    return built("peers.c", lambda program, source: ["cc", "-O2", "-o", program, source, "-lssl", "-lcrypto", "-lgnutls"])


def go_peer():
    """Go's crypto/x509; None where there is no Go, which SERVERTRUST_ALL_CHECKS forbids."""
    if shutil.which("go") is None:
        if os.environ.get("SERVERTRUST_ALL_CHECKS") == "1":
            raise peers.PeerError("no Go, and SERVERTRUST_ALL_CHECKS allows no skipped peer: apt-get install golang-go")
        print("differential: skipped the peer go: install golang-go to ask it", file=sys.stderr)
        return None
    environment = {"GO111MODULE": "off", "GOFLAGS": "", "GOCACHE": os.path.join(FOLDER, "go-cache")}
    return built("peers.go", lambda program, source: ["go", "build", "-o", program, source], environment)
