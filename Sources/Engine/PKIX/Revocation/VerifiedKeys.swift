// SPDX-License-Identifier: Apache-2.0

/// The keys that have verified the signature of a CRL or an OCSP response, as the SubjectPublicKeyInfo's SHA-256, so that
/// megabytes are hashed once. Shared by any number of threads.
struct VerifiedKeys: Sendable {
    /// The largest number of keys. An honest signature is verified by fewer.
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
