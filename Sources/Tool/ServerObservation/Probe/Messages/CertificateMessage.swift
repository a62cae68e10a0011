// SPDX-License-Identifier: Apache-2.0

/// The certificates of a server (RFC 8446 § 4.4.2, RFC 5246 § 7.4.2). In TLS 1.3 the message also contains the OCSP
/// response and the timestamps.
struct CertificateMessage {
    /// The maximum number of certificates. Typical servers send three, and the limit on the message's size allows tens
    /// of thousands.
    static let maximumCount = 256

    private(set) var certificates: [[UInt8]] = []
    private(set) var staple: [UInt8]?
    private(set) var timestampList: [UInt8]?

    private static let name = "Certificate"

    init(_ message: Message, isForTLS13: Bool) throws(HandshakeError) {
        var reader = WireReader(message.body, Self.name)
        if isForTLS13 {
            // Only responses to a request have a context. A server's context is empty.
            guard try reader.vector(1).isEmpty else { throw .malformed(Self.name) }
        }
        var list = try reader.inside(3)
        try reader.finish()
        while !list.isAtEnd {
            let certificate = Array(try list.vector(3))
            guard !certificate.isEmpty else { throw .malformed(Self.name) }
            guard certificates.count < Self.maximumCount else {
                throw HandshakeError(.tooLarge, "the server sent more than \(Self.maximumCount) certificates")
            }
            if isForTLS13 { try readExtensions(&list, isLeaf: certificates.isEmpty) }
            certificates.append(certificate)
        }
        guard !certificates.isEmpty else {
            throw HandshakeError(.noCertificate, "the server sent no certificate")
        }
    }

    /// Reads the extensions of a certificate. Only the leaf's extensions are kept.
    private mutating func readExtensions(_ list: inout WireReader, isLeaf: Bool) throws(HandshakeError) {
        let extensions = try ExtensionList(
            &list, in: Self.name, allowed: [ExtensionType.statusRequest, ExtensionType.timestamps])
        guard isLeaf else { return }
        if let content = extensions[ExtensionType.statusRequest] { staple = try Self.staple(content) }
        if let content = extensions[ExtensionType.timestamps] { timestampList = try Self.timestampList(content) }
    }

    /// Reads a CertificateStatus (RFC 6066 § 8), which is a separate message in TLS 1.2.
    static func staple(_ content: ArraySlice<UInt8>) throws(HandshakeError) -> [UInt8] {
        var reader = WireReader(content, "CertificateStatus")
        guard try reader.uint8() == 1 else { throw .malformed("CertificateStatus") }
        let response = Array(try reader.vector(3))
        try reader.finish()
        guard !response.isEmpty else { throw .malformed("CertificateStatus") }
        return response
    }

    /// Returns a SignedCertificateTimestampList with its length (RFC 6962 § 3.3). Only its framing is checked.
    static func timestampList(_ content: ArraySlice<UInt8>) throws(HandshakeError) -> [UInt8] {
        var reader = WireReader(content, "SignedCertificateTimestampList")
        var list = try reader.inside(2)
        try reader.finish()
        guard !list.isAtEnd else { throw .malformed("SignedCertificateTimestampList") }
        while !list.isAtEnd {
            guard try !list.vector(2).isEmpty else { throw .malformed("SignedCertificateTimestampList") }
        }
        return Array(content)
    }
}
