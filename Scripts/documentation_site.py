#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parts of Scripts/build-docs.sh that process DocC's files.

    Scripts/documentation_site.py modules                        prints the documented libraries, lowest first
    Scripts/documentation_site.py graphs BUILD OUT               writes their symbol graphs from the modules of Scripts/test
    Scripts/documentation_site.py apple MODULE GRAPHS LINUX OUT  writes the symbols only for Apple platforms
    Scripts/documentation_site.py finish SITE BASE               adds the front page, navigator and style sheet to a merged archive

DocC's merged archive has its own front page and a navigator for each library. `finish` replaces the front page with ours and joins the
navigators, so that the filter and quick navigation (the key /) find the symbols and articles of all libraries on each page.
"""

import concurrent.futures
import html
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "swift-server-trust"
FRONT = f"/documentation/{NAME}"
IDENTIFIER = f"doc://{NAME}{FRONT}"
PLATFORMS = (("macOS", 13), ("iOS", 16))


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def write(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def modules():
    """Returns every library with a catalog or with declarations in Documentation/API, in the order of the layers."""
    order = re.findall(r"^(\w+)(?: \([^)]*\))?:", (ROOT / "Scripts/layers.txt").read_text(encoding="utf-8"), re.MULTILINE)
    libraries = {path.stem for path in (ROOT / "Documentation/API").glob("*.txt")}
    libraries |= {path.stem for path in ROOT.glob("Sources/*/*/*.docc")}
    if unordered := libraries - set(order):
        sys.exit(f"build-docs: not in Scripts/layers.txt: {', '.join(sorted(unordered))}")
    return [module for module in order if module in libraries]


def graphs(build, out):
    """Writes symbol graphs in which extensions of other modules' types have their own symbols and pages."""
    loader = importlib.machinery.SourceFileLoader("public_api", str(ROOT / "Scripts/public-api"))
    public_api = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(public_api)
    arguments = public_api.extraction(str(build))
    out.mkdir(parents=True)

    def extract(module):
        return subprocess.run(["swift-symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public", "-skip-synthesized-members",
                               "-emit-extension-block-symbols", "-output-dir", str(out), *arguments], cwd=ROOT, capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        names = modules()
        for module, done in zip(names, pool.map(extract, names)):
            if done.returncode:
                sys.exit(f"build-docs: no symbol graph of {module}: {done.stderr}")


def apple(module, graphs, linux, out):
    """Returns the symbols in the module's folder Apple, their members, and the symbols they belong to."""
    known = {symbol["identifier"]["precise"] for path in linux.glob(f"{module}*.symbols.json") for symbol in read(path)["symbols"]}
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    for path in sorted(graphs.glob(f"{module}.symbols.json")) + sorted(graphs.glob(f"{module}@*.symbols.json")):
        graph = read(path)
        new = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in known]
        mine = [s for s in new if f"/{module}/Apple/" in s.get("location", {}).get("uri", "")]
        parents = {tuple(symbol["pathComponents"]) for symbol in mine}
        # Cases and initializers that the compiler generates have no location.
        mine += [s for s in new if "location" not in s and tuple(s["pathComponents"][:-1]) in parents]
        for symbol in mine:
            symbol["availability"] = [{"domain": name, "introduced": {"major": major}} for name, major in PLATFORMS]
        ours = {symbol["identifier"]["precise"] for symbol in mine}
        graph["symbols"] = mine
        graph["relationships"] = [r for r in graph["relationships"] if r["source"] in ours]
        graph["module"]["platform"] = {"architecture": "arm64", "vendor": "apple", "operatingSystem": {"name": "macosx"}}
        count += len(mine)
        if mine:
            write(out / path.name, graph)
    if not count:
        sys.exit(f"build-docs: no symbol of {module} for Apple platforms")
    print(f"build-docs: {count} symbols of {module} for Apple platforms", file=sys.stderr)


def navigator(site):
    """Joins the navigators: the groups of the front page contain the libraries."""
    path = site / "index/index.json"
    index = read(path)
    nodes = index["interfaceLanguages"]["swift"][0]["children"]
    libraries = {node["path"]: node for node in nodes if node["path"] != FRONT}
    front = next(node for node in nodes if node["path"] == FRONT)
    # Tutorials come first: the front page links to them, and the archive has them next to it.
    children = [libraries.pop(path) for path in list(libraries) if path.startswith("/tutorials/")]
    for node in front["children"]:
        node = libraries.pop(node.get("path"), node)
        # A second module would have a separate navigator.
        children.append({**node, "type": "collection"} if node["type"] == "module" else node)
    if libraries:
        sys.exit(f"build-docs: not on the front page: {', '.join(sorted(libraries))}")
    index["interfaceLanguages"] = {"swift": [{**front, "children": children}]}
    write(path, index)


def breadcrumbs(site, base):
    """Adds the front page before the library on each page. The navigator also uses it to find the page in the tree."""
    reference = {"identifier": IDENTIFIER, "kind": "article", "role": "collection", "title": NAME, "type": "topic", "url": FRONT, "abstract": []}
    for path in site.glob("data/documentation/**/*.json"):
        page = read(path)
        if page.get("identifier", {}).get("url") == IDENTIFIER:
            for link in page["references"].values():
                if link.get("url", "").startswith("/demo/"):
                    link["url"] = base + link["url"][1:]
            write(path, page)
            continue
        for paths in page.get("hierarchy", {}).get("paths", []):
            paths.insert(0, IDENTIFIER)
        page.setdefault("references", {})[IDENTIFIER] = reference
        write(path, articles(page))


def articles(page):
    """Resolves Markdown links to articles, such as ../../PKIX/PKIX.docc/NAME.md. DocC's own links can't point to higher libraries."""
    named = {}
    for identifier, reference in list(page["references"].items()):
        match = re.fullmatch(r"(?:\.\./)+(?:\w+/)?(\w+)/\1\.docc/(\w+)\.md", identifier)
        if reference["type"] == "link" and match:
            url = f"/documentation/{match[1]}" + ("" if match[1] == match[2] else f"/{match[2]}")
            # The page's script removes links that don't point into the site's archives.
            named[identifier] = f"doc://{NAME}.{match[1]}{url}"
            del page["references"][identifier]
            page["references"].setdefault(named[identifier], {
                "identifier": named[identifier], "kind": "article", "role": "article", "title": reference["title"], "type": "topic",
                "url": url.lower(), "abstract": []})
    return renamed(page, named) if named else page


def renamed(value, named):
    if isinstance(value, list):
        return [renamed(item, named) for item in value]
    if isinstance(value, dict):
        return {key: renamed(item, named) for key, item in value.items()}
    return named.get(value, value) if isinstance(value, str) else value


def redirect(path, target):
    path.write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>swift-server-trust</title>'
        f'<meta http-equiv="refresh" content="0; url={target}"><a href="{target}">Documentation</a></html>\n',
        encoding="utf-8",
    )


def finish(site, base):
    navigator(site)
    breadcrumbs(site, base)
    (site / "data/documentation.json").unlink(missing_ok=True)
    redirect(site / "index.html", f"documentation/{NAME}/")
    redirect(site / "documentation/index.html", f"{NAME}/")
    (site / "theme-settings.json").write_text((ROOT / "Documentation/Site.docc/theme-settings.json").read_text(encoding="utf-8"), encoding="utf-8")
    (site / "css/site.css").write_text((ROOT / "Documentation/site.css").read_text(encoding="utf-8"), encoding="utf-8")
    sheet = f'<link href="{html.escape(base)}css/site.css" rel="stylesheet">'
    pages = [*site.glob("documentation/*/**/index.html"), *site.glob("tutorials/**/index.html")]
    for path in pages:
        text = path.read_text(encoding="utf-8")
        page = read(site / "data" / path.parent.relative_to(site).with_suffix(path.parent.suffix + ".json"))
        title = html.escape(page.get("metadata", {}).get("title", NAME))
        abstract = html.escape("".join(part.get("text") or part.get("code") or "" for part in page.get("abstract", [])))
        # Tutorials have no abstract.
        description = f'<meta name="description" content="{abstract}">' if abstract else ""
        head = f"{sheet}{description}</head>"
        text = re.sub("<title>[^<]*</title>", lambda _: f"<title>{title}</title>", text.replace("</head>", head, 1), count=1)
        path.write_text(text, encoding="utf-8")
    print(f"build-docs: {len(pages)} pages", file=sys.stderr)


def main(arguments):
    match arguments:
        case ["modules"]:
            print("\n".join(modules()))
        case ["graphs", build, out]:
            graphs(pathlib.Path(build).resolve(), pathlib.Path(out))
        case ["apple", module, stubs, linux, out]:
            apple(module, pathlib.Path(stubs), pathlib.Path(linux), pathlib.Path(out))
        case ["finish", site, base]:
            finish(pathlib.Path(site), base)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
