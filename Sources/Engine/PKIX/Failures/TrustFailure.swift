// SPDX-License-Identifier: Apache-2.0

/// One reason to refuse a path: a stable code, the certificate, and both sides of the comparison.
///
/// Programs decide on ``code``; ``message`` is for people and its wording may change between versions.
public struct TrustFailure: TrustError, Hashable {
    /// The kind of failure.
    public var code: Code
    /// The certificate's index in the path, 0 for the leaf; nil if it is about the whole path or the whole search.
    public var certificate: Int?
    /// The role of the certificate at that index.
    public var role: Role?
    /// The value that would have been accepted.
    public var expected: Value?
    /// The value found instead.
    public var found: Value?

    /// Creates a failure; an evaluator returns it to refuse a path.
    public init(
        _ code: Code, certificate: Int? = nil, role: Role? = nil, expected: Value? = nil, found: Value? = nil
    ) {
        self.code = code
        self.certificate = certificate
        self.role = role
        self.expected = expected
        self.found = found
    }

    /// A certificate's place in a path.
    public enum Role: String, Sendable, Hashable, Codable {
        /// The certificate of the server or client.
        case leaf
        /// A CA's certificate between leaf and anchor.
        case intermediate
        /// The certificate in which trust ends.
        case anchor
    }

    /// One side of a comparison.
    public enum Value: Sendable, Hashable {
        /// A moment.
        case time(Time)
        /// A number.
        case number(Int)
        /// A text.
        case text(String)
        /// Several texts.
        case list([String])
    }
}

extension TrustFailure {
    /// The order in which failures are reported: most specific first; of the same rank, the leaf's first, the whole
    /// path's last.
    package static func comesFirst(_ left: TrustFailure, _ right: TrustFailure) -> Bool {
        (right.code.rank, left.certificate ?? .max) < (left.code.rank, right.certificate ?? .max)
    }
}

// MARK: - Lists that are cut

// A list that would grow with a certificate ends with a member that counts those that were left out. Names in lists are
// ASCII or start with their form, so no certificate can have such a member of its own.

extension TrustFailure.Value {
    private static let omissionStart = "… and "
    private static let omissionEnd = " more"

    /// Returns a list of `members`, whose last member counts those that were left out.
    package static func list(_ members: [String], omitting count: Int) -> TrustFailure.Value {
        .list(count > 0 ? members + [omissionStart + String(count) + omissionEnd] : members)
    }

    /// Returns the members of a list without a last one that counts the rest, and that count.
    static func parts(_ members: [String]) -> (members: ArraySlice<String>, omitted: Int) {
        guard let last = members.last, last.hasPrefix(omissionStart), last.hasSuffix(omissionEnd),
            let count = Int(last.dropFirst(omissionStart.count).dropLast(omissionEnd.count)), count > 0
        else { return (members[...], 0) }
        return (members.dropLast(), count)
    }

    /// The value in the form of reports: of a list at most 20 members of 256 bytes each and 4 KB together, of a text 1
    /// KB. Members that are left out are counted, a text that is cut ends in an ellipsis.
    ///
    /// For reports alone: an exception keeps and compares the whole value.
    package var abridged: TrustFailure.Value {
        switch self {
        case .time, .number: return self
        case .text(let text): return .text(text.abridged(toBytes: 1024))
        case .list(let members):
            let (all, omitted) = Self.parts(members)
            var kept: [String] = []
            var size = 0
            for member in all.prefix(20) {
                let short = member.abridged(toBytes: 256)
                size += short.writtenSize
                guard kept.isEmpty || size <= 4096 else { break }
                kept.append(short)
            }
            return .list(kept, omitting: omitted + all.count - kept.count)
        }
    }
}

extension TrustFailure.Value: CustomStringConvertible {
    /// Returns `text` without a control character, and of at most `maximum` bytes: no message grows with the contents
    /// of a certificate, and no content adds a line of its own.
    private static func shown(_ text: String, _ maximum: Int) -> String {
        // Cut first, so that escaping takes no longer for a long text, and again, as escapes are longer.
        DistinguishedName.printable(text.abridged(toBytes: maximum)).abridged(toBytes: maximum)
    }

    /// The value as text: times in RFC 3339; of a list the first six and the count of the rest. At most some two
    /// kilobytes.
    public var description: String { description(namingIdentifiers: false) }

    /// Returns the ``description``, with the names of object identifiers where values may be such. An address may look like one.
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
        .extendedKeyUsageNotAllowed, .policyMappingOfAnyPolicy, .policyNotAcceptable, .strictExtendedKeyUsage,
        .strictExtensionNotAllowed, .strictExtensionCriticality,
    ]

    private var namesIdentifiers: Bool { Self.codesOfIdentifiers.contains(code) }

    /// The ``message``.
    public var description: String { message }

    /// One line for people with the certificate and both sides: `certificate 0 (leaf) expired 2026-01-01T00:00:00Z,
    /// verify date 2026-11-21T00:00:00Z`.
    public var message: String {
        var subject = "path"
        if let certificate {
            subject = "certificate \(certificate)"
            if let role { subject += " (\(role.rawValue))" }
        }
        // A name that is nearly right says more than a list of names.
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
        return text + rest
    }
}
