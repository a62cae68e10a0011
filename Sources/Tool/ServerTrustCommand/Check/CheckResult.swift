// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PinLint
import ServerObservation
import ServerTrust
import ServerTrustNIO

/// The result for a server and for the servers that it redirects to.
struct CheckResult: Sendable {
    let endpoint: ServerEndpoint
    /// The probes, at least one. There are more if redirects were followed or several addresses were probed.
    let steps: [CheckStep]
    /// The number of the host's addresses that were left out.
    var uncheckedAddresses = 0

    var milliseconds: Int { steps.reduce(0) { $0 + $1.milliseconds } }

    /// The outcome: trusted if each step has a trusted path, expiring if a certificate of a path expires within the time
    /// of `--expires-within`, rejected also if a redirect can't be followed, and undecided if the probe of a server
    /// failed before it was complete.
    var outcome: TrustReport.Outcome {
        if steps.contains(where: \.isRejected) { return .rejected }
        if steps.contains(where: \.isUndecided) { return .undecided }
        return steps.contains { $0.expiring?.isEmpty == false } ? .expiring : .trusted
    }

    /// The message of the first failure, error, problem or finding, or `trusted`.
    var headline: String {
        for step in steps {
            let prefix = steps.count > 1 ? "\(step.node ?? step.endpoint.host.description): " : ""
            if let text = step.headline { return prefix + text }
        }
        for step in steps {
            if let finding = step.expiring?.first { return step.text(finding.failure) }
        }
        return "trusted"
    }

    /// The code of the headline: of a failure, an error or a finding. `redirect` for a problem with a redirect, or nil
    /// for a trusted server.
    var code: String? {
        steps.lazy.compactMap(\.code).first
            ?? steps.lazy.compactMap(\.expiring).joined().first?.failure.code.name
    }
}

/// The probe of one server, which the user or a redirect named.
struct CheckStep: Sendable {
    let endpoint: ServerEndpoint
    let outcome: Result<TrustProbeReport, ConnectionFailure>
    /// The observed handshake, or nil if it wasn't observed.
    var handshake: HandshakeObservation?
    /// The certificates that expire soon, or nil if that isn't checked.
    var expiring: [ExpiryFinding]?
    /// A sentence about a host whose pins in the pin file aren't in force, or nil for none.
    var remark: String?
    /// The forecast for the server's pins, or nil for none.
    var forecast: PinForecast?
    /// The problem with the target of the redirect, or nil for none.
    var problem: String?
    /// All valid paths, if the plan searches for them.
    var validPaths: [ValidatedPath] = []
    /// The address that was probed, or nil unless each address of the host is probed.
    var node: String?
    /// The files that the anchors come from.
    var places = CertificatePlaces()
    /// Another profile that would trust the chain, or nil for none. The verdict's profile rejects it.
    var otherProfile: ValidationPolicy.Profile?

    var report: TrustProbeReport? { try? outcome.get() }
    /// The attempts to connect to the host's addresses.
    var attempts: [AddressAttempt] {
        switch outcome {
        case .success(let report): report.attempts
        case .failure(let error): error.attempts
        }
    }
    var milliseconds: Int { report?.milliseconds ?? 0 }
    /// Whether the server is rejected, or its redirect can't be followed. If a probe ends early although the chain
    /// passes, the server isn't rejected.
    var isRejected: Bool { (error == nil && report?.verdict.isTrusted == false) || problem != nil }
    /// The error that ended the probe early, or nil for none.
    var error: ConnectionFailure? {
        switch outcome {
        case .success(let report): report.failure
        case .failure(let error): error
        }
    }
    /// The remedy for that error, or nil for none.
    var remedy: String? { error?.remedy(for: endpoint, handshake: handshake) }
    var isUndecided: Bool { error != nil }

    /// The remedies for the failures and for the presented chain.
    var advice: [Advice] {
        guard let report else { return [] }
        let renewal = forecast?.events.first { $0.change == .renewal && $0.due.isSuggested }
        return report.verdict.advice(
            presented: report.presentedChain, places: places, trustedUnder: otherProfile,
            renewalSuggestedBy: renewal?.due.until)
    }

    fileprivate var headline: String? {
        if let error { return "\(error.detail) [\(error.reportedReason)]" }
        if let failure = report?.verdict.headline { return text(failure) }
        return problem
    }

    fileprivate func text(_ failure: TrustFailure) -> String {
        let message =
            report.map { failure.message(on: $0.verdict.path, sentIn: $0.presentedChain) } ?? failure.message
        return message + " [\(failure.code)]"
    }

    /// The code of the headline, or nil for a trusted server.
    var code: String? {
        error?.reportedReason ?? report?.verdict.headline?.code.name ?? problem.map { _ in "redirect" }
    }
}

extension ConnectionFailure {
    /// Returns the message after the server's name, which appears only once.
    func text(at endpoint: ServerEndpoint) -> String { "\(endpoint): \(detail(at: endpoint))" }

    /// Returns the message without the server's name.
    func detail(at endpoint: ServerEndpoint) -> String {
        let prefix = "\(endpoint): "
        return detail.hasPrefix(prefix) ? String(detail.dropFirst(prefix.count)) : detail
    }
}

extension TrustProbeReport {
    /// The duration in whole milliseconds, for reports.
    var milliseconds: Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    /// The attempts to connect to addresses other than the server's, and their results.
    var otherAttempts: [String] { attempts.filter { $0.outcome != .connected }.map(\.description) }
}
