# SPDX-License-Identifier: Apache-2.0
"""Builds the programs that call the peers. Each is one file and is built once for each version of the file."""
import hashlib
import os
import shutil
import subprocess
import sys

import peers

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build", "differential")


def built(name, command, environment=None):
    """Returns the program of a source file, compiled by `command(program, source)` unless this version exists."""
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
    """Builds the program for Go's crypto/x509. Returns None without Go, which is an error with SERVERTRUST_ALL_CHECKS."""
    if shutil.which("go") is None:
        if os.environ.get("SERVERTRUST_ALL_CHECKS") == "1":
            raise peers.PeerError("Go isn't installed, and SERVERTRUST_ALL_CHECKS doesn't allow skipped peers: apt-get install golang-go")
        print("differential: skipped the peer go: install golang-go to include it", file=sys.stderr)
        return None
    environment = {"GO111MODULE": "off", "GOFLAGS": "", "GOCACHE": os.path.join(FOLDER, "go-cache")}
    return built("peers.go", lambda program, source: ["go", "build", "-o", program, source], environment)
