// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that requires one of these pins (RFC 7469 § 2.4: SHA-256 of a SubjectPublicKeyInfo) in the validated
/// path.
///
/// ```swift
/// let evaluator = try SPKIPinsTrustEvaluator(
///     pins: ["sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="],       // the issuing CA
///     backup: ["sha256/iie1VXtL7HzAMF+/PVPR9xzT80kQxdZeJ+zduCB3uj0="])     // the CA that would replace it
/// ```
///
/// The evaluator compares pins with the validated path, not with the presented chain. If a cross-signed CA allows two
/// paths, the path with a pin counts.
public struct SPKIPinsTrustEvaluator: BuiltInTrustEvaluator {
    /// The certificates of the path that may have the pin.
    public enum Scope: String, Sendable, Hashable, CaseIterable, Codable {
        /// Only the leaf.
        case leaf
        /// The CAs and the anchor, but not the leaf.
        case authority
        /// Any certificate of the path.
        case anywhere
    }

    /// The pins in use and the backup pins.
    package let pins: SPKIPinSet
    /// The certificates of the path that may have a pin.
    let scope: Scope

    /// Creates an evaluator.
    public init(_ pins: SPKIPinSet, scope: Scope = .anywhere) {
        self.pins = pins
        self.scope = scope
    }

    /// Creates an evaluator from texts.
    /// - Parameters:
    ///   - pins: pins of the keys in use, as `sha256/BASE64`.
    ///   - backup: pins of backup keys, at least one. Without a backup, the first change of a key locks out the app's
    ///     users.
    ///   - scope: the certificates of the path that may have the pin.
    /// - Throws: ``SPKIPinSetError`` with every problem of the lists.
    public init(pins: [String], backup: [String], scope: Scope = .anywhere) throws(SPKIPinSetError) {
        self.init(try SPKIPinSet(pins: pins, backup: backup), scope: scope)
    }

    /// Refuses a path without a pinned key in the scope.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    /// True: the result depends only on the path.
    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.pins] }
    var configurationWarnings: [String] { pins.warnings.map(\.description) }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        path.comparison(
            at: scope.indices(count: path.certificates.count), isOfLeaf: scope == .leaf,
            expected: { pins.pins + pins.backup },
            isBackup: { pins.contains($0) ? pins.isBackup($0) : nil })
    }
}

extension SPKIPinsTrustEvaluator.Scope {
    /// Returns the indices of the certificates in a path that may match a pin. The path is ordered leaf first and has
    /// `count` certificates.
    package func indices(count: Int) -> Range<Int> {
        switch self {
        case .leaf: 0..<min(1, count)
        case .authority: min(1, count)..<count
        case .anywhere: 0..<count
        }
    }
}
