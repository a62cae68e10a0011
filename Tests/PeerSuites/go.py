# SPDX-License-Identifier: Apache-2.0
"""Go's crypto/x509: verify_test.go and name_constraints_test.go.

The module parses the tables as Go text. For tests that create certificates, gocertificates.py creates the same ones. The profile is
rfc5280, because the tests are about paths and names and most certificates don't meet the Web PKI's requirements. The module also
compares the chains that Go expects.
"""
import datetime
import hashlib
import re
import warnings

from cryptography import x509

import debian
import golang
import suite
from gocertificates import CERT_SIGN, DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, USAGES, Template, create, der, key
from suite import ACCEPT, REFUSE, Case, NotAsked

DESCRIPTION = "Go: crypto/x509, verify_test.go and name_constraints_test.go"
PACKAGE = "golang-1.19"
FOLDER = "src/crypto/x509/"
UTC = datetime.timezone.utc
# The tests use the current time and dates around it.
NOW = datetime.datetime(2023, 3, 1, tzinfo=UTC)
HOUR = datetime.timedelta(hours=1)
NO_COUNTERPART = {
    "TestSystemVerify": "tests of other operating systems' verifiers",
    "TestIssue51759": "tests of other operating systems' verifiers",
    "TestSystemRootsError": "tests of error values and their texts",
    "TestSystemRootsErrorUnwrap": "tests of error values and their texts",
    "TestUnknownAuthorityError": "tests of error values and their texts",
    "TestValidHostname": "functions that no certificate reaches: the syntax of host names",
    "TestRFC2821Parsing": "functions that no certificate reaches: the syntax of mailboxes",
}


def cases():
    folder = debian.source(PACKAGE, FOLDER)
    texts = [golang.without_comments((folder / FOLDER / name).read_text()) for name in ("verify_test.go", "name_constraints_test.go")]
    items = []
    for text in texts:
        for name in re.findall(r"\nfunc (Test\w+)\(t \*testing\.T\)", text):
            if name in NO_COUNTERPART:
                items.append(NotAsked(name, NO_COUNTERPART[name]))
            elif name in READERS:
                items += numbered(name, READERS[name](text))
            else:
                raise SystemExit(f"Go: a test that has no reader: {name}")
    return items


def numbered(test, items):
    """Returns Go's names of subtests. The second of two equal names is NAME#01."""
    seen = {}
    for item in items:
        name = item.name or "#00"
        seen[name] = seen.get(name, -1) + 1
        full = f"{test}/{name}" + (f"#{seen[name]:02}" if seen[name] else "")
        yield (NotAsked(full, item.reason) if isinstance(item, NotAsked)
               else Case(full, item.request, item.expected, item.why, item.chains, item.labels))


def stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def usages(values):
    """Returns the names of ExtKeyUsageServerAuth and so on."""
    return [value.text.removeprefix("ExtKeyUsage") for value in values or []]


def purposes(values):
    """Returns the purposes of a request for Go's KeyUsages. One of them is enough. Without any, it is ServerAuth."""
    names = usages(values) or ["ServerAuth"]
    known = {"ServerAuth": "serverAuth", "ClientAuth": "clientAuth", "Any": "any"}
    return [known[name] for name in names if name in known], all(name in known for name in names)


def ask(name, leaf, intermediates, roots, time, key_usages, expected, why="", host="", chains=(), labels=None):
    """Returns the cases of a chain: one for each purpose if all purposes must be refused."""
    asked, are_all_known = purposes(key_usages)
    if not asked:
        return [NotAsked(name, "purposes other than TLS")]
    if len(asked) > 1 and expected is ACCEPT:
        return [NotAsked(name, "several purposes of which one is enough")]
    if not are_all_known and expected is ACCEPT:
        return [NotAsked(name, "purposes other than TLS")]
    found = []
    for purpose in asked:
        request = {"profile": "rfc5280", "purpose": purpose, "time": stamp(time), "chain": [suite.text(leaf)],
                   "intermediates": [suite.text(each) for each in intermediates], "anchors": [suite.text(each) for each in roots]}
        if host:
            request["host"] = host
        found.append(Case(name + (f" {purpose}" if len(asked) > 1 else ""), request, expected, why, tuple(map(tuple, chains)), labels or {}))
    return found


def labelled(certificates, label):
    return {hashlib.sha256(data).hexdigest(): label(data) for data in certificates}


# -- verify_test.go


def name_to_key(data):
    """Go's nameToKey: country, organization, unit and common name."""
    with warnings.catch_warnings():
        # Serial numbers of 0.
        warnings.simplefilter("ignore")
        subject = x509.load_der_x509_certificate(data).subject
    kinds = ("2.5.4.6", "2.5.4.10", "2.5.4.11", "2.5.4.3")
    return "/".join(",".join(str(each.value) for each in subject.get_attributes_for_oid(x509.ObjectIdentifier(kind))) for kind in kinds)


def verify(text):
    pems = golang.constants(text)

    def read(source):
        return suite.pem_blocks(pems[source.text].encode(), "CERTIFICATE")[0]

    for row in golang.table(text, r"var verifyTests = "):
        leaf = read(row["leaf"])
        intermediates, roots = ([read(each) for each in row.get(part) or []] for part in ("intermediates", "roots"))
        error = row.get("errorCallback")
        yield from ask(
            row.get("name", ""), leaf, intermediates, roots, datetime.datetime.fromtimestamp(row["currentTime"], UTC), row.get("keyUsages"),
            REFUSE if error else ACCEPT, error.text if error else "", row.get("dnsName", ""), row.get("expectedChains") or [],
            labelled([leaf, *intermediates, *roots] if not error else [], name_to_key))


def name_constraints(text):
    """Converts a test of a constraint and a name to a root with the constraint and a leaf with the name."""
    for constraint, domain, is_error, is_match in golang.table(text, r"var nameConstraintTests = \[\]struct \{[^}]*\}"):
        root = authority("Root", "name constraints root", permitted=[f"dns:{constraint}"])
        leaf = end_entity("name constraints leaf", [f"dns:{domain}"], root, key("name constraints root"))
        yield from ask(f"{constraint} {domain}", leaf.der, [], [root.der], EARLY + HOUR / 4, None, is_match and not is_error)


def chain_of(count, names):
    template = Template([(der.CN, "Root CA")], NOW - HOUR, NOW + 24 * HOUR, has_basic_constraints=True, is_ca=True,
                        key_usage=[DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, CERT_SIGN], usages=[USAGES["ServerAuth"]])
    keys = [key(f"chain {index}") for index in range(count + 1)]
    certificates = [create(template, keys[0])]
    for index in range(1, count + 1):
        template.is_ca = index < count
        template.subject, template.serial = [(der.CN, names(index) if index < count else "Leaf")], index + 1
        certificates.append(create(template, keys[index], certificates[-1], keys[index - 1]))
    return [each.der for each in certificates]


def long_chain(text):
    root, *intermediates, leaf = chain_of(15, lambda index: f"Intermediate CA #{index}")
    return ask("", leaf, intermediates, [root], NOW, None, ACCEPT)


def pathological_chain(text):
    root, *intermediates, leaf = chain_of(100, lambda index: "Intermediate CA")
    return ask("", leaf, intermediates, [root], NOW, None, REFUSE, "signature check attempts limit")


def edge(subject, own_key, kind, issuer=None, issuer_key=None, mutation="", serial=1):
    """genCertEdge: kind is root, intermediate or leaf; the mutation is the body of a Go function."""
    is_ca = kind != "leaf"
    template = Template([(der.CN, subject)], NOW - HOUR, NOW + HOUR, serial, has_basic_constraints=is_ca, is_ca=is_ca,
                        key_usage=[CERT_SIGN] if is_ca else [], names=[] if is_ca else ["dns:localhost"])
    for variable, value in re.findall(r"\w\.(\w+) = ([^\n]*)", mutation):
        listed = golang.Reader(value).value()
        match variable:
            case "ExtKeyUsage":
                template.usages = [USAGES[name] for name in usages(listed)]
            case "DNSNames":
                template.names = [f"dns:{name}" for name in listed]
            case "PermittedDNSDomains":
                template.permitted = [f"dns:{name}" for name in listed]
            case _:
                raise SystemExit(f"Go: a change of an unknown field: {variable}")
    return create(template, own_key, issuer, issuer_key)


def path_building(text):
    for row in golang.table(golang.function(text, "TestPathBuilding"), r"tests := \[\]struct \{[^}]*\}"):
        graph = row["graph"]
        made = {name: edge(name, key(f"graph {name}"), "root") for name in graph["Roots"]}
        roots = [each.der for each in made.values()]
        leaf, intermediates = None, []
        labels = {hashlib.sha256(each.der).hexdigest(): f"CN={name}" for name, each in made.items()}
        for serial, step in enumerate(graph["Graph"], 2):
            issuer, subject = step["Issuer"], step["Subject"]
            mutation = step["MutateTemplate"].text if "MutateTemplate" in step else ""
            made[subject] = edge(subject, key(f"graph {subject}"), step["Type"].text.removesuffix("Certificate"), made[issuer],
                                 key(f"graph {issuer}"), mutation, serial)
            labels[hashlib.sha256(made[subject].der).hexdigest()] = f"CN={subject}"
            if subject == graph["Leaf"]:
                leaf = made[subject]
            else:
                intermediates.insert(0, made[subject].der)
        chains = [chain.split(" -> ") for chain in row["expectedChains"]]
        yield from ask(row["name"], leaf.der, intermediates, roots, NOW, None, bool(chains), chains=chains, labels=labels)


def usage_oids(described):
    unknown = [".".join(map(str, arcs)) for arcs in described.get("Unknown") or []] if described else []
    return [USAGES[name] for name in usages(described.get("EKUs") if described else [])] + unknown


def eku_enforcement(text):
    shared = key("extended key usage")
    for row in golang.table(golang.function(text, "TestEKUEnforcement"), r"\n\ttests := \[\]struct \{[^}]*\}"):
        made = []
        for index, described in enumerate([row["root"], *row["inters"], row["leaf"]]):
            name = "root" if index == 0 else "leaf" if index > len(row["inters"]) else f"inter {index - 1}"
            template = Template([(der.CN, name)], NOW - HOUR, NOW + HOUR, index + 1, has_basic_constraints=True, is_ca=True,
                                key_usage=[CERT_SIGN], usages=usage_oids(described))
            made.append(create(template, shared, made[-1] if made else None, shared))
        root, *intermediates, leaf = [each.der for each in made]
        yield from ask(row["name"], leaf, intermediates, [root], NOW, row["verifyEKUs"], REFUSE if row.get("err") else ACCEPT)


def eku_root_as_leaf(text):
    for row in golang.table(golang.function(text, "TestVerifyEKURootAsLeaf"), r"range \[\]struct \{[^}]*\}"):
        template = Template([(der.CN, "root")], NOW - HOUR, NOW + HOUR, names=["dns:localhost"],
                            usages=[USAGES[name] for name in usages(row.get("rootEKUs"))])
        root = create(template, key("extended key usage")).der
        title = f"root {usages(row.get('rootEKUs'))}, asked {usages(row.get('verifyEKUs'))}".replace("[", "").replace("]", "")
        yield from ask(title, root, [], [root], NOW, row.get("verifyEKUs"), row["succeed"])


# -- name_constraints_test.go

EARLY = datetime.datetime.fromtimestamp(1000, UTC)
LATE = datetime.datetime.fromtimestamp(2000, UTC)
WRITTEN = {"serverAuth": USAGES["ServerAuth"], "clientAuth": USAGES["ClientAuth"], "email": USAGES["EmailProtection"],
           "netscapeSGC": USAGES["NetscapeServerGatedCrypto"], "msSGC": USAGES["MicrosoftServerGatedCrypto"], "any": USAGES["Any"],
           "other": "2.4.1.2.3"}


def authority(name, key_name, issuer=None, issuer_key=None, serial=1, **parts):
    """makeConstraintsCACert."""
    template = Template([(der.CN, name)], EARLY, LATE, serial, True, True, [CERT_SIGN], **parts)
    return create(template, key(key_name), issuer, issuer_key)


def end_entity(key_name, names, issuer, issuer_key, common_name="", used=()):
    """makeConstraintsLeafCert."""
    subject = [(der.OU, "Leaf")] + ([(der.CN, common_name)] if common_name else [])
    template = Template(subject, EARLY, LATE, 100, True, False, [DIGITAL_SIGNATURE], list(used), list(names))
    return create(template, key(key_name), issuer, issuer_key)


def constraint_cases(text):
    for number, row in enumerate(golang.table(text, r"var nameConstraintsTests = ")):
        parent, parent_key, serial, roots, intermediates = None, "constraints root", 0, [], []
        levels = [("Root " + str(number), "constraints root", row["roots"])]
        levels += [(f"Intermediate level {level}", f"constraints {level}", specs) for level, specs in enumerate(row.get("intermediates") or [])]
        for level, (name, key_name, specs) in enumerate(levels):
            for spec in specs:
                serial += 1
                spec = spec or {}
                made = authority(name, key_name, parent if level else None, key(parent_key), serial, permitted=list(spec.get("ok") or []),
                                 excluded=list(spec.get("bad") or []), usages=[WRITTEN[usage] for usage in spec.get("ekus") or []])
                (intermediates if level else roots).append(made.der)
            parent, parent_key = made, key_name
        leaf = row["leaf"] or {}
        made = end_entity("constraints leaf", leaf.get("sans") or [], parent, key(parent_key), leaf.get("cn", ""),
                          [WRITTEN[usage] for usage in leaf.get("ekus") or []])
        error = row.get("expectedError", "")
        yield from ask(f"#{number}", made.der, intermediates, roots, EARLY + HOUR / 7, row.get("requestedEKUs"), REFUSE if error else ACCEPT, error)


# A name of each kind that the faulty constraints would restrict.
ABOUT = {"dns": "dns:foo.com", "email": "email:abc@foo.com", "uri": "uri:http://example.com/"}


def bad_constraints(text):
    """Go can't parse a CA with such a constraint. The requests have a name of the constraint's kind below it, and one of another kind."""
    for name, _ in golang.table(golang.function(text, "TestBadNamesInConstraints"), r"badNames := \[\]struct \{[^}]*\}"):
        root = authority("TestAbsoluteNamesInConstraints", "constraints root", permitted=[name])
        kind = name.partition(":")[0]
        for title, about in (("a name of its kind", ABOUT[kind]), ("a name of another kind", "ip:192.0.2.1")):
            leaf = end_entity("constraints leaf", [about], root, key("constraints root"))
            yield from ask(f"{name}, {title}", leaf.der, [], [root.der], EARLY + HOUR / 7, None, REFUSE, "failed to parse constraint")


def bad_names(text):
    root = authority("Root", "constraints root")
    for name in golang.table(golang.function(text, "TestBadNamesInSANs"), r"badNames := \[\]string"):
        leaf = end_entity("constraints leaf", [name], root, key("constraints root"))
        yield from ask(name, leaf.der, [], [root.der], EARLY + HOUR / 7, None, REFUSE, "cannot parse")


READERS = {
    "TestGoVerify": verify, "TestNameConstraints": name_constraints, "TestLongChain": long_chain, "TestPathologicalChain": pathological_chain,
    "TestPathBuilding": path_building, "TestEKUEnforcement": eku_enforcement, "TestVerifyEKURootAsLeaf": eku_root_as_leaf,
    "TestConstraintCases": constraint_cases, "TestBadNamesInConstraints": bad_constraints, "TestBadNamesInSANs": bad_names,
}
