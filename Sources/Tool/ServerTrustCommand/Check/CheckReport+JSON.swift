// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustNIO

extension CheckReport {
    /// Returns a JSON array with one element per server, each with its steps in order.
    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return JSONWriter.escaping(try encoder.encode(results.map { CheckRecord($0) })) + [0x0a]
    }
}

/// The JSON of a result.
struct CheckRecord: Encodable {
    let schemaVersion = 1
    let server: String
    /// The round of `--watch`, starting at 1, or nil without that option.
    let round: Int?
    /// `trusted`, `expiring`, `rejected` or `undecided`.
    let outcome: String
    let headline: String
    let steps: [Step]
    /// The sentences about the host's addresses, or nil unless several were checked.
    let nodes: [String]?

    struct Step: Encodable {
        let url: String
        let host: String
        let port: Int
        let address: String?
        /// The attempts to connect to the host's addresses, in order, or nil unless there were several.
        let attempts: [Attempt]?
        let tlsVersion: String?
        let applicationProtocol: String?
        let milliseconds: Int
        /// The presented certificates, at most ``VerifyReport/maximumPresented``.
        let presented: [WithFacts<Presented>]
        /// The number of presented certificates that are left out, or nil for none.
        let presentedOmitted: Int?
        /// Nil if the handshake wasn't parsed.
        let handshake: HandshakeSummary?
        /// Nil if the server didn't ask for a client certificate, or was rejected before it could.
        let clientCertificateRequest: ClientCertificateSummary?
        /// The verdict in the format of `verify --format json`.
        let verdict: VerdictRecord?
        /// The certificates that expire soon, or nil without `--expires-within`.
        let findings: [ExpiryFinding]?
        /// The forecast of changes that affect the pins, or nil for a server that has no pins or isn't trusted.
        let forecast: [ForecastRecord]?
        let advice: [String]
        /// The remedies with party, code and options, or nil for none.
        let remedies: [AdviceRecord]?
        let status: Int?
        let location: String?
        /// The problem with the redirect's target.
        let problem: String?
        let error: Failure?
    }

    struct Attempt: Encodable {
        /// Address and port.
        let address: String
        /// `connected`, `failed`, `unanswered` or `overtaken`.
        let outcome: String
        /// The system's error, or nil without one.
        let detail: String?

        private init(_ attempt: AddressAttempt) {
            address = attempt.address
            (outcome, detail) =
                switch attempt.outcome {
                case .connected: ("connected", nil)
                case .failed(let text): ("failed", text)
                case .unanswered: ("unanswered", nil)
                case .overtaken: ("overtaken", nil)
                }
        }

        static func all(_ attempts: [AddressAttempt]) -> [Attempt]? {
            attempts.count > 1 ? attempts.map { Attempt($0) } : nil
        }
    }

    struct Presented: Encodable {
        let subject: String
        let issuer: String
        let notBefore: String
        let notAfter: String
        let pin: String
        /// The place in the order sent, 0 for the first. Unreadable certificates count.
        let place: Int
        /// The index of the certificate in the verdict's path, or nil if the path doesn't contain it.
        let inPath: Int?
        let der: String
    }

    struct Failure: Encodable {
        let reason: String
        let detail: String
        /// The remedy, or nil if none is known.
        let remedy: String?
    }

    init(_ result: CheckResult, round: Int? = nil) {
        self.round = round
        server = result.endpoint.description
        outcome = result.outcome.rawValue
        let sentences = NodeComparison(result).sentences
        nodes = sentences.isEmpty ? nil : sentences
        headline = result.headline
        steps = result.steps.map { step in
            let report = step.report
            return Step(
                url: step.endpoint.url, host: step.endpoint.host.description, port: step.endpoint.port,
                address: report?.address, attempts: Attempt.all(step.attempts), tlsVersion: report?.tlsVersion,
                applicationProtocol: report?.applicationProtocol, milliseconds: step.milliseconds,
                presented: report.map(Self.presented) ?? [],
                presentedOmitted: report.flatMap {
                    let count = $0.presentedChain.certificates.count - VerifyReport.maximumPresented
                    return count > 0 ? count : nil
                },
                handshake: report.flatMap { HandshakeSummary($0, step.handshake) },
                clientCertificateRequest: report.flatMap { ClientCertificateSummary($0) },
                verdict: report.map { VerdictRecord(verdict: $0.verdict, presented: $0.presentedChain) },
                findings: step.expiring, forecast: step.forecast.map { $0.events.map(ForecastRecord.init) },
                advice: step.advice.map(\.text), remedies: AdviceRecord.all(step.advice),
                status: report?.response?.status,
                location: report?.response?.location, problem: step.problem,
                error: step.error.map {
                    Failure(reason: $0.reportedReason, detail: $0.detail, remedy: step.remedy)
                })
        }
    }

    private static func presented(_ report: TrustProbeReport) -> [WithFacts<Presented>] {
        let certificates = report.presentedChain.certificates
        let size = ReportAllowance.nameSize(certificates.count)
        return certificates.prefix(VerifyReport.maximumPresented).enumerated().map { index, certificate in
            let presented = Presented(
                subject: certificate.abridgedSubject(toBytes: size), issuer: certificate.abridgedIssuer(toBytes: size),
                notBefore: certificate.notBefore.description, notAfter: certificate.notAfter.description,
                pin: SPKIPin(certificate).description, place: report.presentedChain.place(ofReadable: index),
                inPath: report.verdict.path.firstIndex(of: certificate),
                der: Base64.encode(certificate.der))
            let facts = CertificateFacts(
                certificate, of: report.presentedChain.certificates.count,
                without: ["subject", "issuer", "notBefore", "notAfter", "pin"],
                at: report.verdict.evaluationDate)
            return WithFacts(base: presented, facts: facts)
        }
    }
}
