// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// Who may sign the next pin list, and how many of them have to.
public struct PinSigners: Sendable, Hashable {
    /// In order, none twice, at least one and at most ``maximumCount``.
    public let keys: [PinSigningKey]
    /// How many of them have to sign, each with another key; 1 to the number of keys.
    public let threshold: Int

    /// More people than this don't sign together; it bounds the work for one document.
    public static let maximumCount = 16

    /// - Throws: ``PinSignersError`` with what is wrong.
    public init(_ keys: [PinSigningKey], threshold: Int = 1) throws(PinSignersError) {
        guard !keys.isEmpty else { throw .noKey }
        guard keys.count <= Self.maximumCount else { throw .tooMany(keys.count) }
        guard Set(keys).count == keys.count else { throw .duplicate }
        guard (1...keys.count).contains(threshold) else { throw .threshold(threshold, keys.count) }
        self.keys = keys
        self.threshold = threshold
    }

    func key(_ id: String) -> PinSigningKey? { keys.first { $0.id.isExactly(id) } }

    /// Whether the same keys are asked for in the same number, in whatever order.
    func asksTheSame(as other: PinSigners) -> Bool {
        threshold == other.threshold && Set(keys) == Set(other.keys)
    }
}

/// Why there is no set of signers.
public enum PinSignersError: Error, Sendable, Hashable, CustomStringConvertible {
    case noKey
    case tooMany(Int)
    /// A key comes twice, and would count twice.
    case duplicate
    /// The threshold and the number of keys.
    case threshold(Int, Int)

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
