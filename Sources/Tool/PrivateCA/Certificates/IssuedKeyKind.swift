// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting

/// The kinds of keys that an ``AuthorityFolder`` generates. Every TLS client supports them. P-521 and Ed25519 are
/// missing because browsers refuse both.
package enum IssuedKeyKind: String, Sendable, Hashable, CaseIterable {
    case p256
    case p384
    case rsa2048
    case rsa3072
    case rsa4096

    /// Generates a key.
    func make() throws -> TestKey {
        switch self {
        case .p256: .p256()
        case .p384: .p384()
        case .rsa2048: try .rsa(bits: 2048)
        case .rsa3072: try .rsa(bits: 3072)
        case .rsa4096: try .rsa(bits: 4096)
        }
    }
}
