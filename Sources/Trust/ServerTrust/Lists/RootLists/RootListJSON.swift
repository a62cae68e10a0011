// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Reads this package's own format for lists of roots: JSON, keyed by the SHA-256 of certificates.
///
/// ```json
/// {
///   "schemaVersion": 1, "program": "Example Corp", "date": "2026-11-01", "complete": false,
///   "roots": {
///     "96bcec06264976f37460779acf28c5a7cfe8a3c0aae11a8ffcee05c0bddf08c6": [],
///     "2530cc8e98321502bad96f9b1fba1b099e2d299e0f4548bb914f363bc0d4531f": [
///       { "issuedNotAfter": "2026-04-15T23:59:59Z" }
///     ],
///     "46edc3689046d53a453fb3104ab80dcaec658b2660ea1629dd7e867990648716": [{ "permittedDomains": ["tr"] }]
///   },
///   "distrusted": ["b0bfd52bb0d7d9bd92bf5d4dc13da255c02c542f378365ea893911f55e55f23c"],
///   "distrustedKeys": ["0b9fa5a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afc3"],
///   "extendedValidation": {
///     "96bcec06264976f37460779acf28c5a7cfe8a3c0aae11a8ffcee05c0bddf08c6": ["2.23.140.1.1"]
///   }
/// }
/// ```
///
/// A root's sets are alternatives. A root without sets is trusted without conditions. No path may contain a certificate
/// of `distrusted`, or a certificate with a key of `distrustedKeys` (the SHA-256 of its SubjectPublicKeyInfo). If the
/// file has `extendedValidation`, only its roots may claim extended validation. Otherwise every root may. Unknown keys
/// and keys that occur twice are errors.
enum RootListJSON {
    /// Whether the bytes begin like a JSON object.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d } == UInt8(ascii: "{")
    }

    /// Reads a list.
    /// - Throws: ``RootListError`` with the line of the first invalid value.
    static func read(_ bytes: [UInt8]) throws(RootListError) -> RootList {
        let file = try JSONValue.list(bytes).members(
            [
                "schemaVersion", "program", "date", "complete", "roots", "distrusted", "distrustedKeys",
                "extendedValidation",
            ])
        guard let version = file["schemaVersion"], let program = try file["program"]?.string() else {
            throw RootListError(line: 1, "expected schemaVersion and program")
        }
        guard case .number("1") = version.content else { throw version.error("schemaVersion 1") }
        var list = RootList(
            program: String(String.UnicodeScalarView(program.unicodeScalars.prefix(64))),
            date: try file["date"]?.time(),
            isComplete: try file["complete"]?.boolean() ?? false)
        let policies = try file["extendedValidation"].map { node throws(RootListError) in try extendedValidation(node) }
        for member in try file["roots"]?.members() ?? [] {
            var alternatives: [AnchorConstraints] = []
            for set in try member.value.elements() { alternatives.append(try constraints(set)) }
            let digest = try digest(member.key, member.value)
            list.add(
                digest,
                RootList.Entry(
                    label: "", alternatives: alternatives.isEmpty ? [AnchorConstraints()] : alternatives,
                    extendedValidationPolicies: policies.map { $0[digest] ?? [] }))
        }
        for node in try file["distrusted"]?.elements() ?? [] {
            let digest = try digest(try node.string(), node)
            list.add(digest, RootList.Entry(label: "", alternatives: []))
            list.distrust(.certificate(digest))
        }
        for node in try file["distrustedKeys"]?.elements() ?? [] {
            list.distrust(.key(try digest(try node.string(), node, of: "a SubjectPublicKeyInfo")))
        }
        guard !list.isEmpty else {
            throw RootListError(.rootListEmpty, line: nil, "expected roots, distrusted or distrustedKeys")
        }
        return list.isComplete ? try list.trustingARoot() : list
    }

    private static func extendedValidation(_ node: JSONValue) throws(RootListError) -> [[UInt8]: [OID]] {
        var policies: [[UInt8]: [OID]] = [:]
        for member in try node.members() {
            var identifiers: [OID] = []
            for element in try member.value.elements() {
                guard let identifier = OID(try element.string()) else { throw element.error("an object identifier") }
                identifiers.append(identifier)
            }
            policies[try digest(member.key, member.value)] = identifiers
        }
        return policies
    }

    private static func digest(
        _ text: String, _ node: JSONValue, of object: String = "a certificate"
    ) throws(RootListError) -> [UInt8] {
        guard let bytes = Hex.decode(text), bytes.count == 32 else {
            throw .unexpected(
                line: node.line, expected: "the SHA-256 of \(object), 64 hexadecimal digits", found: text)
        }
        return bytes
    }

    // MARK: - Constraints

    private static func constraints(_ node: JSONValue) throws(RootListError) -> AnchorConstraints {
        let members = try node.members([
            "issuedNotAfter", "issuedAfter", "timestampNotAfter", "allTimestampsAfter", "permittedDomains",
            "excludedDomains", "purposes",
        ])
        var constraints = AnchorConstraints()
        func add(_ key: String, _ side: IssuanceLimit.Side, _ clock: IssuanceLimit.Clock) throws(RootListError) {
            guard let date = try members[key]?.time() else { return }
            constraints.dates.append(IssuanceLimit(side, date, clock: clock))
        }
        try add("issuedNotAfter", .notAfter, .notBeforeOrTimestamp)
        try add("issuedAfter", .after, .notBefore)
        try add("timestampNotAfter", .notAfter, .timestamps)
        try add("allTimestampsAfter", .after, .timestamps)
        constraints.permittedDomains = try members["permittedDomains"].map { node throws(RootListError) in
            try domains(node)
        }
        if let excluded = members["excludedDomains"] { constraints.excludedDomains = try domains(excluded) }
        if let purposes = members["purposes"] { constraints.purposes = try self.purposes(purposes) }
        return constraints
    }

    /// Returns domains. Throws for a domain that no name can belong to, because it would silently permit or exclude
    /// nothing.
    private static func domains(_ node: JSONValue) throws(RootListError) -> [String] {
        var domains: [String] = []
        for element in try node.elements() {
            let text = try element.string()
            let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
            guard let host = try? Hostname(name), case .dns = host.kind, !name.hasSuffix("."),
                name.utf8.allSatisfy({ $0 < 0x80 })
            else {
                throw .unexpected(line: element.line, expected: "a domain in ASCII, such as example.com", found: text)
            }
            domains.append(name)
        }
        return domains
    }

    private static func purposes(_ node: JSONValue) throws(RootListError) -> Set<ValidationPolicy.Purpose> {
        var purposes: Set<ValidationPolicy.Purpose> = []
        for element in try node.elements() {
            let text = try element.string()
            guard let purpose = ValidationPolicy.Purpose(rawValue: text) else {
                let known = ValidationPolicy.Purpose.allCases.map(\.rawValue).joined(separator: ", ")
                throw .unexpected(line: element.line, expected: "one of \(known)", found: text)
            }
            purposes.insert(purpose)
        }
        return purposes
    }
}
