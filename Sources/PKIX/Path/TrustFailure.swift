/// One reason why a path is not to be trusted: a stable code, the certificate, and both sides of the comparison.
///
/// Programs decide on ``code``; ``message`` is for people and its wording may change between versions.
public struct TrustFailure: Error, Sendable, Hashable {
    /// What is wrong.
    public var code: Code
    /// The certificate's index in the path, 0 for the leaf; nil if it is about the whole path or the whole search.
    public var certificate: Int?
    /// What the certificate at that index is.
    public var role: Role?
    /// What would have been accepted.
    public var expected: Value?
    /// What was found instead.
    public var found: Value?

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
        case leaf
        case intermediate
        case anchor
    }

    /// One side of a comparison.
    public enum Value: Sendable, Hashable {
        case time(Time)
        case number(Int)
        case text(String)
        case list([String])
    }
}

extension TrustFailure {
    /// The order in which failures are told: most specific first; of the same rank, the leaf's first, the whole path's last.
    package static func comesFirst(_ left: TrustFailure, _ right: TrustFailure) -> Bool {
        (right.code.rank, left.certificate ?? .max) < (left.code.rank, right.certificate ?? .max)
    }
}

extension TrustFailure.Value: CustomStringConvertible {
    /// No message grows with what a stranger wrote into a certificate.
    ///
    /// And none gets a line of its own by it: control characters are escaped.
    private static func clipped(_ text: String, _ maximum: Int) -> String {
        DistinguishedName.printable(
            text.utf8.count <= maximum ? text : String(text.unicodeScalars.prefix(maximum / 4)) + "…")
    }

    /// Times in RFC 3339; of a list the first six and the count of the rest.
    public var description: String {
        switch self {
        case .time(let time): time.description
        case .number(let number): String(number)
        case .text(let text): Self.clipped(text, 2048)
        case .list(let members):
            members.isEmpty
                ? "nothing"
                : members.prefix(6).map { Self.clipped($0, 512) }.joined(separator: ", ")
                    + (members.count > 6 ? " and \(members.count - 6) more" : "")
        }
    }
}

extension TrustFailure: CustomStringConvertible {
    /// Same as ``message``.
    public var description: String { message }

    /// One line that says what is wrong with which certificate, with both sides: `certificate 0 (leaf) expired
    /// 2026-01-01T00:00:00Z, verify date 2026-11-21T00:00:00Z`.
    public var message: String {
        var subject = "path"
        if let certificate {
            subject = "certificate \(certificate)"
            if let role { subject += " (\(role.rawValue))" }
        }
        let template = code.message
        var text = ""
        var rest = template[...]
        while let brace = rest.firstIndex(of: "{") {
            guard let close = rest[brace...].firstIndex(of: "}") else { break }
            text += rest[..<brace]
            switch rest[rest.index(after: brace)..<close] {
            case "subject": text += subject
            case "expected": text += expected?.description ?? "?"
            case "found": text += found?.description ?? "?"
            default: text += rest[brace...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
