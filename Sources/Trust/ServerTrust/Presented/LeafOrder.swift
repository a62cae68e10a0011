// SPDX-License-Identifier: Apache-2.0

import PKIX

extension PresentedChain {
    /// A server's certificate that follows a CA's certificate, although the server must send it first (RFC 8446 §
    /// 4.4.2).
    package struct MisplacedLeaf: Sendable, Hashable, CustomStringConvertible {
        /// The stable code of the remark.
        package static let code = "leafNotFirst"
        /// The index in ``PresentedChain/certificates``, at least 1.
        package let index: Int
        /// The certificate.
        let certificate: Certificate

        /// One sentence with the code. The wording may change.
        package var description: String {
            "the file is in the wrong order: the host's certificate (\(name)) comes after a CA's, and servers must send it first [\(Self.code)]"
        }

        /// The sentence with the remedy.
        var advice: String {
            "Put the host's certificate (\(name)) first, then its issuers: the first one in the file is a CA's."
        }

        private var name: String { certificate.abridgedDescription(toBytes: 256) }
    }

    /// Returns the server's certificate if the first certificate is a CA's and the server's comes later.
    ///
    /// With a host, the server's certificate is the first one that is valid for the host and isn't a CA's. Without a
    /// host, it is the only certificate that isn't a CA's. Returns nil if the first certificate is in its place, or if
    /// no other fits. Compares at most 100 certificates.
    package func misplacedLeaf(for host: Hostname?) -> MisplacedLeaf? {
        let certificates = certificates.prefix(100)
        guard let first = certificates.first, first.isAuthority else { return nil }
        let others = certificates.indices.dropFirst().filter { !certificates[$0].isAuthority }
        let found: Int?
        if let host {
            found = first.isNamed(host) ? nil : others.first { certificates[$0].isNamed(host) }
        } else {
            found = others.count == 1 ? others.first : nil
        }
        return found.map { MisplacedLeaf(index: $0, certificate: certificates[$0]) }
    }
}

extension Certificate {
    /// Whether the certificate claims to be a CA's.
    fileprivate var isAuthority: Bool { basicConstraints?.isCertificateAuthority ?? false }
}
