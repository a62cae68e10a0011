// SPDX-License-Identifier: Apache-2.0

import HandshakeProbe
import PinLint
import ServerTrust
import ServerTrustNIO

/// The result for a server and for those that it redirects to.
struct CheckResult: Sendable {
    /// The kinds of results; raw values are stable.
    enum Outcome: String, Sendable, CaseIterable {
        /// A trusted path for every step.
        case trusted
        /// Trusted, and a certificate of the path ends within the time of `--expires-within`.
        case expiring
        /// A refused server, or a redirect that can't be followed.
        case rejected
        /// A server that couldn't be probed to the end.
        case undecided
    }

    let endpoint: ServerEndpoint
    /// The probes, at least one; more if redirects were followed.
    let steps: [CheckStep]
    /// The number of addresses of the host beyond those that were checked.
    var uncheckedAddresses = 0

    var milliseconds: Int { steps.reduce(0) { $0 + $1.milliseconds } }

    var outcome: Outcome {
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
        for finding in steps.compactMap(\.expiring).joined() {
            return finding.failure.message + " [\(finding.failure.code)]"
        }
        return "trusted"
    }

    /// The code of the headline: of a failure, an error or a finding; `redirect` for a redirect's problem, nil for a trusted server.
    var code: String? {
        steps.lazy.compactMap(\.code).first
            ?? steps.lazy.compactMap(\.expiring).joined().first?.failure.code.name
    }
}

/// The probe of one server, named by the user or by a redirect.
struct CheckStep: Sendable {
    let endpoint: ServerEndpoint
    let outcome: Result<TrustProbeReport, ConnectionFailure>
    /// The observation of the handshake; nil without one.
    var handshake: HandshakeObservation?
    /// The certificates that end soon; nil if that isn't checked.
    var expiring: [ExpiryFinding]?
    /// A sentence about a host that the file of pins leaves without a pin; nil for none.
    var remark: String?
    /// The forecast for the server's pins; nil for none.
    var forecast: PinForecast?
    /// The problem with the target of its redirect; nil for none.
    var problem: String?
    /// All valid paths, if they were searched for.
    var validPaths: [ValidatedPath] = []
    /// The address of a server of which each is probed; nil otherwise.
    var node: String?
    /// The places of the anchors.
    var places = CertificatePlaces()
    /// A profile that trusts the chain that the verdict's refuses; nil for none.
    var otherProfile: ValidationPolicy.Profile?

    var report: TrustProbeReport? { try? outcome.get() }
    var milliseconds: Int { report?.milliseconds ?? 0 }
    /// Whether the server is refused, or its redirect can't be followed. A probe that ended early behind a chain that passes is none.
    var isRejected: Bool { (error == nil && report?.verdict.isTrusted == false) || problem != nil }
    /// The error that ended the probe early; nil for none.
    var error: ConnectionFailure? {
        switch outcome {
        case .success(let report): report.failure
        case .failure(let error): error
        }
    }
    /// The remedy for that error; nil for none.
    var remedy: String? { error?.remedy(for: endpoint, handshake: handshake) }
    var isUndecided: Bool { error != nil }

    /// The remedies for the failures, and for the chain that the server presents.
    var advice: [Advice] {
        report.map { $0.verdict.advice(presented: $0.presentedChain, places: places, trustedUnder: otherProfile) } ?? []
    }

    fileprivate var headline: String? {
        if let error { return "\(error.detail) [\(error.reportedReason)]" }
        if let failure = report?.verdict.headline { return failure.message + " [\(failure.code)]" }
        return problem
    }

    /// The code of the headline; nil for a trusted server.
    var code: String? {
        error?.reportedReason ?? report?.verdict.headline?.code.name ?? problem.map { _ in "redirect" }
    }
}

extension ConnectionFailure {
    /// Returns the message behind the name of the server, which stands there once.
    func text(at endpoint: ServerEndpoint) -> String { "\(endpoint): \(detail(at: endpoint))" }

    /// Returns the message without the name of the server.
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
}
