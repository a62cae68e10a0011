// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Asks that a certificate of the validated path have one of these pins (RFC 7469 § 2.4: SHA-256 of its SubjectPublicKeyInfo).
///
/// ```swift
/// let evaluator = try SPKIPinsTrustEvaluator(
///     pins: ["sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="],       // the CA that issues
///     backup: ["sha256/iie1VXtL7HzAMF+/PVPR9xzT80kQxdZeJ+zduCB3uj0="])     // the CA to go to if it can't any more
/// ```
///
/// Pins are compared with the path that was validated, not with what the server happened to send; of two paths over a
/// cross-signed CA the one that holds a pin counts.
public struct SPKIPinsTrustEvaluator: BuiltInTrustEvaluator {
    /// Which certificates of the path may hold the pin.
    public enum Scope: String, Sendable, Hashable, CaseIterable, Codable {
        /// The leaf alone.
        case leaf
        /// The CAs, anchor included, and not the leaf.
        case authority
        /// Any of them.
        case anywhere
    }

    /// The pins, in use and in reserve.
    public let pins: SPKIPinSet
    public let scope: Scope

    public init(_ pins: SPKIPinSet, scope: Scope = .anywhere) {
        self.pins = pins
        self.scope = scope
    }

    /// - Parameters:
    ///   - pins: `sha256/BASE64` of keys in use.
    ///   - backup: the same of keys held in reserve, at least one: without it the first change of a key locks the app out.
    ///   - scope: which certificates may hold the pin.
    /// - Throws: ``SPKIPinSetError`` with everything that is wrong with the lists.
    public init(pins: [String], backup: [String], scope: Scope = .anywhere) throws(SPKIPinSetError) {
        self.init(try SPKIPinSet(pins: pins, backup: backup), scope: scope)
    }

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.pins] }
    var configurationWarnings: [String] { pins.warnings.map(\.description) }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        path.comparison(
            at: indices(of: path), expected: { pins.pins + pins.backup },
            isBackup: { pins.contains($0) ? pins.isBackup($0) : nil })
    }

    private func indices(of path: ValidatedPath) -> Range<Int> {
        let count = path.certificates.count
        return switch scope {
        case .leaf: 0..<min(1, count)
        case .authority: min(1, count)..<count
        case .anywhere: 0..<count
        }
    }
}
