// SPDX-License-Identifier: Apache-2.0

import PKIX

/// What a server sent: leaf first, unverified, perhaps out of order, with strangers, or with bytes that are no certificate.
public struct PresentedChain: Sendable, Hashable {
    /// A presented certificate that can't be read.
    public struct Unreadable: Sendable, Hashable {
        /// Its place in what was sent, 0 for the leaf.
        public let index: Int
        public let error: DERError
    }

    /// The first certificate; nil if none was sent or its bytes are no certificate.
    public let leaf: Certificate?

    /// Those after the leaf that could be read, in the order sent.
    public let others: [Certificate]

    /// Those that couldn't. Only the leaf's matters: a path may do without the others, and if it can't it isn't found.
    public let unreadable: [Unreadable]

    /// - Parameter certificates: leaf first; may be empty, and is refused then.
    public init(_ certificates: [Certificate]) {
        self.leaf = certificates.first
        self.others = Array(certificates.dropFirst())
        self.unreadable = []
    }

    /// The chain as a TLS library hands it over.
    /// - Parameters:
    ///   - der: one certificate each, leaf first.
    ///   - memory: where certificates that were met before are taken from; nil to parse them all.
    public init(der: [[UInt8]], memory: CertificateMemory? = .shared) {
        var leaf: Certificate?
        var others: [Certificate] = []
        var unreadable: [Unreadable] = []
        others.reserveCapacity(der.count)
        for (index, bytes) in der.enumerated() {
            do throws(DERError) {
                let certificate: Certificate
                if let memory {
                    certificate = try memory.certificate(der: bytes)
                } else {
                    certificate = try Certificate(der: bytes)
                }
                if index == 0 { leaf = certificate } else { others.append(certificate) }
            } catch {
                unreadable.append(Unreadable(index: index, error: error))
            }
        }
        self.leaf = leaf
        self.others = others
        self.unreadable = unreadable
    }

    /// All that could be read, in the order sent.
    public var certificates: [Certificate] { (leaf.map { [$0] } ?? []) + others }

    /// Whether the server sent nothing at all.
    public var isEmpty: Bool { leaf == nil && others.isEmpty && unreadable.isEmpty }
}
