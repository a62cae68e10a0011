# SPDX-License-Identifier: Apache-2.0
"""pyca/cryptography: its verifier tests, and the certificates that it can't parse.

The tests come from the sdist of `cryptography` on PyPI, and certificates from `cryptography-vectors`. Its verifier has the Web PKI's
rules, so these requests use the profile webPKI. .ci/extended already runs NIST's PKITS, which is in the vectors, and x509-limbo.
"""
import ast
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from datetime import timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

import debian
import own_anchor
from recorder import Recorder
from suite import ACCEPT, REFUSE, Case, NotAsked, pem_blocks, text

DESCRIPTION = "pyca: tests/x509 of cryptography's sdist, with cryptography-vectors (PyPI)"
FOLDER = debian.FOLDER / "pypi"
# A test without a date uses the current time.
NOW = "2025-06-01T00:00:00Z"
# pip requests the metadata from an sdist's build backend. This backend copies PKG-INFO and builds nothing.
BACKEND = '''import pathlib, shutil
def prepare_metadata_for_build_wheel(directory, config_settings=None):
    into = pathlib.Path(directory) / "cryptography-0.dist-info"
    into.mkdir()
    shutil.copy("PKG-INFO", into / "METADATA")
    return into.name
'''
SKIPPED = {
    "x509/verification/test_limbo.py": "x509-limbo, a part of CI already",
    "x509/test_ocsp.py": "reads or builds OCSP messages, without a path",
    "x509/test_x509_crlbuilder.py": "builds CRLs, without a path",
    "x509/test_x509_revokedcertbuilder.py": "builds CRLs, without a path",
    "x509/test_name.py": "names as text",
}
READERS = ("x509/test_x509.py", "x509/test_x509_ext.py")
UNREADABLE = {"ValueError", "InvalidVersion", "DuplicateExtension"}


def download():
    """Downloads the newest sdist and vectors. Without the network, uses the previous ones."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "maturin.py").write_text(BACKEND)
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "-d", str(FOLDER)]
    for arguments in (["--no-build-isolation", "--no-binary", "cryptography", "cryptography"], ["cryptography-vectors"]):
        done = subprocess.run(pip + arguments, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(FOLDER)})
        if done.returncode != 0:
            print(f"pyca: {arguments[-1]} can't be downloaded: {done.stderr.strip()[-300:]}")
    sdists, wheels = FOLDER.glob("cryptography-*.tar.gz"), FOLDER.glob("cryptography_vectors-*.whl")
    found = [sorted(files, key=version)[-1:] for files in (sdists, wheels)]
    if not all(found):
        raise SystemExit(f"pyca: no packages in {FOLDER}")
    return found[0][0], found[1][0]


def version(path):
    return [int(part) for part in re.findall(r"\d+", path.name)]


def test_files(sdist):
    """Returns the x509 tests by path below `tests`."""
    with tarfile.open(sdist) as opened:
        return {member.name.split("/tests/")[1]: opened.extractfile(member).read().decode()
                for member in opened if re.search(r"^[^/]+/tests/x509/.*test_\w+\.py$", member.name)}


class Vectors:
    def __init__(self, wheel):
        self.archive = zipfile.ZipFile(wheel)

    def read(self, path):
        return self.archive.read(f"cryptography_vectors/{path}")

    def load(self, path, loader):
        return loader(self.read(path))


def der(certificate):
    return text(certificate.public_bytes(Encoding.DER))


def verifications(source, vectors):
    """Yields the calls of the verifier in test_verification.py."""
    for name, calls, error in Recorder(vectors.load).run(source, "test_verification.py"):
        if error is not None:
            raise SystemExit(f"pyca: {name} ended early: {error!r}")
        if not calls:
            yield NotAsked(name, "sets up a verifier, and asks it nothing")
        for number, asked in enumerate(calls, 1):
            unique = f"{name} call {number}" if len(calls) > 1 else name
            if "extension_policies" in asked.settings:
                yield NotAsked(unique, "rules for extensions that the test's caller sets")
            else:
                yield Case(unique, verify_request(asked), REFUSE if asked.is_refused else ACCEPT)


def verify_request(asked):
    request = {"chain": [der(asked.leaf)], "intermediates": [der(item) for item in asked.intermediates],
               "anchors": [der(item) for item in asked.settings["store"][0]], "profile": "webPKI",
               "purpose": "clientAuth" if asked.kind == "client" else "serverAuth", "time": NOW}
    if "time" in asked.settings:
        time = asked.settings["time"][0]
        time = time.astimezone(timezone.utc) if time.tzinfo else time
        request["time"] = time.strftime("%Y-%m-%dT%H:%M:%SZ")
    if asked.subject is not None:
        request["host"] = str(asked.subject.value)
    if "max_chain_depth" in asked.settings:
        request["maximumIntermediates"] = asked.settings["max_chain_depth"][0]
    return request


def unreadable(path, source, vectors):
    """Yields certificates that the parser must refuse: a test loads them, or their extensions, inside `pytest.raises`."""
    for owner in ast.walk(ast.parse(source)):
        if not isinstance(owner, ast.ClassDef):
            continue
        for function in owner.body:
            if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
                title = f"{path.removeprefix('x509/')} {owner.name}.{function.name}"
                files = sorted(refused_files(function))
                if not files:
                    yield NotAsked(title, "reads or builds certificates, requests or CRLs, without a path")
                for file in files:
                    data = vectors.read(file)
                    blocks = pem_blocks(data, "CERTIFICATE") if b"-----BEGIN" in data else [data]
                    if not blocks:
                        yield NotAsked(f"{title} {file}", "text that is no PEM")
                        continue
                    yield own_anchor.case(f"{title} {file.removeprefix('x509/')}", blocks[0], "can't be read")


def refused_files(function):
    """Returns the files of the certificates that a test function expects to be unreadable."""
    loaded, found = {}, set()
    for node in in_order(function.body):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and (file := certificate_file(node.value)):
            loaded[node.targets[0].id] = file
        if not isinstance(node, ast.With) or not any(is_raises(item.context_expr) for item in node.items):
            continue
        for part in (part for statement in node.body for part in ast.walk(statement)):
            if file := certificate_file(part):
                found.add(file)
            elif isinstance(part, ast.Attribute) and part.attr == "extensions" and isinstance(part.value, ast.Name):
                found |= {loaded[part.value.id]} if part.value.id in loaded else set()
    return found


def in_order(statements):
    """Yields statements and nested statements in the order of the source."""
    for statement in statements:
        yield statement
        yield from in_order(getattr(statement, "body", []))


def is_raises(node):
    """Whether an expression is `pytest.raises` with an error about a certificate's form."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "raises"):
        return False
    kinds = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else node.args[:1]
    return any(getattr(kind, "id", getattr(kind, "attr", "")) in UNREADABLE for kind in kinds)


def certificate_file(node):
    """Returns the path in `_load_cert(os.path.join("x509", …), x509.load_…_x509_certificate)`."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_load_cert" and len(node.args) == 2):
        return None
    path, loader = node.args
    if not getattr(loader, "attr", "").endswith("_x509_certificate"):
        return None
    parts = path.args if isinstance(path, ast.Call) else [path]
    return "/".join(part.value for part in parts if isinstance(part, ast.Constant))


def cases():
    sdist, wheel = download()
    files, vectors = test_files(sdist), Vectors(wheel)
    items = []
    for path, source in sorted(files.items()):
        if path == "x509/verification/test_verification.py":
            items += verifications(source, vectors)
        elif path in READERS:
            items += unreadable(path, source, vectors)
        else:
            items += [NotAsked(f"{path} {name}", SKIPPED.get(path, "a file of tests that is not known"))
                      for name in re.findall(r"def (test_\w+)\(", source)]
    return unique(items)


def unique(items):
    """Returns the items, with a number if a name occurs twice."""
    seen = {}
    for item in items:
        seen[item.name] = seen.get(item.name, 0) + 1
        if seen[item.name] > 1:
            object.__setattr__(item, "name", f"{item.name} ({seen[item.name]})")
    return items
