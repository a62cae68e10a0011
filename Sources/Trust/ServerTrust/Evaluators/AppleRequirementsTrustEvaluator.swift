// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that applies Apple's dated requirements for server certificates. Use it for servers that apps on
/// Apple's systems connect to, too.
///
/// ```swift
/// try ServerTrustManager(evaluators: ["*.example.com": AppleRequirementsTrustEvaluator()])
/// ```
/// The rules apply to the leaf and depend on its notBefore:
///
/// | below | from | leaf |
/// | --- | --- | --- |
/// | any root, an app's own too | 2019-07-01 | its extended key usage names serverAuth; at most 825 days and an hour |
/// | a root of a root program | any date | its extended key usage names serverAuth |
/// | a root of a root program | 2018-03-01 | at most 825 days and an hour |
/// | a root of a root program | 2020-09-01 | at most 398 days |
///
/// The profile `webPKI` accepts a leaf without an extended key usage and with a longer validity. Its switch `isStrict`
/// sets other limits.
///
/// The rules follow support.apple.com/103769 (HT210176) and /102028 (HT211025). The limits follow Apple's published
/// sources (`SecPolicy.c`), where July 1 begins at 2019-06-30T23:00:00Z.
///
/// Stricter than Apple's systems, which exempt roots that the user or an administrator installed. Not checked: Apple's
/// lists of distrusted CAs, and Certificate Transparency (``TransparencyTrustEvaluator``).
public struct AppleRequirementsTrustEvaluator: BuiltInTrustEvaluator {
    /// Creates an evaluator.
    public init() {}

    /// Refuses a path whose leaf Apple's systems refuse.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        EvaluatorOutcome(
            failures: Self.failures(of: path.leaf, belowPublicRoot: path.anchorFacts?.isPublic != false))
    }

    /// True: the result depends only on the path.
    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.attributes] }
}

extension AppleRequirementsTrustEvaluator {
    /// A limit of the validity for leaves issued from a date on.
    private struct Limit {
        let from: Time
        /// The length of the validity, both ends included (RFC 5280 § 4.1.2.5).
        let seconds: Int64
    }

    /// 2019-06-30T23:00:00Z
    private static let july2019 = Time(secondsSinceEpoch: 1_561_935_600)
    private static let limits = [Limit(from: july2019, seconds: 825 * 86_400 + 3600)]
    private static let limitsBelowPublicRoots = [
        // 2020-09-01T00:00:00Z and 2018-03-01T00:00:00Z
        Limit(from: Time(secondsSinceEpoch: 1_598_918_400), seconds: 398 * 86_400),
        Limit(from: Time(secondsSinceEpoch: 1_519_862_400), seconds: 825 * 86_400 + 3600),
    ]

    /// Returns the failures of a leaf by Apple's rules. Empty if the leaf meets them.
    /// - Parameters:
    ///   - leaf: the certificate of a server.
    ///   - isBelowPublicRoot: whether the path ends in a root of a root program.
    package static func failures(of leaf: Certificate, belowPublicRoot isBelowPublicRoot: Bool) -> [TrustFailure] {
        var failures: [TrustFailure] = []
        let purposes = leaf.extendedKeyUsage ?? []
        if isBelowPublicRoot || leaf.notBefore >= july2019, !purposes.contains(.serverAuth) {
            failures.append(
                TrustFailure(
                    .extendedKeyUsageNotAllowed, certificate: 0, role: .leaf, expected: .text("serverAuth by name"),
                    found: purposes.isEmpty ? .text("no purpose by name") : .list(purposes.map(\.description))))
        }
        // Dates of certificates are in the years 0 to 9999.
        let seconds = leaf.notAfter.secondsSinceEpoch - leaf.notBefore.secondsSinceEpoch + 1
        let limits = isBelowPublicRoot ? limitsBelowPublicRoots : limits
        if let limit = limits.first(where: { leaf.notBefore >= $0.from }), seconds > limit.seconds {
            failures.append(
                TrustFailure(
                    .validityTooLong, certificate: 0, role: .leaf, expected: .number(Int(limit.seconds / 86_400)),
                    found: .number(Int((seconds + 86_399) / 86_400))))
        }
        return failures
    }
}
