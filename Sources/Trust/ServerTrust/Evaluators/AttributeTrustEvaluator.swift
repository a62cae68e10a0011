// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that requires attributes of the certificates, such as the organization, a policy, an extension or a
/// short validity.
///
/// ```swift
/// AttributeTrustEvaluator([.organization("Example, Inc."), .extendedValidation, .maximumValidity(.days(47))])
/// ```
///
/// A certificate's contents are only as reliable as the CA that signed it: any trusted CA may assert any organization.
/// If that matters, add a ``CertificateAuthorityTrustEvaluator``.
public struct AttributeTrustEvaluator: BuiltInTrustEvaluator {
    /// The requirements. A path must meet all of them.
    let requirements: [Requirement]

    /// A requirement on the path.
    public struct Requirement: Sendable {
        /// A description of the requirement for messages.
        package let description: String
        let isRepeatable: Bool
        let failure: @Sendable (ValidatedPath, Trust) -> TrustFailure?
    }

    /// Creates an evaluator.
    /// - Parameter requirements: the requirements. An empty list accepts every path.
    public init(_ requirements: [Requirement]) { self.requirements = requirements }

    /// Refuses a path that doesn't meet every requirement.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        try require(path, for: trust)
    }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        EvaluatorOutcome(failures: requirements.compactMap { $0.failure(path, trust) })
    }

    public var isRepeatable: Bool { requirements.allSatisfy(\.isRepeatable) }
    var performedChecks: [TrustCheck] { [.attributes] }
}

extension AttributeTrustEvaluator.Requirement {
    /// Returns a requirement that the organization (`O`) in the leaf's subject equals `name`.
    public static func organization(_ name: String) -> Self { subject(.organizationName, "organization", name) }

    /// Returns a requirement that the organizational unit (`OU`) in the leaf's subject equals `name`.
    public static func organizationalUnit(_ name: String) -> Self {
        subject(.organizationalUnitName, "organizational unit", name)
    }

    /// Returns a requirement that the country (`C`, two letters) in the leaf's subject equals `code`.
    public static func country(_ code: String) -> Self { subject(.countryName, "country", code) }

    /// Returns a requirement that the organization (`O`) in the leaf's issuer equals `name`.
    public static func issuerOrganization(_ name: String) -> Self {
        leaf("issuer's organization \(name)") { leaf in
            let found = leaf.issuer.values(of: .organizationName)
            return found.contains(name) ? nil : found.isEmpty ? "none" : found.joined(separator: ", ")
        }
    }

    /// The requirement for extended validation. The leaf must state the CA/Browser Forum's policy 2.23.140.1.1, every
    /// CA must allow it, and any list of roots (`RootList`) that names policies for the anchor must accept it.
    public static let extendedValidation = Self(
        description: "extended validation", isRepeatable: true
    ) { path, _ in
        guard path.assertsExtendedValidation else {
            let stated = path.leaf.certificatePolicies?.map(\.identifier) ?? []
            return TrustFailure(
                .extendedValidationMissing, certificate: 0, role: .leaf,
                expected: .text(OID.extendedValidation.description), found: .list(stated.map(\.description)))
        }
        return nil
    }

    /// Returns a requirement that the path is valid for a certificate policy (RFC 5280 § 6.1).
    public static func policy(_ policy: OID) -> Self {
        Self(description: "policy \(policy)", isRepeatable: true) { path, _ in
            guard !path.isValid(for: policy) else { return nil }
            let stated = path.leaf.certificatePolicies?.map(\.identifier.description) ?? []
            return unmet(
                "policies " + (stated.isEmpty ? "none" : stated.joined(separator: ", ")),
                "policy \(policy) along the whole path")
        }
    }

    /// Returns a requirement that the leaf's extended key usage contains a purpose. anyExtendedKeyUsage doesn't count.
    public static func extendedKeyUsage(_ purpose: OID) -> Self {
        leaf("extended key usage \(purpose)") { leaf in
            let found = leaf.extendedKeyUsage ?? []
            return found.contains(purpose) ? nil : found.map(\.description).joined(separator: ", ")
        }
    }

    /// Returns a requirement that the leaf has an extension, with any value.
    public static func `extension`(_ identifier: OID) -> Self {
        leaf("extension \(identifier)") { leaf in
            leaf.extensions.contains { $0.identifier == identifier } ? nil : "no such extension"
        }
    }

    /// Returns a requirement that the leaf's validity, both ends included, is at most `duration`.
    public static func maximumValidity(_ duration: Duration) -> Self {
        let unit = TimeUnit(of: duration)
        return leaf("a validity of at most \(unit.text(duration.wholeSeconds))") { leaf in
            // The validity includes its last second (RFC 5280 § 4.1.2.5).
            let seconds = leaf.notAfter.secondsSinceEpoch - leaf.notBefore.secondsSinceEpoch + 1
            return Duration.seconds(seconds) <= duration
                ? nil : "a validity of \(unit.text(seconds + unit.seconds - 1))"
        }
    }

    /// Returns a requirement that the leaf is valid for at least `duration` from the verify date on.
    public static func minimumRemainingValidity(_ duration: Duration) -> Self {
        let unit = TimeUnit(of: duration)
        let expected = "\(unit.text(duration.wholeSeconds)) of validity left"
        return Self(description: expected, isRepeatable: false) { path, trust in
            let now = trust.settings.verifyDate.time
            let left = path.leaf.notAfter.advanced(by: now.secondsSinceEpoch == .min ? .max : -now.secondsSinceEpoch)
                .secondsSinceEpoch
            return Duration.seconds(left) >= duration ? nil : unmet("\(unit.text(left)) of validity left", expected)
        }
    }

    /// Returns a requirement that a closure checks.
    /// - Parameters:
    ///   - description: the requirement, for the failure.
    ///   - isRepeatable: whether the result depends only on the path, so that a verdict may be remembered.
    ///   - isMet: returns whether the path meets the requirement.
    public static func custom(
        _ description: String, isRepeatable: Bool = false, _ isMet: @escaping @Sendable (ValidatedPath) -> Bool
    ) -> Self {
        Self(description: description, isRepeatable: isRepeatable) { path, _ in
            isMet(path)
                ? nil
                : TrustFailure(
                    .attributeNotMatched, expected: .text(description), found: .text("something else"))
        }
    }

    /// The unit of a duration in messages: days, or seconds if the duration isn't a whole number of days.
    private struct TimeUnit {
        let seconds: Int64

        init(of duration: Duration) { seconds = duration.wholeSeconds.isMultiple(of: 86_400) ? 86_400 : 1 }

        /// Returns the number of whole units with the unit's name.
        func text(_ seconds: Int64) -> String { "\(seconds / self.seconds) \(self.seconds == 1 ? "seconds" : "days")" }
    }

    private static func subject(_ type: OID, _ label: String, _ value: String) -> Self {
        leaf("\(label) \(value)") { leaf in
            let found = leaf.subject.values(of: type)
            return found.contains(value)
                ? nil : found.isEmpty ? "no \(label)" : "\(label) " + found.joined(separator: ", ")
        }
    }

    /// Returns a requirement on the leaf.
    /// - Parameter found: returns nil if the leaf meets the requirement, or otherwise the leaf's actual value.
    private static func leaf(_ expected: String, _ found: @escaping @Sendable (Certificate) -> String?) -> Self {
        Self(description: expected, isRepeatable: true) { path, _ in
            found(path.leaf).map { unmet($0.isEmpty ? "none" : $0, expected) }
        }
    }

    private static func unmet(_ found: String, _ expected: String) -> TrustFailure {
        TrustFailure(.attributeNotMatched, certificate: 0, role: .leaf, expected: .text(expected), found: .text(found))
    }
}
