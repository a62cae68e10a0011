// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// The keys that may sign the next pin list, and the number of them that have to.
public struct PinSigners: Sendable, Hashable {
    /// The keys in order without duplicates, at least one and at most 16.
    public let keys: [PinSigningKey]
    /// The number of keys that have to sign, from 1 to the number of keys.
    public let threshold: Int

    /// The maximum number of keys, which bounds the work for one document.
    package static let maximumCount = 16

    /// Creates a set of signers.
    /// - Throws: ``PinSignersError``.
    public init(_ keys: [PinSigningKey], threshold: Int = 1) throws(PinSignersError) {
        guard !keys.isEmpty else { throw .noKey }
        guard keys.count <= Self.maximumCount else { throw .tooMany(keys.count) }
        guard Set(keys).count == keys.count else { throw .duplicate }
        guard (1...keys.count).contains(threshold) else { throw .threshold(threshold, keys.count) }
        self.keys = keys
        self.threshold = threshold
    }

    func key(_ id: String) -> PinSigningKey? { keys.first { $0.id.isExactly(id) } }

    /// Returns whether no key is in both sets.
    func isDisjoint(with other: PinSigners) -> Bool { Set(keys).isDisjoint(with: other.keys) }

    /// Returns whether both require the same number of the same keys, in any order.
    func isEquivalent(to other: PinSigners) -> Bool {
        threshold == other.threshold && Set(keys) == Set(other.keys)
    }
}

/// The reason why there is no set of signers.
public enum PinSignersError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no key.
    case noKey
    /// The number of keys is over 16.
    case tooMany(Int)
    /// A key occurs twice, and would count twice.
    case duplicate
    /// The threshold doesn't fit the number of keys; both numbers.
    case threshold(Int, Int)

    /// The reason, for people; its wording may change.
    public var description: String {
        switch self {
        case .noKey: "no signing key, expected at least one"
        case .tooMany(let count): "\(count) signing keys, expected at most \(PinSigners.maximumCount)"
        case .duplicate: "a signing key comes twice, expected once"
        case .threshold(let threshold, let count):
            "a threshold of \(threshold), expected 1 to \(count), the number of keys"
        }
    }
}
