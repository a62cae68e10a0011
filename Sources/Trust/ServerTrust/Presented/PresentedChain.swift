// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The certificates that a server sent, unverified: leaf first, then others in any order. They may include unrelated
/// certificates and bytes that aren't a certificate.
///
/// Some transports add evidence from the same handshake: the OCSP response and the signed certificate timestamps. This
/// evidence is unverified too. It's stored with the certificates, so a later evaluation of the connection can use it.
public struct PresentedChain: Sendable, Hashable {
    /// The first certificate, or nil if the server sent none or its bytes aren't a certificate.
    public let leaf: Certificate?

    /// The readable certificates after the leaf, in the order sent.
    package let others: [Certificate]

    /// The unreadable certificates. Only an unreadable leaf is a failure in itself. A path may not need the others, and
    /// if it needs one, the engine doesn't find the path.
    package let unreadable: [UnreadableCertificate]

    /// The OCSP response of the handshake. ``StapleState/unknown`` by default, for a transport that doesn't report one.
    public var staple = StapleState.unknown

    /// The `SignedCertificateTimestampList` of the handshake (RFC 6962 § 3.3), in the encoding of TLS. nil if the
    /// server sent none or the transport doesn't report it. Neither its framing nor its signatures are checked.
    public package(set) var signedCertificateTimestampList: [UInt8]?

    /// The reason why a transport that reports the handshake's evidence couldn't report it, or nil if it could. It
    /// becomes a warning of the verdict.
    package var evidenceGap: String?

    /// Creates a chain of parsed certificates.
    /// - Parameter certificates: the certificates, leaf first. The evaluation refuses an empty list.
    public init(_ certificates: [Certificate]) {
        self.leaf = certificates.first
        self.others = Array(certificates.dropFirst())
        self.unreadable = []
    }

    /// Creates a chain from the bytes that a TLS library reports.
    ///
    /// The process remembers recently parsed certificates and reuses them.
    /// - Parameter der: the bytes of each certificate, leaf first. The initializer skips bytes that aren't a
    ///   certificate. The evaluation refuses an unreadable leaf with `certificateMalformed`.
    public init(der: [[UInt8]]) { self.init(der: der, memory: .shared) }

    /// Creates a chain with the evidence of its handshake, for transports that report it.
    /// - Parameters:
    ///   - der: the bytes of each certificate, leaf first, as for ``init(der:)``.
    ///   - staple: the OCSP response of the handshake. Pass `none` only from a transport that requested one.
    ///   - signedCertificateTimestampList: the list of the handshake, in the encoding of TLS. The initializer drops a
    ///     list that is longer than TLS permits (65,537 bytes including its length).
    public init(der: [[UInt8]], staple: StapleState, signedCertificateTimestampList: [UInt8]? = nil) {
        self.init(der: der, memory: .shared)
        self.staple = staple
        if let list = signedCertificateTimestampList, list.count <= Self.maximumListSize {
            self.signedCertificateTimestampList = list
        }
    }

    private static let maximumListSize = 2 + Int(UInt16.max)

    /// Creates a chain from the bytes that a TLS library reports.
    /// - Parameters:
    ///   - der: the bytes of each certificate, leaf first.
    ///   - memory: the memory of certificates that were parsed before, or nil to parse all of them.
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
                    UnreadableCertificate(
                        CertificateReference.words(place: index), at: index, der: bytes, error, after: last))
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
