// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The certificates that a server sent, unverified: leaf first, then others in any order. They may include unrelated certificates and
/// bytes that are not a certificate.
///
/// Transports that report them add the evidence of the same handshake: the OCSP response and the signed certificate timestamps. It is
/// unverified as well, and travels with the certificates, so that a later evaluation of the connection has it.
public struct PresentedChain: Sendable, Hashable {
    /// The first certificate; nil if none was sent or its bytes are not a certificate.
    public let leaf: Certificate?

    /// The readable certificates after the leaf, in the order sent.
    package let others: [Certificate]

    /// The unreadable certificates. Only an unreadable leaf is a failure in itself: a path may not need the others, and without a needed
    /// one it isn't found.
    package let unreadable: [UnreadableCertificate]

    /// The OCSP response of the handshake; ``StapleState/unknown`` by default, where the transport doesn't report one.
    public var staple = StapleState.unknown

    /// The `SignedCertificateTimestampList` of the handshake (RFC 6962 § 3.3), in the encoding of TLS; nil if none came or the transport
    /// doesn't report one. Not checked: neither its framing nor its signatures.
    public package(set) var signedCertificateTimestampList: [UInt8]?

    /// The reason why a transport that reports the handshake's evidence could not; nil if it could. A warning of the verdict.
    package var evidenceGap: String?

    /// Creates a chain of parsed certificates.
    /// - Parameter certificates: the certificates, leaf first; an empty list is refused in the evaluation.
    public init(_ certificates: [Certificate]) {
        self.leaf = certificates.first
        self.others = Array(certificates.dropFirst())
        self.unreadable = []
    }

    /// Creates a chain from the bytes that a TLS library passes on.
    ///
    /// Certificates that were parsed lately are taken from a memory of this process.
    /// - Parameter der: one certificate each, leaf first. Bytes that are no certificate are skipped; the evaluation refuses an unreadable
    ///   leaf with `certificateMalformed`.
    public init(der: [[UInt8]]) { self.init(der: der, memory: .shared) }

    /// Creates a chain with the evidence of its handshake, for transports that report it.
    /// - Parameters:
    ///   - der: one certificate each, leaf first, as for ``init(der:)``.
    ///   - staple: the OCSP response of the handshake; `none` from a transport alone that requested one.
    ///   - signedCertificateTimestampList: the list of the handshake, in the encoding of TLS. A list that is longer than TLS permits,
    ///     65,537 bytes with its length, is left out.
    public init(der: [[UInt8]], staple: StapleState, signedCertificateTimestampList: [UInt8]? = nil) {
        self.init(der: der, memory: .shared)
        self.staple = staple
        if let list = signedCertificateTimestampList, list.count <= Self.maximumListSize {
            self.signedCertificateTimestampList = list
        }
    }

    private static let maximumListSize = 2 + Int(UInt16.max)

    /// Creates a chain from the bytes that a TLS library passes on.
    /// - Parameters:
    ///   - der: one certificate each, leaf first.
    ///   - memory: the memory of certificates that were parsed before; nil to parse all of them.
    package init(der: [[UInt8]], memory: CertificateMemory?) {
        var leaf: Certificate?
        var others: [Certificate] = []
        var unreadable: [UnreadableCertificate] = []
        var last: Certificate?
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
                last = certificate
            } catch {
                unreadable.append(
                    UnreadableCertificate("presented certificate \(index)", at: index, der: bytes, error, after: last))
                last = nil
            }
        }
        self.leaf = leaf
        self.others = others
        self.unreadable = unreadable
    }

    /// All readable certificates, in the order sent.
    public var certificates: [Certificate] { (leaf.map { [$0] } ?? []) + others }

    /// Whether the server sent no certificate.
    package var isEmpty: Bool { leaf == nil && others.isEmpty && unreadable.isEmpty }
}
