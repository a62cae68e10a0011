// SPDX-License-Identifier: Apache-2.0

extension TrustFailure.Value: CustomStringConvertible {
    /// Returns `text` without control characters, shortened to `maximum` bytes. A certificate's contents can't enlarge
    /// a message or add lines to it.
    private static func shown(_ text: String, _ maximum: Int) -> String {
        // Shorten first, so that escaping a long text takes no longer. Escapes are longer, so shorten again.
        DistinguishedName.printable(text.abridged(toBytes: maximum)).abridged(toBytes: maximum)
    }

    /// The value as text. Times are in RFC 3339. A list shows its first six members and the number of the others. At
    /// most about two kilobytes.
    public var description: String { description(namingIdentifiers: false) }

    /// Returns the ``description``. Adds the names of object identifiers, if the values may be object identifiers: an
    /// IP address can look like one.
    fileprivate func description(namingIdentifiers: Bool) -> String {
        func named(_ text: String) -> String { namingIdentifiers ? OIDNames.naming(text) : text }
        switch self {
        case .time(let time): return time.description
        case .number(let number): return String(number)
        case .text(let text): return Self.shown(named(text), 1024)
        case .list(let members):
            let (all, omitted) = Self.parts(members)
            let shown = all.prefix(6)
            let rest = all.count - shown.count + omitted
            guard !shown.isEmpty else { return rest > 0 ? "\(rest) values" : "nothing" }
            return shown.map { Self.shown(named($0), 256) }.joined(separator: ", ")
                + (rest > 0 ? " and \(rest) more" : "")
        }
    }
}

extension TrustFailure {
    /// The codes whose values may be object identifiers.
    private static let codesOfIdentifiers: Set<Code> = [
        .signatureAlgorithmMismatch, .signatureAlgorithmUnsupported, .signatureParametersUnsupported,
        .keyUsesUnsupportedCurve, .keyMalformed, .keyAlgorithmUnsupported, .criticalExtensionUnhandled,
        .extendedKeyUsageNotAllowed, .policyNotAcceptable, .strictExtendedKeyUsage, .strictExtensionNotAllowed,
        .strictExtensionCriticality,
    ]

    private var namesIdentifiers: Bool { Self.codesOfIdentifiers.contains(code) }

    /// The ``message``.
    public var description: String { message }

    /// One line for people, with the certificate and both sides: `certificate 0 (leaf) expired 2026-01-01T00:00:00Z,
    /// verify date 2026-11-21T00:00:00Z`.
    public var message: String {
        message(
            about: certificate.map { "certificate \($0)" + (role.map { " (\($0.rawValue))" } ?? "") } ?? "path",
            constrainedBy: constrainedBy.map { "certificate \($0)" })
    }

    /// Returns the ``message`` with other words for the certificate or the path, and for the CA whose constraints it
    /// violates.
    package func message(about subject: String, constrainedBy authority: String? = nil) -> String {
        // A name that is nearly right is more useful than a list of names.
        if let sentence = NameMismatch(self)?.sentence { return "\(subject) \(sentence)" }
        let template = code.message
        var text = ""
        var rest = template[...]
        while let brace = rest.firstIndex(of: "{") {
            guard let close = rest[brace...].firstIndex(of: "}") else { break }
            text += rest[..<brace]
            switch rest[rest.index(after: brace)..<close] {
            case "subject": text += subject
            case "expected": text += expected?.description(namingIdentifiers: namesIdentifiers) ?? "?"
            case "found": text += found?.description(namingIdentifiers: namesIdentifiers) ?? "?"
            default: text += rest[brace...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest + (authority.map { " (name constraints of \($0))" } ?? "")
    }
}
