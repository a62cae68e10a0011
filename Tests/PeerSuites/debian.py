# SPDX-License-Identifier: Apache-2.0
"""Downloads Debian's source packages with a separate apt folder. Only reads the settings of the machine's apt, and changes nothing.

The sources of a version stay in .build/peer-suites/PACKAGE_VERSION. Without the network, the newest version there is used.
"""
import functools
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent.parent / ".build" / "peer-suites"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
LINE = "deb-src [signed-by={keyring}] {mirror} bookworm main\n"


@functools.cache
def options():
    """Returns apt options that keep all files below FOLDER, and don't run the machine's commands before or after an update."""
    apt = FOLDER / "apt"
    for name in ("lists/partial", "cache/archives/partial"):
        (apt / name).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    mirror = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
    (apt / "sources.list").write_text(LINE.format(keyring=KEYRING, mirror=mirror))
    settings = {
        "Dir::Etc::sourcelist": apt / "sources.list", "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State": apt, "Dir::State::lists": apt / "lists", "Dir::State::status": apt / "status",
        "Dir::Cache": apt / "cache", "Dir::Log": apt / "log", "APT::Sandbox::User": "", "Acquire::Languages": "none", "Acquire::Retries": "3",
    }
    hooks = ("APT::Update::Pre-Invoke", "APT::Update::Post-Invoke", "APT::Update::Post-Invoke-Success")
    (apt / "apt.conf").write_text("".join(f"#clear {hook};\n" for hook in hooks) + "".join(f'{key} "{value}";\n' for key, value in settings.items()))
    return ["-c", str(apt / "apt.conf")]


@functools.cache
def is_current():
    """Reads the list of source packages. Returns False without the network."""
    done = subprocess.run(["apt-get", *options(), "update", "-q", "-o", "APT::Update::Error-Mode=any"], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"debian: the list of source packages can't be read: {done.stderr.strip()[-300:]}")
    return done.returncode == 0


def newest(package):
    """Returns the newest version in Debian."""
    shown = subprocess.run(["apt-cache", *options(), "showsrc", "--only-source", package], capture_output=True, text=True, check=True).stdout
    best = None
    for version in re.findall(r"^Version: (\S+)", shown, re.MULTILINE):
        if best is None or subprocess.run(["dpkg", "--compare-versions", version, "gt", best]).returncode == 0:
            best = version
    if best is None:
        raise SystemExit(f"debian: no source package {package}")
    return best


def source(package, *wanted):
    """Returns the folder with the files of a source package whose path (below the archive's first folder) starts with one of `wanted`.
    Doesn't apply Debian's patches, because the suites are upstream's."""
    if is_current():
        version = newest(package)
        target = FOLDER / f"{package}_{version.replace(':', '%3a')}"
    else:
        kept = sorted(FOLDER.glob(f"{package}_*/.complete"), key=lambda path: path.stat().st_mtime)
        if not kept:
            raise SystemExit(f"debian: no network, and no sources of {package} in {FOLDER}")
        return kept[-1].parent
    mark = target / ".complete"
    if mark.exists() and mark.read_text().splitlines() == list(wanted):
        return target
    shutil.rmtree(target, ignore_errors=True)
    downloads = target / ".downloads"
    downloads.mkdir(parents=True)
    subprocess.run(["apt-get", *options(), "source", "--download-only", "-q", "--only-source", f"{package}={version}"],
                   cwd=downloads, check=True, stdout=subprocess.DEVNULL)
    archives = [path for path in sorted(downloads.iterdir()) if re.search(r"\.tar\.(gz|xz|bz2)$", path.name) and ".debian." not in path.name]
    for archive in archives:
        unpack(archive, target, wanted)
    shutil.rmtree(downloads)
    mark.write_text("".join(f"{path}\n" for path in wanted))
    return target


def unpack(archive, target, wanted):
    with tarfile.open(archive) as opened:
        for member in opened:
            path = member.name.removeprefix("./").partition("/")[2]
            if member.isfile() and ".." not in path.split("/") and path.startswith(tuple(wanted) or ("",)):
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                (target / path).write_bytes(opened.extractfile(member).read())


def version(folder):
    """Returns the version in a folder of `source`."""
    return folder.name.partition("_")[2].replace("%3a", ":")
