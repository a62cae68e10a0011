// SPDX-License-Identifier: Apache-2.0

/// Why a certificate was revoked (`CRLReason`, RFC 5280 § 5.3.1).
public enum RevocationReason: Int, Sendable, Hashable, CaseIterable {
    case unspecified = 0
    case keyCompromise = 1
    case cACompromise = 2
    case affiliationChanged = 3
    case superseded = 4
    case cessationOfOperation = 5
    /// May be lifted again.
    case certificateHold = 6
    /// In delta CRLs alone: revoked no longer.
    case removeFromCRL = 8
    case privilegeWithdrawn = 9
    case aACompromise = 10

    /// The name in RFC 5280.
    public var name: String { String(describing: self) }

    /// The reason of that name.
    public init?(name: String) {
        guard let reason = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = reason
    }
}

/// The reasons that a CRL or a distribution point speaks about (`ReasonFlags`, RFC 5280 § 4.2.1.13), as bits in its order.
struct ReasonSet: Sendable, Hashable {
    var bits: UInt16

    /// `all-reasons` of § 6.3.1: bits 1 to 8. Bit 0 is unused.
    static let all = ReasonSet(bits: 0b1_1111_1110)
    static let none = ReasonSet(bits: 0)

    /// Flags as they stand in an extension; those that nobody has defined don't count.
    init(flags: UInt16) { self.bits = flags & Self.all.bits }

    private init(bits: UInt16) { self.bits = bits }

    func intersection(_ other: ReasonSet) -> ReasonSet { ReasonSet(bits: bits & other.bits) }
    func union(_ other: ReasonSet) -> ReasonSet { ReasonSet(bits: bits | other.bits) }
    func isSubset(of other: ReasonSet) -> Bool { bits & ~other.bits == 0 }
}
