// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TrustReport {
    /// A certificate in a report, described in words.
    public struct CertificateEntry: Sendable, Hashable, Codable {
        /// The SHA-256 digest of the DER encoding, in hexadecimal.
        public let sha256: String
        /// The common name for headings, or another name if the certificate has no common name.
        public let name: String
        /// The subject in the format of RFC 4514.
        private(set) var subject: String
        /// The issuer in the format of RFC 4514.
        private(set) var issuer: String
        /// The issuer's common name, or the issuer if it has no common name.
        let issuerName: String
        /// The DNS names and IP addresses, at most 256.
        private(set) var names: [String] = []
        /// The serial number in hexadecimal.
        public let serialNumber: String
        /// The first second of validity.
        let notBefore: Time
        /// The last second of validity.
        public let notAfter: Time
        /// The kind of key in words, such as `EC P-256`.
        private(set) var key = ""
        /// The signature algorithm in words.
        private(set) var signature = ""
        /// The key usages and purposes in words.
        private(set) var usage = ""
        /// The pin of the key: `sha256/BASE64`.
        let pin: String
        /// The certificate's role in ``TrustReport/path``, or nil if the path doesn't contain the certificate.
        public let role: TrustFailure.Role?
        /// The certificate's number in the order sent, 1 for the first, or nil for a certificate that wasn't sent.
        public let number: Int?
        /// Every field and extension in words. If some don't fit, the last field counts them.
        public private(set) var fields: [Field] = []
        /// The certificate in PEM, or nil if the certificate is larger than 16 KB.
        public private(set) var pem: String?

        /// Whether the server sent it.
        public var isPresented: Bool { number != nil }

        /// `sent as number 2`, or nil for a certificate that wasn't sent.
        var origin: String? { number.map { CertificateReference.origin(place: max($0, 1) - 1) } }

        /// Whether subject and issuer are the same text.
        var isSelfIssued: Bool { subject == issuer }
    }
}

extension TrustReport.CertificateEntry {
    /// The maximum size of a certificate that is written as PEM, in bytes.
    private static let maximumPEM = 16 << 10
    private static let maximumNames = 256

    /// Creates an entry with what the verdict's certificate contains, without its extensions.
    init(_ certificate: Certificate, role: TrustFailure.Role?, number: Int?) {
        sha256 = Hex.encode(certificate.sha256)
        name = ReportText.shown(Self.name(of: certificate), to: 256)
        subject = ReportText.shown(certificate.abridgedSubject(toBytes: 1024), to: 1024)
        issuer = ReportText.shown(certificate.abridgedIssuer(toBytes: 1024), to: 1024)
        issuerName = ReportText.shown(certificate.issuer.values(of: .commonName).first ?? issuer, to: 256)
        serialNumber = ReportText.shown("\(certificate.serialNumber)", to: 1024)
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
        pin = SPKIPin(certificate).description
        self.role = role
        self.number = number
    }

    private static func name(of certificate: Certificate) -> String {
        if let name = certificate.subject.values(of: .commonName).first { return name }
        let name = certificate.subjectAlternativeNames?.first
        return switch name {
        case .dnsName(let name)?, .rfc822Name(let name)?, .uniformResourceIdentifier(let name)?: name
        // Without the prefix for the kind of name.
        case .ipAddress?: name.map { String($0.description.dropFirst("IP:".count)) } ?? ""
        default: certificate.abridgedDescription(toBytes: 256)
        }
    }

    /// Adds the texts that describe every field and extension.
    /// - Parameter size: the maximum size of all fields, in bytes.
    mutating func describe(_ certificate: Certificate, size: Int) {
        func shown(_ text: String) -> String { ReportText.shown(text, to: 1024) }
        let description = CertificateDescription(der: certificate.der)
        subject = shown(description.signed.subject.text)
        issuer = shown(description.signed.issuer.text)
        names = description.signed.names.prefix(Self.maximumNames).map { ReportText.shown($0, to: 256) }
        key = shown(description.signed.key?.words ?? "")
        signature = shown(description.signed.algorithm.words)
        usage = shown(description.usage)
        var left = size
        fields = TrustReport.Field.fields(description.details, left: &left)
        pem = certificate.der.count <= Self.maximumPEM ? PEM.encode(certificate.der, label: "CERTIFICATE") : nil
    }
}

extension TrustReport.Field {
    /// Returns as many fields for details as fit. If some don't fit, the last field counts them.
    /// - Parameter left: the remaining bytes.
    static func fields(_ details: [Detail], left: inout Int) -> [TrustReport.Field] {
        var fields: [TrustReport.Field] = []
        for (index, detail) in details.enumerated() {
            guard left > 0 else {
                return fields + [TrustReport.Field("", "and \(details.count - index) more, not shown")]
            }
            left -= 32 + detail.label.utf8.count + min(ReportText.maximumSize, detail.value?.utf8.count ?? 0)
            // The depth is limited because this package writes these descriptions.
            let below = Self.fields(detail.members, left: &left)
            fields.append(TrustReport.Field(detail.label, detail.value, fields: below))
        }
        return fields
    }
}
