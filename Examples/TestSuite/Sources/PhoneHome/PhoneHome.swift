// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The rules of this app for its server: a pinned key or the backup key, and a certificate that is renewed often.
public struct PhoneHome: Sendable {
    public let configuration: ServerTrustConfiguration

    /// - Parameters:
    ///   - host: the app's server.
    ///   - anchors: the system's, except in tests.
    /// - Throws: an error that lists the problems with the host or the pins.
    public init(host: String, pins: [SPKIPin], backup: [SPKIPin], anchors: TrustAnchors = .system) throws {
        let pinned = SPKIPinsTrustEvaluator(try SPKIPinSet(pins: pins, backup: backup))
        let evaluator = try CompositeTrustEvaluator(evaluators: [pinned, ShortLivedTrustEvaluator()])
        var configuration = ServerTrustConfiguration(try ServerTrustManager(evaluators: [host: evaluator]))
        configuration.anchors = anchors
        self.configuration = configuration
    }
}

/// An app's own evaluator: certificates may be valid for at most a hundred days.
public struct ShortLivedTrustEvaluator: TrustEvaluator {
    public static let maximumDays: Int64 = 100

    public init() {}

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        let seconds = path.leaf.notAfter.secondsSinceEpoch - path.leaf.notBefore.secondsSinceEpoch + 1
        guard seconds > Self.maximumDays * 86_400 else { return }
        throw TrustFailures(TrustFailure(.evaluatorRefused, certificate: 0))
    }

    /// Depends only on the path, so a manager may remember verdicts.
    public var isRepeatable: Bool { true }
}
