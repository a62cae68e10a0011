// SPDX-License-Identifier: Apache-2.0

import HandshakeProbe
import PKIX
import ServerTrust
import ServerTrustNIO

/// The facts of a handshake besides the certificates, as the server sent them. It checks no signatures: the verdict
/// covers those.
struct HandshakeSummary: Encodable {
    /// A stapled OCSP response.
    struct Staple: Encodable {
        /// `good`, `revoked` or `unknown` is the response's status of the leaf. Otherwise the name of the responder's
        /// error, `malformed`, or `otherCertificate`.
        let status: String
        let thisUpdate: String?
        let nextUpdate: String?
        /// The time from `thisUpdate` to the verify date. Negative for a response dated in the future.
        let ageSeconds: Int64?
    }

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
    /// Nil if the server sent none.
    let staple: Staple?
    /// The number of signed certificate timestamps outside the certificate.
    let timestamps: Int

    /// Creates the summary, or returns nil if the handshake wasn't parsed.
    init?(_ report: TrustProbeReport, _ seen: HandshakeObservation?) {
        let chain = report.presentedChain
        observed = seen.map(Observation.init)
        timestamps = chain.signedCertificateTimestamps.count
        switch chain.staple {
        case .unknown: return nil
        case .none: staple = nil
        case .given(let der): staple = Staple(der, leaf: chain.leaf, at: report.verdict.evaluationDate)
        }
    }

    /// Returns the lines of a report for people. Empty if the server sent none of these facts and its leaf doesn't
    /// require a staple.
    func lines(_ leaf: Certificate?, _ verdict: TrustVerdict) -> [String] {
        var lines: [String] = []
        if let staple {
            let details = [
                staple.ageSeconds.map { "\(Self.age($0)) old" }, staple.nextUpdate.map { "until \($0)" },
                // An authentic response would have rejected the server.
                staple.status == "revoked" && verdict.isTrusted ? "not authentic, so it doesn't count" : nil,
            ].compactMap { $0 }
            lines.append(([staple.status] + details).joined(separator: ", "))
        } else if leaf?.requiresStaple == true {
            lines.append("none, but the certificate requires one")
        }
        lines = lines.map { "  OCSP staple".padded(to: 17) + $0 }
        if let request = observed?.clientCertificate {
            let names = request.authorities.prefix(3).joined(separator: "; ")
            let count = request.authorities.count + (request.authoritiesOmitted ?? 0)
            let issuers =
                count == 0 ? "from any CA" : "issued by " + names + (count > 3 ? " and \(count - 3) more" : "")
            lines.append("  requests".padded(to: 17) + printable("a client certificate " + issuers))
        }
        if timestamps > 0 { lines.append("  timestamps".padded(to: 17) + "\(timestamps) in the handshake") }
        return lines
    }

    private static func age(_ seconds: Int64) -> String {
        switch abs(seconds) {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}

extension HandshakeSummary.Staple {
    fileprivate init(_ der: [UInt8], leaf: Certificate?, at time: Time) {
        guard let response = try? OCSPResponse(der: der) else {
            self.init(status: "malformed", thisUpdate: nil, nextUpdate: nil, ageSeconds: nil)
            return
        }
        guard response.status == .successful else {
            self.init(status: "\(response.status)", thisUpdate: nil, nextUpdate: nil, ageSeconds: nil)
            return
        }
        let single = response.responses.first { $0.serialNumber == leaf?.serialNumber }
        let status =
            switch single?.status {
            case .good: "good"
            case .revoked: "revoked"
            case .unknown: "unknown"
            case nil: "otherCertificate"
            }
        self.init(
            status: status, thisUpdate: single?.thisUpdate.description, nextUpdate: single?.nextUpdate?.description,
            ageSeconds: single.map { time.secondsSinceEpoch - $0.thisUpdate.secondsSinceEpoch })
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
