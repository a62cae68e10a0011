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
        let subject: String
        /// The issuer in the format of RFC 4514.
        let issuer: String
        /// The DNS names and IP addresses, at most 256.
        let names: [String]
        /// The serial number in hexadecimal.
        public let serialNumber: String
        /// The first second of validity.
        let notBefore: Time
        /// The last second of validity.
        public let notAfter: Time
        /// The kind of key in words, such as `EC P-256`.
        let key: String
        /// The signature algorithm in words.
        let signature: String
        /// The key usages and purposes in words.
        let usage: String
        /// The pin of the key: `sha256/BASE64`.
        let pin: String
        /// The certificate's role in ``TrustReport/path``, or nil if the path doesn't contain the certificate.
        public let role: TrustFailure.Role?
        /// The certificate's number in the order sent, 1 for the first, or nil for a certificate that wasn't sent.
        public let number: Int?
        /// Every field and extension in words. If some don't fit, the last field counts them.
        public let fields: [Field]
        /// The certificate in PEM, or nil if the certificate is larger than 16 KB.
        public let pem: String?

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

    /// - Parameter size: the maximum size of all fields, in bytes.
    init(_ certificate: Certificate, role: TrustFailure.Role?, number: Int?, at date: Time, size: Int) {
        let description = CertificateDescription(der: certificate.der)
        let facts = Dictionary(
            description.facts(at: date).map { ($0.name, $0.texts) }, uniquingKeysWith: { first, _ in first })
        func text(_ name: String) -> String { ReportText.shown(facts[name]?.first ?? "", to: 1024) }
        let all = facts["names"] ?? []
        sha256 = text("sha256")
        name = ReportText.shown(
            certificate.subject.values(of: .commonName).first ?? all.first ?? description.title, to: 256)
        subject = text("subject")
        issuer = text("issuer")
        names = all.prefix(Self.maximumNames).map { ReportText.shown($0, to: 256) }
        serialNumber = text("serialNumber")
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
        key = text("key")
        signature = text("signature")
        usage = text("usage")
        pin = SPKIPin(certificate).description
        self.role = role
        self.number = number
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
