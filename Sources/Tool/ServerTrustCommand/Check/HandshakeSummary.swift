// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerObservation
import ServerTrust
import ServerTrustNIO

/// The facts of a handshake besides the certificates, as the server sent them. The verdict contains the staple.
struct HandshakeSummary: Encodable {
    /// The facts of an observed handshake.
    struct Observation: Encodable {
        let cipherSuite: String?
        /// The number in the IANA registry: `0x1301`.
        let cipherSuiteNumber: String?
        let group: String?
        let signatureScheme: String?
        /// `valid`, `invalid`, `notChecked` or `none`.
        let signature: String
        /// Nil if the server requests none.
        let clientCertificate: ClientCertificate?
    }

    /// A server's request for a client certificate.
    struct ClientCertificate: Encodable {
        /// The names of the CAs that the server accepts. Empty for any CA.
        let authorities: [String]
        /// The number of names that are left out, or nil for none.
        let authoritiesOmitted: Int?
        let signatureSchemes: [String]
    }

    /// Nil if the TLS library doesn't report it.
    let observed: Observation?
    /// The number of signed certificate timestamps outside the certificate. Not checked: their signatures.
    let timestamps: Int

    /// Creates the summary, or returns nil if the handshake wasn't parsed.
    init?(_ report: TrustProbeReport, _ seen: HandshakeObservation?) {
        let chain = report.presentedChain
        guard chain.staple != .unknown else { return nil }
        observed = seen.map(Observation.init)
        timestamps = chain.signedCertificateTimestamps.count
    }

    /// Returns the facts for people, each with its label. Empty if the handshake wasn't parsed.
    static func rows(_ report: TrustProbeReport, _ seen: HandshakeObservation?) -> [(label: String, words: String)] {
        guard let summary = HandshakeSummary(report, seen) else { return [] }
        let verdict = report.verdict
        var rows: [(label: String, words: String)] = []
        if let staple = verdict.staple {
            rows.append(("OCSP staple", staple.words(at: verdict.evaluationDate)))
        } else if report.presentedChain.leaf?.requiresStaple == true {
            rows.append(("OCSP staple", "none, but the certificate requires one"))
        }
        if let request = summary.observed?.clientCertificate {
            let names = request.authorities.prefix(3).joined(separator: "; ")
            let count = request.authorities.count + (request.authoritiesOmitted ?? 0)
            let issuers =
                count == 0 ? "from any CA" : "issued by " + names + (count > 3 ? " and \(count - 3) more" : "")
            rows.append(("requests", "a client certificate " + issuers))
        }
        if summary.timestamps > 0 {
            let isVerified = verdict.transparency?.status.isChecked == true
            rows.append(
                ("timestamps", "\(summary.timestamps) sent in the handshake" + (isVerified ? "" : ", not verified")))
        }
        return rows
    }
}

extension HandshakeSummary.Observation {
    fileprivate init(_ seen: HandshakeObservation) {
        self.init(
            cipherSuite: seen.cipherSuite?.description, cipherSuiteNumber: seen.cipherSuite?.number,
            group: seen.group?.description ?? seen.primeBits.map { "a \($0)-bit prime" },
            signatureScheme: seen.signatureScheme?.description, signature: seen.signature.rawValue,
            clientCertificate: seen.clientCertificateRequest.map(HandshakeSummary.ClientCertificate.init))
    }
}

extension HandshakeSummary.ClientCertificate {
    /// The maximum number of names in a report, and the maximum size of each in bytes.
    private static let maximumNames = 20
    private static let maximumNameSize = 256

    fileprivate init(_ request: ClientCertificateRequest) {
        let names = request.authorities.prefix(Self.maximumNames)
        let omitted = request.authorities.count - names.count + request.omittedAuthorities
        self.init(
            authorities: names.map(Self.text), authoritiesOmitted: omitted > 0 ? omitted : nil,
            signatureSchemes: request.signatureSchemes.map(\.description))
    }

    private static func text(_ der: [UInt8]) -> String {
        guard let name = try? DistinguishedName(der: der) else { return "a name that can't be read" }
        return name.description.abridged(toBytes: maximumNameSize)
    }
}
