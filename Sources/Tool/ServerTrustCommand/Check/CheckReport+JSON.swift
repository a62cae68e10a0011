// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerObservation
import ServerTrust
import ServerTrustNIO

extension CheckReport {
    /// Returns a JSON array with one element per server, each with its steps in order.
    func json() throws -> [UInt8] { try ReportFields.json(results.map { $0.fields() }) }
}

extension CheckResult {
    /// Returns the members of the JSON.
    /// - Parameter round: the round of `--watch`, starting at 1, or nil without that option.
    func fields(round: Int? = nil) -> ReportFields {
        // Nil unless several addresses were checked.
        let sentences = NodeComparison(self).sentences
        return [
            "schemaVersion": .number(1), "server": .text(endpoint.description),
            "round": round.map { .number($0) }, "outcome": .text(outcome.rawValue), "headline": .text(headline),
            "steps": .objects(steps.map(\.fields)), "nodes": sentences.isEmpty ? nil : .texts(sentences),
        ]
    }
}

extension CheckStep {
    fileprivate var fields: ReportFields {
        let request: ReportFields = [
            "url": .text(endpoint.url), "host": .text(endpoint.host.description), "port": .number(endpoint.port),
            "milliseconds": .number(milliseconds),
            // Only if there were several.
            "attempts": attempts.count > 1 ? .objects(attempts.map(\.fields)) : nil,
            "presented": .objects(report.map(Self.presented) ?? []),
            "advice": .texts(advice.map(\.text)),
            "remedies": advice.isEmpty ? nil : .objects(advice.map(\.fields)),
        ]
        // Without `--expires-within`, and for a server that has no pins or isn't trusted, these are absent.
        let findings: ReportFields = [
            "findings": expiring.map { .objects($0.map(\.fields)) },
            "forecast": forecast.map { .objects($0.events.map(\.fields)) },
            "problem": problem.map { .text($0) },
            "error": error.map { error in
                .fields([
                    "reason": .text(error.reportedReason), "detail": .text(error.detail),
                    "remedy": remedy.map { .text($0) },
                ])
            },
        ]
        return request + findings + (report.map { $0.fields(handshake) } ?? [:])
    }

    /// Returns the presented certificates, at most ``VerifyReport/maximumPresented``.
    private static func presented(_ report: TrustProbeReport) -> [ReportFields] {
        let certificates = report.presentedChain.certificates
        let size = ReportAllowance.nameSize(certificates.count)
        return certificates.prefix(VerifyReport.maximumPresented).enumerated().map { index, certificate in
            let fields: ReportFields = [
                "subject": .text(certificate.abridgedSubject(toBytes: size)),
                "issuer": .text(certificate.abridgedIssuer(toBytes: size)),
                "notBefore": .text(certificate.notBefore.description),
                "notAfter": .text(certificate.notAfter.description),
                "pin": .text(SPKIPin(certificate).description),
                // The place in the order sent, 0 for the first. Unreadable certificates count.
                "place": .number(report.presentedChain.place(ofReadable: index)),
                "inPath": report.verdict.path.firstIndex(of: certificate).map { .number($0) },
                "der": .text(Base64.encode(certificate.der)),
            ]
            let names: Set = ["subject", "issuer", "notBefore", "notAfter", "pin"]
            return fields
                + ReportFields(
                    certificate, of: certificates.count, without: names, at: report.verdict.evaluationDate)
        }
    }
}

extension TrustProbeReport {
    fileprivate func fields(_ seen: HandshakeObservation?) -> ReportFields {
        let omitted = presentedChain.certificates.count - VerifyReport.maximumPresented
        let facts = ConnectionFacts(self, seen)
        return [
            "address": address.map { .text($0) }, "tlsVersion": tlsVersion.map { .text($0) },
            "applicationProtocol": applicationProtocol.map { .text($0) },
            "presentedOmitted": omitted > 0 ? .number(omitted) : nil,
            "handshake": facts.handshake.map { .fields($0) },
            "clientCertificateRequest": facts.demand.map { .fields($0) },
            "verdict": .fields(verdict.fields(presentedChain)),
            "status": (response?.status).map { .number($0) }, "location": (response?.location).map { .text($0) },
        ]
    }
}

extension AddressAttempt {
    fileprivate var fields: ReportFields {
        let (name, detail): (String, String?) =
            switch outcome {
            case .connected: ("connected", nil)
            case .failed(let text): ("failed", text)
            case .unanswered: ("unanswered", nil)
            case .overtaken: ("overtaken", nil)
            }
        return ["address": .text(address), "outcome": .text(name), "detail": detail.map { .text($0) }]
    }
}
