// SPDX-License-Identifier: Apache-2.0

/// One reason to reject a path: a stable code, the certificate, and both sides of the comparison.
///
/// Programs should check ``code``. The ``message`` is for people, and its wording may change between versions.
public struct TrustFailure: TrustError, Hashable {
    /// The kind of failure.
    public var code: Code
    /// The certificate's index in the path. The leaf has index 0. Nil if the failure concerns the whole path or the
    /// whole search.
    public var certificate: Int?
    /// The role of the certificate at that index.
    public var role: Role?
    /// The value that the check would have accepted.
    public var expected: Value?
    /// The value that the check found.
    public var found: Value?
    /// The index of the CA whose name constraints the certificate violates. Nil for other failures.
    package var constrainedBy: Int?

    /// Creates a failure. Evaluators return failures to reject a path.
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
        /// A CA certificate between leaf and anchor.
        case intermediate
        /// The trusted certificate at the end of the path.
        case anchor

        /// Creates the role of the certificate at an index of a path.
        package init(at index: Int, of count: Int, reachesAnchor: Bool = true) {
            self = index == 0 ? .leaf : reachesAnchor && index == count - 1 ? .anchor : .intermediate
        }
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
    /// Returns whether a failure comes before another in reports. The most specific comes first. Within a rank, the
    /// leaf's comes first and the whole path's last.
    package static func comesFirst(_ left: TrustFailure, _ right: TrustFailure) -> Bool {
        (right.code.rank, left.certificate ?? .max) < (left.code.rank, right.certificate ?? .max)
    }
}

extension [TrustFailure] {
    /// Returns the failures in the order of reports.
    package func inReportOrder() -> [TrustFailure] {
        var sorted = sorted(by: TrustFailure.comesFirst)
        // A self-signed leaf must be replaced, so its key usage matters less.
        if let last = sorted.firstIndex(where: { $0.code == .selfSignedLeaf }),
            let usage = sorted[..<last].firstIndex(where: { $0.code == .keyUsageNotForTLS })
        {
            sorted.insert(sorted.remove(at: usage), at: last)
        }
        return sorted
    }
}

// MARK: - Lists that are cut

// If a certificate's contents could make a list too long, the last member counts the omitted members. Names in lists
// are ASCII or start with their form, so a certificate can't contain such a member.

extension TrustFailure.Value {
    private static let omissionStart = "… and "
    private static let omissionEnd = " more"

    /// Returns a list of `members`. Appends a member that counts omitted members, if there are any.
    static func list(_ members: [String], omitting count: Int) -> TrustFailure.Value {
        .list(count > 0 ? members + [omissionStart + String(count) + omissionEnd] : members)
    }

    /// Splits off a last member that counts omitted members, and returns the other members and the count.
    static func parts(_ members: [String]) -> (members: ArraySlice<String>, omitted: Int) {
        guard let last = members.last, last.hasPrefix(omissionStart), last.hasSuffix(omissionEnd),
            let count = Int(last.dropFirst(omissionStart.count).dropLast(omissionEnd.count)), count > 0
        else { return (members[...], 0) }
        return (members.dropLast(), count)
    }

    /// The value in the form of reports: at most 20 list members of 256 bytes each and 4 KB in total, or 1 KB of text.
    /// Omitted members are counted, and shortened text ends in an ellipsis.
    ///
    /// Only for reports. An exception stores and compares the whole value.
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
