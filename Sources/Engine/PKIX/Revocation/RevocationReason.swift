// SPDX-License-Identifier: Apache-2.0

/// The reason for a revocation (`CRLReason`, RFC 5280 § 5.3.1).
public enum RevocationReason: Int, Sendable, Hashable, CaseIterable {
    /// No particular reason.
    case unspecified = 0
    /// The key is compromised.
    case keyCompromise = 1
    /// The key of the CA is compromised.
    case cACompromise = 2
    /// The subject's name or other data has changed.
    case affiliationChanged = 3
    /// The certificate has been replaced.
    case superseded = 4
    /// The certificate is no longer needed.
    case cessationOfOperation = 5
    /// A temporary hold, which the CA may lift again.
    case certificateHold = 6
    /// The certificate is no longer revoked. Appears only in delta CRLs.
    case removeFromCRL = 8
    /// A privilege in the certificate has been withdrawn.
    case privilegeWithdrawn = 9
    /// The attribute authority is compromised.
    case aACompromise = 10

    /// The reason's name in RFC 5280.
    public var name: String { String(describing: self) }

    /// Creates the reason with that name. Returns nil for other names.
    package init?(name: String) {
        guard let reason = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = reason
    }
}

/// The reasons that a CRL or a distribution point covers, as bits in the order of `ReasonFlags` (RFC 5280 § 4.2.1.13).
struct ReasonSet: Sendable, Hashable {
    var bits: UInt16

    /// The `all-reasons` of § 6.3.1: bits 1 to 8. Bit 0 is unused.
    static let all = ReasonSet(bits: 0b1_1111_1110)
    static let none = ReasonSet(bits: 0)

    /// Creates a set from the flags in an extension, without undefined flags.
    init(flags: UInt16) { self.bits = flags & Self.all.bits }

    private init(bits: UInt16) { self.bits = bits }

    func intersection(_ other: ReasonSet) -> ReasonSet { ReasonSet(bits: bits & other.bits) }
    func union(_ other: ReasonSet) -> ReasonSet { ReasonSet(bits: bits | other.bits) }
    func isSubset(of other: ReasonSet) -> Bool { bits & ~other.bits == 0 }
}
