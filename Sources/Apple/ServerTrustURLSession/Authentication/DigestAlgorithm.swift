// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import Crypto
import PKIX
import ServerTrust

/// A hash algorithm of RFC 7616 § 6.1, strongest first. SHA-512-256 is left out: swift-crypto doesn't have it, and
/// servers don't use it.
enum DigestAlgorithm: Int, Sendable, CaseIterable {
    case sha256
    case sha256Session
    case md5
    case md5Session

    /// Finds an algorithm by its name, ignoring case. The default is MD5 if the server names none (RFC 7616 § 3.3).
    /// Returns nil for an unknown name.
    init?(name: String?) {
        let name = name?.asciiLowercased ?? "md5"
        guard let found = Self.allCases.first(where: { $0.name.asciiLowercased == name }) else { return nil }
        self = found
    }

    var name: String {
        switch self {
        case .md5: "MD5"
        case .md5Session: "MD5-sess"
        case .sha256: "SHA-256"
        case .sha256Session: "SHA-256-sess"
        }
    }

    /// Whether each nonce has a new secret (`-sess`).
    var isSession: Bool { self == .md5Session || self == .sha256Session }

    /// Returns the hash in lowercase hexadecimal.
    func hash(_ text: String) -> String { hash(bytes: Array(text.utf8)) }

    func hash(bytes: [UInt8]) -> String {
        switch self {
        case .md5, .md5Session: Hex.encode(Insecure.MD5.hash(data: bytes))
        case .sha256, .sha256Session: Hex.encode(SHA256.hash(data: bytes))
        }
    }
}

#endif
