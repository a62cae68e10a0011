// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The keys that may sign the next pin list, and the number of signatures required.
public struct PinSigners: Sendable, Hashable {
    /// The keys in order, without duplicates. At least one, at most 16.
    public let keys: [PinSigningKey]
    /// The number of keys that have to sign, from 1 to the number of keys.
    public let threshold: Int

    /// The maximum number of keys. It limits the work for one document.
    static let maximumCount = 16

    /// Creates a set of signers.
    /// - Throws: ``PinSignersError``.
    public init(_ keys: [PinSigningKey], threshold: Int = 1) throws(PinSignersError) {
        guard !keys.isEmpty else { throw PinSignersError(.pinSignersEmpty) }
        guard keys.count <= Self.maximumCount else { throw PinSignersError(.pinSignersTooMany, count: keys.count) }
        guard Set(keys).count == keys.count else { throw PinSignersError(.pinSignersDuplicate, count: keys.count) }
        guard (1...keys.count).contains(threshold) else {
            throw PinSignersError(.pinSignersThreshold, count: keys.count, threshold: threshold)
        }
        self.keys = keys
        self.threshold = threshold
    }

    func key(_ id: String) -> PinSigningKey? { keys.first { $0.id.isExactly(id) } }

    /// Returns whether the sets have no key in common.
    func isDisjoint(with other: PinSigners) -> Bool { Set(keys).isDisjoint(with: other.keys) }

    /// Returns whether both require the same number of signatures by the same keys, in any order.
    func isEquivalent(to other: PinSigners) -> Bool {
        threshold == other.threshold && Set(keys) == Set(other.keys)
    }
}

/// The reason why a set of signers is invalid.
public struct PinSignersError: TrustError, Hashable {
    /// The kind of error, one of the `pinSigners…` codes.
    public let code: ErrorCode
    /// The number of keys.
    package let count: Int
    /// The requested number of keys that have to sign for `pinSignersThreshold`, otherwise nil.
    let threshold: Int?

    init(_ code: ErrorCode, count: Int = 0, threshold: Int? = nil) {
        self.code = code
        self.count = count
        self.threshold = threshold
    }

    /// A human-readable description of the reason. Its wording may change.
    public var message: String {
        switch code {
        case .pinSignersEmpty: "no signing key, expected at least one"
        case .pinSignersTooMany: "\(count) signing keys, expected at most \(PinSigners.maximumCount)"
        case .pinSignersDuplicate: "a signing key occurs twice, expected once"
        default: "threshold is \(threshold ?? 0), expected 1 to \(count), the number of keys"
        }
    }
}

extension ErrorCode {
    /// There is no key.
    static let pinSignersEmpty = ErrorCode("pinSignersEmpty")
    /// There are more than 16 keys.
    static let pinSignersTooMany = ErrorCode("pinSignersTooMany")
    /// A key occurs twice and would count twice.
    static let pinSignersDuplicate = ErrorCode("pinSignersDuplicate")
    /// The threshold isn't between 1 and the number of keys.
    static let pinSignersThreshold = ErrorCode("pinSignersThreshold")
}
