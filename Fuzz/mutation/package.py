# SPDX-License-Identifier: Apache-2.0
"""The reduced package: the targets that the kernel's tests need, copied from the checkout, with mutants in the kernel's files."""
import json
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# The tests that look for mutants.
TESTS = ["PKIXTests", "ServerTrustTests"]
# Packages whose code runs in every test stay optimized. The mutated modules don't: they compile in a third of the time.


def kernel():
    """Returns the kernel's files with code, relative to Sources."""
    sections, name = {}, None
    for line in (ROOT / "Scripts/kernel.txt").read_text().splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            sections[name] = []
        elif line and not line.startswith("#"):
            sections[name].append(line)
    files = []
    for entry in sections["kernel"]:
        path = ROOT / "Sources" / entry
        files += [path] if path.is_file() else sorted(path.rglob("*.swift"))
    return [name for name in (str(path.relative_to(ROOT / "Sources")) for path in files) if name not in sections["data"]]


def write(path, data):
    """Writes a file if its contents differ, so that an unchanged file isn't compiled again."""
    data = data if isinstance(data, bytes) else data.encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != data:
        path.write_bytes(data)


class Package:
    """The reduced package in a folder."""

    def __init__(self, folder, options=("-Onone",), measures=False):
        self.folder = folder
        self.options = options
        # Without mutants, and with counters of each region that runs.
        self.measures = measures
        # Another scratch folder, because a build may have locked the ordinary one.
        command = ["swift", "package", "--scratch-path", str(folder / ".build"), "dump-package"]
        manifest = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
        self.products = {dependency["sourceControl"][0]["identity"]: dependency["sourceControl"][0] for dependency in manifest["dependencies"]}
        targets = {target["name"]: target for target in manifest["targets"]}
        self.name, self.all_targets = manifest["name"], set(targets)
        self.targets, open_names = {}, list(TESTS)
        while open_names:
            name = open_names.pop()
            if name in self.targets:
                continue
            self.targets[name] = targets[name]
            open_names += [dependency["byName"][0] for dependency in targets[name]["dependencies"] if "byName" in dependency]
        files = kernel()
        self.kernel = {}
        for name, target in self.targets.items():
            path = target["path"].removeprefix("Sources/")
            inside = [file for file in files if file.startswith(path + "/")]
            if inside:
                self.kernel[name] = inside
        assert sum(map(len, self.kernel.values())) == len(files), "the tests don't reach all targets with kernel files"

        self.packages = sorted({dependency["product"][1].lower() for target in self.targets.values() for dependency in target["dependencies"]
                                if "product" in dependency})

    def features(self, name):
        """The options that enable every trait, as in the ordinary build, and the experimental features of a target."""
        features = [setting["kind"]["enableExperimentalFeature"]["_0"] for setting in self.targets[name]["settings"]
                    if "enableExperimentalFeature" in setting["kind"]]
        return ["-DEverything", *(option for feature in features for option in ("-enable-experimental-feature", feature))]

    def copy(self):
        """Copies everything except the mutated files, and writes the manifest."""
        for target in self.targets.values():
            source = ROOT / target["path"]
            mutated = set() if self.measures else set(self.kernel.get(target["name"], []))
            kept = set()
            for path in source.rglob("*"):
                relative = path.relative_to(ROOT)
                if not path.is_file():
                    continue
                kept.add(relative)
                if str(relative).removeprefix("Sources/") not in mutated:
                    write(self.folder / relative, path.read_bytes())
            for path in (self.folder / target["path"]).rglob("*"):
                if path.is_file() and path.relative_to(self.folder) not in kept and path.name != "Mutation.swift":
                    path.unlink()
            if mutated:
                write(self.folder / target["path"] / "Mutation.swift", (HERE / "Harness/Mutation.swift").read_bytes())
        for name in ("MutationSwitch", "MutationServer"):
            for path in (HERE / "Harness" / name).rglob("*"):
                if path.is_file():
                    write(self.folder / "Harness" / path.relative_to(HERE / "Harness"), path.read_bytes())
        for name in ("Documentation", "Scripts"):
            link = self.folder / name
            if not link.is_symlink():
                link.symlink_to(ROOT / name)
        write(self.folder / "Package.swift", self.manifest())
        # The same versions as in the checkout, if it has resolved them.
        resolved = ROOT / "Package.resolved"
        if resolved.is_file() and not (self.folder / "Package.resolved").exists():
            shutil.copy(resolved, self.folder / "Package.resolved")

    def manifest(self):
        texts = []
        for target in self.targets.values():
            dependencies = []
            for dependency in target["dependencies"]:
                if "byName" in dependency:
                    dependencies.append(f'"{dependency["byName"][0]}"')
                else:
                    product, package = dependency["product"][:2]
                    dependencies.append(f'.product(name: "{product}", package: "{package}")')
            if target["name"] in self.kernel:
                dependencies.append('"MutationSwitch"')
            kind = "target"
            if target["type"] == "test":
                kind = "testTarget"
                dependencies.append('"MutationServer"')
            flags = ["-suppress-warnings", *self.features(target["name"])]
            if target["name"] in self.kernel or target["type"] == "test":
                flags += self.options
            if target["name"] in self.kernel and self.measures:
                flags += ["-profile-generate", "-profile-coverage-mapping"]
            linking = '.unsafeFlags(["-profile-generate"])' if "-profile-generate" in flags else ""
            texts.append(f'.{kind}(name: "{target["name"]}", dependencies: [{", ".join(dependencies)}], path: "{target["path"]}", '
                         f'exclude: {json.dumps(target["exclude"])}, swiftSettings: [.unsafeFlags({json.dumps(flags)})], linkerSettings: [{linking}])')
        texts.append('.target(name: "MutationSwitch", path: "Harness/MutationSwitch")')
        texts.append('.target(name: "MutationServer", dependencies: ["MutationSwitch"], path: "Harness/MutationServer", swiftSettings: [.swiftLanguageMode(.v5)])')
        remote = []
        for package in self.packages:
            entry = self.products[package]
            bounds = entry["requirement"]["range"][0]
            url = entry["location"]["remote"][0]["urlString"]
            remote.append(f'.package(url: "{url}", "{bounds["lowerBound"]}"..<"{bounds["upperBound"]}")')
        join = ",\n        ".join
        return (f"// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n    name: \"mutated\",\n"
                f"    platforms: [.macOS(.v13)],\n    dependencies: [\n        {join(remote)},\n    ],\n    targets: [\n        {join(texts)},\n    ])\n")
