// SPDX-License-Identifier: Apache-2.0

/// The keys that have verified the signature of a CRL or an OCSP response, as SHA-256 of the SubjectPublicKeyInfo.
/// Because of this cache, megabytes are hashed only once. Any number of threads can share it.
struct VerifiedKeys: Sendable {
    /// The largest number of keys. Fewer keys verify an honest signature.
    private static let maximumCount = 8

    private let keys = Locked<[[UInt8]]>([])

    func contains(_ key: [UInt8]) -> Bool { keys.withLock { $0.contains(key) } }

    var isEmpty: Bool { keys.withLock { $0.isEmpty } }

    func insert(_ key: [UInt8]) {
        keys.withLock { keys in
            if keys.count < Self.maximumCount, !keys.contains(key) { keys.append(key) }
        }
    }
}
