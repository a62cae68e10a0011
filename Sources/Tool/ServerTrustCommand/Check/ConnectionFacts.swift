// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerObservation
import ServerTrust
import ServerTrustNIO

/// The facts about a connection besides the certificates, for every format. The verdict contains the staple.
struct ConnectionFacts {
    private let report: TrustProbeReport
    private let seen: HandshakeObservation?

    /// - Parameter seen: the observed handshake, or nil if the TLS library doesn't report it.
    init(_ report: TrustProbeReport, _ seen: HandshakeObservation?) {
        self.report = report
        self.seen = seen
    }

    /// Whether the handshake was parsed.
    private var isParsed: Bool { report.presentedChain.staple != .unknown }

    /// The number of signed certificate timestamps outside the certificate. Their signatures aren't verified here.
    private var timestamps: Int { report.presentedChain.signedCertificateTimestamps.count }
}

// MARK: - Text

extension ConnectionFacts {
    /// The facts for a page, each with its label.
    var fields: [TrustReport.Field] {
        let other: [(label: String, words: String)] = report.otherAttempts.map { ("other address", $0) }
        let connection: [(label: String, words: String?)] = [
            ("TLS version", report.tlsVersion), ("cipher suite", seen?.cipherSuite?.description),
            ("key exchange", seen?.group?.description), ("signature", seen?.signatureScheme?.description),
            ("application protocol", report.applicationProtocol),
        ]
        let facts: [(label: String, words: String?)] =
            [("host", report.host.inBothForms), ("port", "\(report.port)"), ("address", report.address)] + other
            + connection + sent + [("duration", "\(report.milliseconds) ms")]
        return facts.compactMap { fact in fact.words.map { TrustReport.Field(fact.label, $0) } }
    }

    /// The connection in one line of text.
    var line: String {
        [
            "port \(report.port)" + (report.address.map { " at \($0)" } ?? ""),
            report.otherAttempts.isEmpty ? nil : "after \(report.otherAttempts.joined(separator: "; "))",
            report.tlsVersion,
            seen?.cipherSuite?.description, seen?.group?.description,
            report.applicationProtocol, "\(report.milliseconds) ms",
        ]
        .compactMap { $0 }.map(printable).joined(separator: ", ")
    }

    /// What the server sent besides certificates: the staple, the request for a client certificate, and timestamps.
    var sent: [(label: String, words: String)] {
        var rows: [(label: String, words: String)] = []
        let verdict = report.verdict
        if isParsed, let staple = verdict.staple {
            rows.append(("OCSP staple", staple.words(at: verdict.evaluationDate)))
        } else if isParsed, report.presentedChain.leaf?.requiresStaple == true {
            rows.append(("OCSP staple", "none, but the certificate requires one"))
        }
        if isParsed, let request = seen?.clientCertificateRequest {
            rows.append(("requests", Self.words(names(of: request), omitted(from: request), maximum: 3)))
        } else if let demand = report.clientCertificateDemand {
            let names = demand.authorityNames(Self.maximumDemanded, toBytes: 256)
            rows.append(("requests", Self.words(names, omitted(from: demand) ?? 0, maximum: Self.maximumDemanded)))
        }
        if isParsed, timestamps > 0 {
            let isVerified = verdict.transparency?.status.isChecked == true
            rows.append(("timestamps", "\(timestamps) sent in the handshake" + (isVerified ? "" : ", not verified")))
        }
        return rows
    }

    /// Returns the request for a client certificate in words.
    /// - Parameters:
    ///   - authorities: the CAs that the server accepts, or nil if they are unknown.
    ///   - omitted: the number of CAs that are left out of the list.
    private static func words(_ authorities: [String]?, _ omitted: Int, maximum: Int) -> String {
        guard let authorities else { return "a client certificate; the accepted CAs are unknown" }
        let others = max(0, authorities.count - maximum) + omitted
        guard authorities.count + omitted > 0 else { return "a client certificate from any CA" }
        return "a client certificate issued by " + authorities.prefix(maximum).joined(separator: "; ")
            + (others > 0 ? " and \(others) more" : "")
    }
}

// MARK: - JSON

extension ConnectionFacts {
    /// The members of `handshake`, or nil if the handshake wasn't parsed.
    var handshake: ReportFields? {
        guard isParsed else { return nil }
        return ["observed": seen.map { .fields(observed($0)) }, "timestamps": .number(timestamps)]
    }

    private func observed(_ seen: HandshakeObservation) -> ReportFields {
        let group = seen.group?.description ?? seen.primeBits.map { "a \($0)-bit prime" }
        return [
            "cipherSuite": (seen.cipherSuite?.description).map { .text($0) },
            // The number in the IANA registry: `0x1301`.
            "cipherSuiteNumber": (seen.cipherSuite?.number).map { .text($0) },
            "group": group.map { .text($0) },
            "signatureScheme": (seen.signatureScheme?.description).map { .text($0) },
            "signature": .text(seen.signature.rawValue),
            "clientCertificate": seen.clientCertificateRequest.map { request in
                let omitted = omitted(from: request)
                return .fields([
                    "authorities": .texts(names(of: request)),
                    "authoritiesOmitted": omitted > 0 ? .number(omitted) : nil,
                    "signatureSchemes": .texts(request.signatureSchemes.map(\.description)),
                ])
            },
        ]
    }

    /// The members of `clientCertificateRequest`. Nil if the server didn't ask for a client certificate, or was rejected
    /// before it could.
    var demand: ReportFields? {
        report.clientCertificateDemand.map { demand in
            [
                "authorities": demand.authorityNames(Self.maximumDemanded, toBytes: 256).map { .texts($0) },
                "authoritiesOmitted": omitted(from: demand).map { .number($0) },
            ]
        }
    }
}

// MARK: - Client certificates

extension ConnectionFacts {
    /// The maximum numbers of CAs in a report. Servers typically name only a few.
    private static let maximumRequested = 20
    private static let maximumDemanded = 16

    private func names(of request: ClientCertificateRequest) -> [String] {
        request.authorities.prefix(Self.maximumRequested).map { der in
            guard let name = try? DistinguishedName(der: der) else { return "a name that can't be read" }
            return name.description.abridged(toBytes: 256)
        }
    }

    private func omitted(from request: ClientCertificateRequest) -> Int {
        max(0, request.authorities.count - Self.maximumRequested) + request.omittedAuthorities
    }

    /// Returns the number of CAs that are left out, or nil for none.
    private func omitted(from demand: ClientCertificateDemand) -> Int? {
        let omitted = (demand.authorities?.count ?? 0) - Self.maximumDemanded
        return omitted > 0 ? omitted : nil
    }
}
