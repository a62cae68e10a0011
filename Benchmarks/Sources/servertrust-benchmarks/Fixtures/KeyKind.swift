// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting

/// The kinds of keys that chains are created with.
enum KeyKind: String, CaseIterable {
    case p256
    case p384
    case p521
    case rsa2048
    case rsa4096

    func make() throws -> TestKey {
        switch self {
        case .p256: .p256()
        case .p384: .p384()
        case .p521: .p521()
        case .rsa2048: try .rsa(bits: 2048)
        case .rsa4096: try .rsa(bits: 4096)
        }
    }

    var label: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        case .rsa2048: "RSA-2048"
        case .rsa4096: "RSA-4096"
        }
    }
}
